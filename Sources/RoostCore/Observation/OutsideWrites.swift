import RoostEngine
import Synchronization

/// Notices that another program, or another container of this one, wrote to the file.
///
/// `PRAGMA data_version` of a connection changes with the commits of all others. Ours are all made by the pool's one
/// writer, so for the writer it changes with those of strangers alone. Source:
/// [SQLite, data_version](https://www.sqlite.org/pragma.html#pragma_data_version).
final class OutsideWrites: Sendable {
  private struct Version: Equatable {
    let connection: ObjectIdentifier
    let number: Int64
  }

  private let pool: Pool
  private let interval: Duration
  private let last: Mutex<Version?>

  /// What was written until now counts as known.
  init(_ pool: Pool, every interval: Duration) {
    self.pool = pool
    self.interval = interval
    last = Mutex(Self.version(pool))
  }

  /// Looks until the task is cancelled, and calls `body` after writes.
  func poll(_ body: @escaping @Sendable () -> Void) -> Task<Void, Never>? {
    guard interval > .zero else { return nil }
    return Task.detached(priority: .utility) { [weak self, interval] in
      while !Task.isCancelled {
        try? await Task.sleep(for: interval)
        guard !Task.isCancelled, let self else { return }
        if look() { body() }
      }
    }
  }

  /// Whether anything was written since the last look.
  private func look() -> Bool {
    guard let version = Self.version(pool) else { return false }
    return last.withLock { last in
      defer { last = version }
      return last != version
    }
  }

  /// nil while the writer is in use: its user's save is no reason to wait, and the next look comes soon.
  private static func version(_ pool: Pool) -> Version? {
    // A failure is that of the disk or of a lock; whoever reads next reports it.
    try? pool.writeIfIdle { connection in
      let statement = try connection.statement("PRAGMA data_version")
      defer { statement.reset() }
      return try statement.step() ? Version(connection: ObjectIdentifier(connection), number: statement.int64(0)) : nil
    } ?? nil
  }
}
