import Dispatch
import RoostEngine
import SyncMerge
import Synchronization

/// Writes one after the other, on a thread of its own: SQLite blocks whoever calls it.
///
/// What waits together is written in one transaction, as the disk's time is a transaction's and not a push's.
final class WriteQueue: Sendable {
  private struct Job: Sendable {
    /// Does the work, and returns how its result is told.
    let run: @Sendable (SQLiteAccess) throws -> @Sendable () -> Void
    let fail: @Sendable (any Error) -> Void
  }

  private struct Waiting {
    var jobs = Turns<Job>()
    /// Whether somebody sees to it that all are written.
    var isWriting = false
  }

  private let queue = DispatchQueue(label: "roost.sync.writer")
  private let waiting = Mutex(Waiting())
  private let pool: Pool
  private let access = AccessBox()
  /// The most that are written in one transaction.
  private let mostTogether: Int
  /// After how long a transaction takes no further jobs.
  private let longest: Duration
  /// The most that wait.
  private let mostWaiting: Int
  /// The most of one user that wait.
  private let mostOfUser: Int
  /// The most bytes that wait, besides those of the last push. Decoded they take some times as much.
  private let mostBytes: Int
  /// The most of one user.
  private let mostBytesOfUser: Int
  /// The bytes of the write-ahead log from which on it is begun anew.
  private let mostLogSize: Int

  init(
    _ pool: Pool, mostLogSize: Int, mostTogether: Int = 64, longest: Duration = .milliseconds(100),
    mostWaiting: Int = 1_000, mostOfUser: Int = 250, mostBytes: Int = 256 << 20, mostBytesOfUser: Int = 32 << 20
  ) {
    (self.mostBytes, self.mostBytesOfUser) = (mostBytes, mostBytesOfUser)
    (self.pool, self.mostTogether, self.longest) = (pool, mostTogether, longest)
    (self.mostWaiting, self.mostOfUser) = (mostWaiting, mostOfUser)
    self.mostLogSize = mostLogSize
  }

  /// How many wait, for tests.
  var waitingCount: Int { waiting.withLock(\.jobs.count) }

  /// Runs `body` in a transaction. What it throws takes back what it did, and not what others
  /// did. `bytes`: how many it came as.
  func write<Value: Sendable>(
    for user: String, bytes: Int = 0, _ body: @escaping @Sendable (SQLiteAccess) throws -> Value
  ) async throws -> Value {
    try await withCheckedThrowingContinuation { continuation in
      let job = Job(
        run: { access in
          let value = try body(access)
          return { continuation.resume(returning: value) }
        }, fail: { continuation.resume(throwing: $0) })
      let isFirst = waiting.withLock { waiting -> Bool? in
        guard waiting.jobs.count < mostWaiting, waiting.jobs.count(of: user) < mostOfUser,
          waiting.jobs.bytes < mostBytes, waiting.jobs.bytes(of: user) < mostBytesOfUser
        else { return nil }
        waiting.jobs.append(job, of: user, bytes: bytes)
        defer { waiting.isWriting = true }
        return !waiting.isWriting
      }
      guard let isFirst else { return job.fail(SyncServiceError.busy(retryAfter: 1)) }
      if isFirst { queue.async { self.writeAll() } }
    }
  }

  private func writeAll() {
    while let (first, isAlone) = next() { write(first, isAlone: isAlone) }
  }

  /// The job whose turn it is, and whether no other waits; nil for none.
  private func next() -> (job: Job, isAlone: Bool)? {
    waiting.withLock { waiting in
      guard let job = waiting.jobs.next() else {
        waiting.isWriting = false
        return nil
      }
      return (job, waiting.jobs.count == 0)
    }
  }

  /// Writes a job, and others that wait, each in its turn, until the transaction has taken long enough.
  private func write(_ first: Job, isAlone: Bool) {
    var (jobs, told): ([Job], [@Sendable () -> Void]) = ([first], [])
    let start = ContinuousClock.now
    do {
      try pool.write { connection in
        let access = access.access(connection)
        defer { access.cache.forgetRows() }
        // What a savepoint keeps of the pages that it changes may be as large as what a deletion takes along.
        try connection.sortInFiles(true)
        try connection.transaction {
          told.append(try run(first, access, isAlone: isAlone))
          while !isAlone, jobs.count < mostTogether, ContinuousClock.now - start < longest,
            let job = waiting.withLock({ $0.jobs.next() })
          {
            jobs.append(job)
            told.append(try run(job, access, isAlone: false))
          }
        }
      }
    } catch {
      for job in jobs { job.fail(error) }
      return
    }
    for tell in told { tell() }
    shortenLog()
  }

  /// Begins a long log anew, once all have read to their end who read now. Commits do that when nobody reads, which
  /// on a busy server may be never.
  private func shortenLog() {
    try? pool.write { connection in
      let size = connection.logSize
      guard size > max(mostLogSize, access.logSize) else { return }
      let isShort = (try? connection.checkpoint(.truncate)) != nil
      // Somebody reads for too long to be waited for again soon.
      access.logSize = isShort ? 0 : 2 * size
    }
  }

  private func run(_ job: Job, _ access: SQLiteAccess, isAlone: Bool) throws -> @Sendable () -> Void {
    if isAlone { return try job.run(access) }
    do {
      return try access.connection.savepoint { try job.run(access) }
    } catch {
      access.cache.forgetRows()
      // A full disk may have ended the transaction. All are told so, and not what one push
      // was refused for: they come again.
      guard access.connection.isInTransaction else {
        throw error as? DatabaseError
          ?? DatabaseError(code: DatabaseError.abortRollback, message: "what a push did could not be taken back alone")
      }
      return { job.fail(error) }
    }
  }
}

/// A connection in a transaction, and what was read in it.
struct SQLiteAccess {
  let connection: Connection
  let cache: ZoneCache
}

/// What the writer's thread keeps between transactions.
private final class AccessBox: @unchecked Sendable {
  // SAFETY: it is private to `WriteQueue`, whose `write(_: [Job])` alone uses it, and runs on a serial queue.
  private let cache = ZoneCache()
  /// The log's size below which it is let be; 0 but after an attempt that failed.
  var logSize = 0

  func access(_ connection: Connection) -> SQLiteAccess { SQLiteAccess(connection: connection, cache: cache) }
}
