import Dispatch
import RoostEngine
import SyncMerge
import Synchronization

/// Reads on a few threads of its own: SQLite blocks whoever calls it.
final class ReadQueue: Sendable {
  static let threads = 3

  private struct State {
    /// In the order of their arrival; a thread that is free takes the first.
    var jobs: [@Sendable () -> Void] = []
    /// The threads that have no job.
    var idle = Array(0..<threads)
  }

  private let queues = (0..<threads).map { DispatchQueue(label: "roost.sync.reader.\($0)") }
  private let state = Mutex(State())
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
    return try await withCheckedThrowingContinuation { continuation in
      run { [pool] in
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

  private func run(_ job: @escaping @Sendable () -> Void) {
    let idle = state.withLock { state in
      state.jobs.append(job)
      return state.idle.popLast()
    }
    if let idle { queues[idle].async { self.work(idle) } }
  }

  private func work(_ thread: Int) {
    while let job = next(thread) { job() }
  }

  private func next(_ thread: Int) -> (@Sendable () -> Void)? {
    state.withLock { state in
      if !state.jobs.isEmpty { return state.jobs.removeFirst() }
      state.idle.append(thread)
      return nil
    }
  }
}
