internal import SQLiteLibrary

extension Connection {
  /// A number that is another one once the connection has seen a commit, its own or another's; nil when it is closed.
  ///
  /// It is that of the connection's last statement and costs no statement. Source:
  /// [SQLite, SQLITE_FCNTL_DATA_VERSION](https://www.sqlite.org/c3ref/c_fcntl_begin_atomic_write.html).
  package var seenVersion: UInt32? {
    guard let database = state.database else { return nil }
    var version: UInt32 = 0
    let code = sqlite3_file_control(database, "main", SQLITE_FCNTL_DATA_VERSION, &version)
    return code == SQLITE_OK ? version : nil
  }

  /// Notes that the last transaction for writing left all tables as they were defined.
  package func noteOwnCommit() { ownVersion = isInTransaction ? nil : seenVersion }

  /// Runs a statement of the store's own upkeep, which the trace has no place for.
  package func untraced<Result>(_ body: () throws -> Result) rethrows -> Result {
    state.isTraced = false
    defer { state.isTraced = true }
    return try body()
  }
}
