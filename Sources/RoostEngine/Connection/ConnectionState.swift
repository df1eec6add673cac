internal import SQLiteLibrary

/// What a connection and its statements share: the C handle, and what is going on.
final class ConnectionState {
  /// The C connection; `nil` once closed.
  private(set) var database: OpaquePointer?
  let options: ConnectionOptions
  let interruptHandle: InterruptHandle

  /// Whether statements are told to the options' `trace`.
  var isTraced = true
  // SAFETY: a connection has one user at a time, and nothing that reads or writes these calls out meanwhile. What each
  // statement counts is not to be checked each time.
  /// Counts the statements that began to run.
  @exclusivity(unchecked) var statementsRun = 0
  /// How many statements have begun and are neither at their end nor reset.
  @exclusivity(unchecked) var runningStatements = 0
  /// Whether `begin` succeeded and neither `commit` nor `rollback` followed.
  var expectsTransaction = false
  /// A function that could not be registered; thrown by the next statement prepared.
  var registrationFailure: DatabaseError?
  /// The write-ahead log's path; nil without one.
  var logPath: String?
  /// The file that was there when this connection first wrote.
  var log: FileIdentity?
  let notedKey = NotedKey()
  /// What hears of the rows that change.
  @exclusivity(unchecked) var changeLog: RowChangeLog?
  /// Whether triggers run that are not of temporary tables.
  var runsTriggers = true
  /// Whether a wait for locks ends when the task is cancelled.
  @exclusivity(unchecked) var heedsCancellation = true
  /// How the current statement waits for locks.
  @exclusivity(unchecked) var wait = LockWait()

  /// Opens the file; no pragma has run and nothing has been read yet.
  init(_ options: ConnectionOptions) throws(DatabaseError) {
    Library.configure()
    try options.checkKey()
    let address = try options.address()
    var flags = SQLITE_OPEN_NOMUTEX
    switch options.mode {
    case .readWriteCreate: flags |= SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
    case .readWrite: flags |= SQLITE_OPEN_READWRITE
    case .readOnly: flags |= SQLITE_OPEN_READONLY
    }
    if !options.isFile || options.isImmutable { flags |= SQLITE_OPEN_URI }

    var opened: OpaquePointer?
    let code = sqlite3_open_v2(address, &opened, flags, options.isFile ? options.fileSystem : nil)
    guard code == SQLITE_OK, let opened else {
      // Even a failed opening leaves a handle, which has the message and must be closed.
      defer { sqlite3_close(opened) }
      throw options.openingFailure(code, opened)
    }
    sqlite3_extended_result_codes(opened, 1)
    roost_sqlite3_disable_double_quoted_strings(opened)
    self.options = options
    database = opened
    interruptHandle = InterruptHandle(opened)
    installBusyHandler(on: opened)
    do {
      try unlock()
    } catch {
      close()
      throw error
    }
    installTrace(on: opened)
  }

  deinit {
    close()
  }

  /// Closes the C connection. Its statements must be finalized, or it stays half-open until they are.
  func close() {
    guard let database else { return }
    interruptHandle.invalidate()
    self.database = nil
    sqlite3_close_v2(database)
  }

  /// The C connection, or an error if it is closed.
  func open(for sql: String? = nil) throws(DatabaseError) -> OpaquePointer {
    guard let database else { throw Self.closedError(sql) }
    return database
  }

  /// What using a closed connection throws.
  static func closedError(_ sql: String? = nil) -> DatabaseError {
    DatabaseError(code: DatabaseError.misuse, message: "the connection is closed", sql: sql)
  }

  /// Notes that a statement begins to run.
  func statementWillRun(_ sql: String) throws(DatabaseError) {
    guard let database else { throw Self.closedError(sql) }
    // SQLite rolls back by itself after some errors; what follows must not be committed a statement at a time.
    if expectsTransaction, sqlite3_get_autocommit(database) != 0 {
      throw DatabaseError(
        code: DatabaseError.abortRollback,
        message: "the transaction was rolled back after an earlier error", sql: sql)
    }
    statementsRun &+= 1
    if let changeLog, changeLog.isLogging { changeLog.markStatement(database) }
    wait.begin(interruptGeneration: interruptHandle.generation)
  }

  /// The error for a result code that the latest call on this connection returned.
  func error(_ code: Int32, sql: String? = nil, arguments: [DatabaseValue]? = nil) -> DatabaseError {
    if code & 0xff == SQLITE_BUSY, wait.wasCancelled {
      return DatabaseError(
        code: DatabaseError.interrupt, message: "waiting for another connection's lock was cancelled",
        sql: sql, arguments: arguments)
    }
    let text = database.flatMap { sqlite3_errcode($0) & 0xff == code & 0xff ? sqlite3_errmsg($0) : nil }
    let message = (text ?? sqlite3_errstr(code)).map { String(cString: $0) } ?? "unknown error"
    if isUnreadablePage(code, message) {
      return DatabaseError(
        code: DatabaseError.corrupt, message: "a page was changed or cut off: its checksum is not that of its bytes",
        sql: sql, arguments: arguments)
    }
    return DatabaseError(code: code, message: message, sql: sql, arguments: arguments)
  }
}
