import Dispatch
import RoostEngine
import SyncMerge
import Synchronization

/// Reads on a few threads of its own: SQLite blocks whoever calls it.
final class ReadQueue: Sendable {
  static let threads = 3

  private let queues = (0..<threads).map { DispatchQueue(label: "roost.sync.reader.\($0)") }
  private let next = Atomic<Int>(0)
  private let waiting = Atomic<Int>(0)
  private let pool: Pool
  /// The most that wait.
  private let mostWaiting: Int

  init(_ pool: Pool, mostWaiting: Int = 1_000) { (self.pool, self.mostWaiting) = (pool, mostWaiting) }

  /// Runs `body` in a transaction that sees one state of all.
  func read<Value: Sendable>(_ body: @escaping @Sendable (SQLiteAccess) throws -> Value) async throws -> Value {
    let count = waiting.add(1, ordering: .relaxed).newValue
    defer { waiting.subtract(1, ordering: .relaxed) }
    if count > mostWaiting { throw SyncServiceError.busy(retryAfter: 1) }
    let place = next.wrappingAdd(1, ordering: .relaxed).newValue
    let queue = queues[Int(UInt(bitPattern: place) % UInt(queues.count))]
    return try await withCheckedThrowingContinuation { continuation in
      queue.async { [pool] in
        continuation.resume(
          with: Result {
            try pool.read { connection in
              try connection.transaction(.deferred) {
                try body(SQLiteAccess(connection: connection, cache: ZoneCache()))
              }
            }
          })
      }
    }
  }
}
