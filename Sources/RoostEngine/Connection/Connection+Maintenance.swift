internal import SQLiteLibrary

/// How far a checkpoint goes.
package enum CheckpointMode: Sendable, Hashable {
  /// As far as possible without waiting.
  case passive
  /// Waits for writers, and moves the whole log into the database.
  case full
  /// As `full`, and waits for readers, so that the next writer starts the log anew.
  case restart
  /// As `restart`, and makes the log's file empty.
  case truncate
}

extension Connection {
  /// A number that changes when another connection, of any process, has committed.
  package func dataVersion() throws(DatabaseError) -> Int64 {
    let statement = try statement("PRAGMA data_version")
    defer { statement.reset() }
    return try statement.step() ? statement.int64(0) : 0
  }

  /// The size of the write-ahead log's file, in bytes; 0 where there is none.
  ///
  /// Source: [SQLite, SQLITE_FCNTL_JOURNAL_POINTER](https://www.sqlite.org/c3ref/c_fcntl_begin_atomic_write.html).
  package var logSize: Int {
    var file: UnsafeMutablePointer<sqlite3_file>?
    // SAFETY: SQLite's own, open as long as the connection is, which has one user at a time.
    guard let database = state.database,
      sqlite3_file_control(database, "main", SQLITE_FCNTL_JOURNAL_POINTER, &file) == SQLITE_OK, let file,
      let methods = file.pointee.pMethods
    else { return 0 }
    var size: sqlite3_int64 = 0
    return methods.pointee.xFileSize(file, &size) == SQLITE_OK ? Int(clamping: size) : 0
  }

  /// Moves the write-ahead log's content into the database.
  package func checkpoint(_ mode: CheckpointMode) throws(DatabaseError) {
    let database = try state.open()
    state.wait.begin(interruptGeneration: interruptHandle.generation)
    let flag =
      switch mode {
      case .passive: SQLITE_CHECKPOINT_PASSIVE
      case .full: SQLITE_CHECKPOINT_FULL
      case .restart: SQLITE_CHECKPOINT_RESTART
      case .truncate: SQLITE_CHECKPOINT_TRUNCATE
      }
    let code = sqlite3_wal_checkpoint_v2(database, nil, flag, nil, nil)
    guard code == SQLITE_OK else { throw state.error(code) }
  }

  /// What is wrong with the file, one finding each; empty if it is sound.
  ///
  /// A quick check reads all pages and rows as well, but does not look each row up in its indexes.
  package func integrityCheck(isQuick: Bool = false) throws(DatabaseError) -> [String] {
    let statement = try statement(isQuick ? "PRAGMA quick_check" : "PRAGMA integrity_check")
    defer { statement.reset() }
    var findings: [String] = []
    do throws(DatabaseError) {
      while try statement.step() {
        findings.append(statement.string(0))
      }
    } catch {
      // Some damage keeps the check itself from going on, which is a finding as well.
      guard error.primaryCode == DatabaseError.corrupt else { throw error }
      findings.append(error.message)
    }
    return findings == ["ok"] ? [] : findings
  }

  /// How many references refer to rows that are not there.
  package func brokenReferences() throws(DatabaseError) -> Int64 {
    try number("SELECT count(*) FROM pragma_foreign_key_check")
  }

  /// The bytes of the database, of which some may still be in the write-ahead log.
  package func size() throws(DatabaseError) -> Int64 {
    try number("SELECT page_count * page_size FROM pragma_page_count, pragma_page_size")
  }

  /// The bytes of a page.
  package func pageSize() throws(DatabaseError) -> Int64 { try number("PRAGMA page_size") }

  /// Has all of the database in its one file, which then opens wherever it may be read: no write-ahead log any more.
  ///
  /// - Throws: `DatabaseError.busy` when others have it open.
  package func endWriteAheadLog() throws(DatabaseError) {
    try execute("PRAGMA journal_mode=DELETE")
  }

  private func number(_ sql: String) throws(DatabaseError) -> Int64 {
    let statement = try statement(sql)
    defer { statement.reset() }
    return try statement.step() ? statement.int64(0) : 0
  }
}
