internal import SQLiteLibrary

extension Connection {
  /// A statement for one piece of SQL, reset and unbound: a cached one if nobody holds it, otherwise a new one.
  ///
  /// It is yours as long as you keep a reference. Let it run to its end or `reset()` it: a statement left in the middle
  /// of its rows keeps the connection's view of the database, and other connections' view of its locks.
  package func statement(_ sql: String) throws(DatabaseError) -> Statement {
    if let statement = statements.take(sql) { return statement }
    let statement = try prepare(sql)
    statements.add(statement)
    return statement
  }

  /// Runs one or several statements to their end, without arguments.
  package func execute(_ sql: String) throws(DatabaseError) {
    let script = try Script(sql, state)
    while let handle = try script.next() {
      defer { sqlite3_finalize(handle) }
      try state.statementWillRun(sql)
      var code = sqlite3_step(handle)
      while code == SQLITE_ROW { code = sqlite3_step(handle) }
      guard code == SQLITE_DONE else {
        let error = state.error(code, sql: sql)
        state.takeBack(handle)
        throw error
      }
    }
  }

  /// Resets every statement that was left in the middle of its rows.
  package func resetStatements() {
    guard state.runningStatements > 0 else { return }
    statements.visit { $0.reset() }
  }

  func prepare(_ sql: String, isPersistent: Bool = true) throws(DatabaseError) -> Statement {
    let script = try Script(sql, state, isPersistent: isPersistent)
    guard let handle = try script.next() else {
      throw DatabaseError(code: DatabaseError.misuse, message: "there is no statement in the SQL", sql: sql)
    }
    do throws(DatabaseError) {
      guard let extra = try script.next() else { return Statement(handle, sql, state) }
      sqlite3_finalize(extra)
      throw DatabaseError(
        code: DatabaseError.misuse, message: "there is more than one statement in the SQL", sql: sql)
    } catch {
      sqlite3_finalize(handle)
      throw error
    }
  }
}
