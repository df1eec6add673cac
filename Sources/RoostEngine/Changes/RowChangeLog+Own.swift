internal import SQLiteLibrary

// Statements that tell of their row themselves.
//
// For each row that SQLite tells of it copies the row as it was, makes its record anew, and frees both. Who runs a
// statement that changes one row, and nothing else, knows more than that: the key, and by a function in the
// statement's `WHERE` what the row was.
extension Connection {
  /// The SQL function that tells of an update, and is always true. Add it with ``addUpdateNote()``.
  ///
  /// Its arguments are the row's key, and for each column that ``RowChangeLog/updated`` has what the
  /// row has, and what it is to have.
  package static var updateNote: StaticString { "roost_note_update" }

  /// Adds the function, unless it was added before.
  package func addUpdateNote() {
    guard let database = state.database, let log = state.changeLog, !log.hasUpdateNote else { return }
    log.hasUpdateNote = true
    // SAFETY: the connection's state keeps the log, and SQLite calls the function for
    // statements of the connection alone.
    let user = Unmanaged.passUnretained(log).toOpaque()
    let code = sqlite3_create_function_v2(
      database, Self.updateNote.description, -1, SQLITE_UTF8 | SQLITE_DIRECTONLY, user,
      { context, count, values in
        if let user = sqlite3_user_data(context), let values, count > 0 {
          // SAFETY: it is the log of above, which lives as long as the connection that calls.
          Unmanaged<RowChangeLog>.fromOpaque(user).takeUnretainedValue().willUpdate(Int(count), values)
        }
        sqlite3_result_int(context, 1)
      }, nil, nil, nil)
    noteRegistration(code, "function", Self.updateNote.description)
  }

  /// Runs a statement of whose rows SQLite does not tell: it tells of them itself, or whoever runs it does.
  package func runUntold(_ statement: Statement) throws(DatabaseError) {
    guard let database = state.database, let log = state.changeLog else { return try statement.run() }
    _ = roost_sqlite3_preupdate_hook(database, nil, nil)
    defer { listen(database, to: log) }
    try statement.run()
  }
}

extension RowChangeLog {
  /// Adds a row that was inserted by a statement of which SQLite did not tell.
  package func didInsert(_ key: Int64, into table: Int) {
    append(
      Entry(
        table: Int32(table), rowClass: 0, kind: .inserted, hasValues: false, key: key, count: 1, columns: 0,
        start: bytes.count))
  }

  /// Adds a row that was deleted by one. No values are kept.
  package func didDelete(_ key: Int64, from table: Int) {
    append(
      Entry(
        table: Int32(table), rowClass: 0, kind: .deleted, hasValues: false, key: key, count: 1, columns: 0,
        start: bytes.count))
  }

  /// What the function of an update was given. The row is of ``updatedTable``.
  fileprivate func willUpdate(_ count: Int, _ values: UnsafeMutablePointer<OpaquePointer?>) {
    guard isLogging, tables.indices.contains(updatedTable) else { return }
    let start = bytes.count
    // The columns that are looked at are asked for in order, each once.
    var next = 1
    func value(_ offset: Int) -> OpaquePointer? { next + offset < count ? values[next + offset] : nil }
    // Of columns that have no bit in `updated` the function was given nothing.
    let differing = keepDiffering(updatedTable, upTo: 64) { _ in
      value(0)
    } new: { _ in
      defer { next += 2 }
      return value(1)
    }
    if differing.isEmpty { return }
    append(
      updatedTable, 0, .updated, sqlite3_value_int64(values[0]), differing, start, hasValues: start < largestSize)
  }
}
