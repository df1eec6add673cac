internal import SQLiteLibrary

extension Connection {
  /// Whether a transaction is open.
  package var isInTransaction: Bool { state.database.map { sqlite3_get_autocommit($0) == 0 } ?? false }

  /// Whether a transaction is open that has written, or was begun to write.
  package var isWriting: Bool {
    state.database.map { sqlite3_txn_state($0, "main") == SQLITE_TXN_WRITE } ?? false
  }

  /// Begins a transaction.
  package func begin(_ kind: TransactionKind = .immediate) throws(DatabaseError) {
    switch kind {
    case .deferred: try statement("BEGIN DEFERRED").run()
    case .immediate:
      try framing().begin.run()
      isUnchanged = ownVersion != nil && ownVersion == seenVersion
    }
    state.expectsTransaction = true
  }

  private func framing() throws(DatabaseError) -> (begin: Statement, commit: Statement) {
    if let frame { return frame }
    let made = (begin: try statement("BEGIN IMMEDIATE"), commit: try statement("COMMIT"))
    frame = made
    return made
  }

  /// Commits. If that fails because of a lock or a constraint, the transaction stays open.
  package func commit() throws(DatabaseError) {
    try framing().commit.run()
    state.expectsTransaction = false
    isUnchanged = false
  }

  /// Rolls back; does nothing if there is no transaction, for SQLite may have rolled back by itself.
  package func rollback() {
    state.expectsTransaction = false
    isUnchanged = false
    guard isInTransaction else { return }
    try? statement("ROLLBACK").run()
    guard isInTransaction else { return }
    // An interrupt counts until no statement runs any more.
    resetStatements()
    try? statement("ROLLBACK").run()
  }

  /// Runs `body` in a transaction, and rolls back if it, or the commit, throws.
  package func transaction<T>(_ kind: TransactionKind = .immediate, _ body: () throws -> T) throws -> T {
    if nestsTransactions, isInTransaction { return try savepoint(body) }
    try begin(kind)
    do {
      if kind == .immediate, !isUnchanged { try tableCheck?(self) }
      let result = try body()
      if kind == .immediate { try checkPlace() }
      try commit()
      return result
    } catch {
      rollback()
      throw error
    }
  }

  /// Runs `body` so that, if it throws, what it wrote is undone, within the transaction if there is one.
  package func savepoint<T>(_ body: () throws -> T) throws -> T {
    // SQLite keeps savepoints of one name on a stack, so that nested ones need no names of their own.
    try statement("SAVEPOINT roost").run()
    let position = state.changeLog?.position
    do {
      let result = try body()
      try statement("RELEASE roost").run()
      return result
    } catch {
      // SQLite may have rolled back everything by itself.
      if isInTransaction { undoSavepoint() }
      if let position { state.changeLog?.remove(after: position) }
      throw error
    }
  }

  private func undoSavepoint() {
    do {
      try statement("ROLLBACK TO roost").run()
      try statement("RELEASE roost").run()
    } catch {
      // Half of the work must not stay: end the transaction, which makes the statements that follow throw.
      let wasExpected = state.expectsTransaction
      rollback()
      state.expectsTransaction = wasExpected
    }
  }
}
