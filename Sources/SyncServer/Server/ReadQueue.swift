import Dispatch
import RoostEngine
import SyncMerge
import Synchronization

/// Reads on a few threads of its own: SQLite blocks whoever calls it.
final class ReadQueue: Sendable {
  static let threads = 3

  private struct State {
    /// A thread that is free takes the next.
    var jobs = Turns<@Sendable () -> Void>()
    /// The threads that have no job.
    var idle = Array(0..<threads)
  }

  private let queues = (0..<threads).map { DispatchQueue(label: "roost.sync.reader.\($0)") }
  private let state = Mutex(State())
  private let pool: Pool
  /// The most that wait.
  private let mostWaiting: Int
  /// The most of one user that wait.
  private let mostOfUser: Int

  init(_ pool: Pool, mostWaiting: Int = 1_000, mostOfUser: Int = 250) {
    (self.pool, self.mostWaiting, self.mostOfUser) = (pool, mostWaiting, mostOfUser)
  }

  /// Runs `body` in a transaction that sees one state of all.
  func read<Value: Sendable>(
    for user: String, _ body: @escaping @Sendable (SQLiteAccess) throws -> Value
  ) async throws -> Value {
    try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Value, any Error>) in
      let isTaken = run(for: user) { [pool] in
        continuation.resume(
          with: Result {
            try pool.read { connection in
              try connection.transaction(.deferred) {
                try body(SQLiteAccess(connection: connection, cache: ZoneCache()))
              }
            }
          })
      }
      if !isTaken { continuation.resume(throwing: SyncServiceError.busy(retryAfter: 1)) }
    }
  }

  /// Returns false, and does nothing, where too many wait.
  private func run(for user: String, _ job: @escaping @Sendable () -> Void) -> Bool {
    let (isTaken, idle) = state.withLock { state -> (Bool, Int?) in
      guard state.jobs.count < mostWaiting, state.jobs.count(of: user) < mostOfUser else { return (false, nil) }
      state.jobs.append(job, of: user)
      return (true, state.idle.popLast())
    }
    if let idle { queues[idle].async { self.work(idle) } }
    return isTaken
  }

  private func work(_ thread: Int) {
    while let job = next(thread) { job() }
  }

  private func next(_ thread: Int) -> (@Sendable () -> Void)? {
    state.withLock { state in
      if let job = state.jobs.next() { return job }
      state.idle.append(thread)
      return nil
    }
  }
}
