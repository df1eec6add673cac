internal import SQLiteLibrary

extension Connection {
  /// Copies the whole database as it is now over another, and reports pages after each step; throwing gives up.
  ///
  /// Nobody's writes disturb the copy, because it reads within one transaction. If it is given up, or fails, the
  /// destination is as it was.
  package func backup(
    to destination: Connection, pagesPerStep: Int = 1024,
    progress: (_ remaining: Int, _ total: Int) throws -> Void = { _, _ in }
  ) throws {
    guard let target = destination.state.database else { throw ConnectionState.closedError() }
    try refuseLogInMemory(destination)
    try holdingSnapshot {
      let source = try state.open()
      state.wait.begin(interruptGeneration: interruptHandle.generation)
      destination.state.wait.begin(interruptGeneration: destination.interruptHandle.generation)
      guard let backup = sqlite3_backup_init(target, "main", source, "main") else {
        throw destination.state.error(sqlite3_extended_errcode(target))
      }
      var code = SQLITE_OK
      do {
        code = try copy(backup, pagesPerStep: pagesPerStep, progress: progress)
      } catch {
        sqlite3_backup_finish(backup)
        throw error
      }
      let finished = sqlite3_backup_finish(backup)
      guard code == SQLITE_DONE, finished == SQLITE_OK else {
        throw destination.state.error(finished == SQLITE_OK ? code : finished)
      }
    }
  }

  /// The copy's header says that there is a write-ahead log; a database in memory, which has none, could not be read.
  private func refuseLogInMemory(_ destination: Connection) throws(DatabaseError) {
    guard !destination.options.isFile else { return }
    let journal = try statement("PRAGMA journal_mode")
    defer { journal.reset() }
    guard try journal.step(), journal.string(0) == "wal" else { return }
    throw DatabaseError(
      code: DatabaseError.misuse, message: "a database with a write-ahead log cannot be copied into memory")
  }

  private func copy(
    _ backup: OpaquePointer, pagesPerStep: Int, progress: (_ remaining: Int, _ total: Int) throws -> Void
  ) throws -> Int32 {
    let pages = pagesPerStep > 0 ? Int32(clamping: pagesPerStep) : -1
    var attempt: Int32 = 0
    while true {
      let code = sqlite3_backup_step(backup, pages)
      switch code & 0xff {
      case SQLITE_OK, SQLITE_DONE:
        try progress(Int(sqlite3_backup_remaining(backup)), Int(sqlite3_backup_pagecount(backup)))
        if code == SQLITE_DONE { return code }
        attempt = 0
        // An interrupt stops no step, for it is not a statement.
        state.wait.begin(interruptGeneration: interruptHandle.generation)
      case SQLITE_BUSY, SQLITE_LOCKED:
        guard state.pause(attempt: attempt) else { throw state.error(code) }
        attempt += 1
      default:
        return code
      }
    }
  }

  /// Keeps one view of the database while `body` runs: a copy starts again whenever somebody writes in between.
  private func holdingSnapshot<T>(_ body: () throws -> T) throws -> T {
    guard !isInTransaction else { return try body() }
    return try transaction(.deferred) {
      try statement("SELECT 1 FROM sqlite_schema LIMIT 1").run()
      return try body()
    }
  }
}
