internal import SQLiteLibrary

extension Connection {
  /// Whether a reference is to be to a row that is not there, by what the transaction has done so
  /// far: it cannot be committed so.
  ///
  /// Source: [SQLite, SQLITE_DBSTATUS_DEFERRED_FKS](https://www.sqlite.org/c3ref/c_dbstatus_options.html).
  package var hasDanglingReferences: Bool {
    var (current, highest): (Int32, Int32) = (0, 0)
    guard let database = state.database else { return false }
    sqlite3_db_status(database, SQLITE_DBSTATUS_DEFERRED_FKS, &current, &highest, 0)
    return current != 0
  }
}
