import RoostEngine
import Synchronization

/// Notices that another program, or another container of this one, wrote to the file.
///
/// `PRAGMA data_version` of a connection changes with the commits of all others. Ours are all made by the pool's one
/// writer, so for the writer it changes with those of other connections alone. Source:
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
    self.interval = min(interval, Self.longestInterval)
    last = Mutex(Self.version(pool))
  }

  /// Looks until the task is cancelled, and calls `body` after writes.
  func poll(_ body: @escaping @Sendable () -> Void) -> Task<Void, Never>? {
    guard interval > .zero else { return nil }
    return Task.detached(priority: .utility) { [weak self, interval] in
      var wait = interval
      while !Task.isCancelled {
        try? await Task.sleep(for: wait)
        guard !Task.isCancelled, let self, !pool.isClosed else { return }
        // While somebody saves here, others' writes must not wait for a whole interval more.
        let isNew = look()
        wait = isNew == nil ? min(interval, Self.retryInterval) : interval
        if isNew ?? false { body() }
      }
    }
  }

  private static var retryInterval: Duration { .milliseconds(10) }

  /// To sleep until a time that no clock can tell ends the program.
  private static var longestInterval: Duration { .seconds(86_400) }

  /// Whether anything was written since the last look; nil while that cannot be told.
  private func look(isTraced: Bool = true) -> Bool? {
    guard let version = Self.version(pool, isTraced: isTraced) else { return nil }
    return last.withLock { last in
      defer { last = version }
      return last != version
    }
  }

  /// Whether others have written, and nobody knows yet.
  var areNew: Bool { look(isTraced: false) ?? false }

  /// Whether others have written what a connection has just seen, and nobody knows yet.
  ///
  /// It is asked after each fetch, so that the writer is only asked when the reader has seen some commit.
  func areSeen(by connection: Connection) -> Bool {
    guard let version = connection.seenVersion, version != connection.knownVersion else { return false }
    // While somebody saves, the next fetch asks again.
    guard let isNew = look(isTraced: false) else { return false }
    connection.knownVersion = version
    return isNew
  }

  /// nil while the writer is in use: its user's save is no reason to wait, and the next look comes soon.
  private static func version(_ pool: Pool, isTraced: Bool = true) -> Version? {
    func version(_ connection: Connection) throws -> Version {
      Version(connection: ObjectIdentifier(connection), number: try connection.dataVersion())
    }
    // A failure is that of the disk or of a lock; whoever reads next reports it.
    return try? pool.writeIfIdle { connection in
      isTraced ? try version(connection) : try connection.untraced { try version(connection) }
    }
  }
}
