internal import SQLiteLibrary

extension Statement {
  /// Goes to the next row; false at the end, where the statement resets itself.
  package func step() throws(DatabaseError) -> Bool {
    if !isRunning { try start() }
    let code = sqlite3_step(handle)
    if code == SQLITE_ROW { return true }
    if code == SQLITE_DONE {
      noteEnd()
      // So that it can be bound again, and gives up its locks, at once.
      sqlite3_reset(handle)
      return false
    }
    throw failure(code)
  }

  /// Runs to the end, without looking at rows.
  package func run() throws(DatabaseError) {
    while try step() {}
  }

  /// Goes back before the first row; what is bound stays bound.
  package func reset() {
    noteEnd()
    sqlite3_reset(handle)
  }

  private func start() throws(DatabaseError) {
    if let failure = bindingFailure {
      bindingFailure = nil
      throw failure
    }
    guard handle != nil else { throw ConnectionState.closedError(sql) }
    try state.statementWillRun(sql)
    isRunning = true
    state.runningStatements &+= 1
  }

  /// Keeps the count of statements that are being run.
  func noteEnd() {
    guard isRunning else { return }
    isRunning = false
    state.runningStatements &-= 1
  }

  private func failure(_ code: Int32) -> DatabaseError {
    // The message is gone after the reset.
    let error = state.error(code, sql: sql, arguments: boundArguments)
    reset()
    state.takeBack(handle)
    return error
  }

  /// The bound values in order, if they were kept.
  var boundArguments: [DatabaseValue]? {
    guard keepsArguments else { return nil }
    guard parameterCount > 0 else { return [] }
    return (1...parameterCount).map { arguments[$0] ?? .null }
  }
}
