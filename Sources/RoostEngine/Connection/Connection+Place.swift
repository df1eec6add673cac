internal import SQLiteLibrary

// SQLite goes on writing to a file that was deleted, renamed or replaced while it is open: what is committed then
// is in a file that nobody finds.
extension Connection {
  /// The file as SQLite knows it, without links and relative parts; nil for a database in memory.
  var filePath: String? {
    guard state.options.isFile, let database = state.database, let name = sqlite3_db_filename(database, "main")
    else { return nil }
    return String(cString: name)
  }

  /// Sees that whoever opens the file next finds what is committed now. For use within a transaction for writing.
  ///
  /// Two questions to the system, of some microseconds in all.
  func checkPlace() throws(DatabaseError) {
    let database = try state.open()
    var hasMoved: Int32 = 0
    // Databases in memory do not answer, nor does Windows, where an open file stays where it is.
    if sqlite3_file_control(database, "main", SQLITE_FCNTL_HAS_MOVED, &hasMoved) == SQLITE_OK, hasMoved != 0 {
      throw .fileMoved(filePath ?? "")
    }
    guard let log = state.logPath else { return }
    let identity = FileIdentity(path: log)
    if state.log == nil { state.log = identity }
    if identity == nil || identity != state.log { throw .fileMoved(log) }
  }

  /// Notes where the write-ahead log is.
  func noteLog() {
    guard let path = filePath, FileIdentity(path: path) != nil else { return }
    state.logPath = path + "-wal"
  }
}

extension DatabaseError {
  /// What a transaction throws whose changes nobody would find.
  static func fileMoved(_ path: String) -> DatabaseError {
    DatabaseError(
      code: readOnlyMoved, message: "the file was moved, deleted or replaced while it was open: \(path)")
  }
}
