internal import SQLiteLibrary

/// Source: [SQLite, compile-time authorization](https://www.sqlite.org/c3ref/set_authorizer.html).
extension Connection {
  /// What a statement would do.
  ///
  /// It is compiled and not run. Afterwards SQLite compiles each of this connection's other statements anew before it
  /// runs: ask once for the same SQL.
  package func inspect(_ sql: String) throws(DatabaseError) -> StatementFacts {
    let database = try state.open(for: sql)
    try noticeSchemaChanges()
    let list = AccessList()
    // SAFETY: `list` outlives the authorizer, which is taken away before this returns.
    sqlite3_set_authorizer(
      database,
      { context, action, first, second, _, trigger in
        guard let context else { return SQLITE_OK }
        Unmanaged<AccessList>.fromOpaque(context).takeUnretainedValue().add(action, first, second, trigger)
        return SQLITE_OK
      }, Unmanaged.passUnretained(list).toOpaque())
    defer { withExtendedLifetime(list) { _ = sqlite3_set_authorizer(database, nil, nil) } }
    let statement = try prepare(sql, isPersistent: false)
    defer { statement.finalize() }
    return StatementFacts(
      accesses: list.accesses, isReadOnly: statement.isReadOnly,
      columns: (0..<statement.columnCount).map { statement.columnName($0) })
  }
}

extension Connection {
  /// A statement that is compiled now, and for the schema as it is now.
  ///
  /// A statement that reads rows looks whether another connection has changed the schema, and is then compiled anew;
  /// `EXPLAIN` does not.
  package func freshStatement(_ sql: String) throws(DatabaseError) -> Statement {
    try noticeSchemaChanges()
    return try prepare(sql, isPersistent: false)
  }

  private func noticeSchemaChanges() throws(DatabaseError) {
    try statement("SELECT 1 FROM sqlite_schema LIMIT 1").run()
  }
}

/// What SQLite has asked permission for.
private final class AccessList {
  var accesses: Set<StatementFacts.Access> = []

  func add(
    _ action: Int32, _ first: UnsafePointer<CChar>?, _ second: UnsafePointer<CChar>?, _ trigger: UnsafePointer<CChar>?
  ) {
    let name = first.map { String(cString: $0) } ?? ""
    switch action {
    case SQLITE_READ: accesses.insert(.reads(table: name))
    case SQLITE_INSERT, SQLITE_UPDATE, SQLITE_DELETE:
      accesses.insert(.writes(table: name, trigger: trigger.map { String(cString: $0) }))
    case SQLITE_DROP_TABLE: accesses.insert(.redefines(table: name))
    // Here the first one is the database.
    case SQLITE_ALTER_TABLE: accesses.insert(.redefines(table: second.map { String(cString: $0) } ?? ""))
    case SQLITE_CREATE_TEMP_INDEX...SQLITE_CREATE_TEMP_VIEW, SQLITE_DROP_TEMP_INDEX...SQLITE_DROP_TEMP_VIEW:
      accesses.insert(.changesTemporarySchema)
    case SQLITE_CREATE_INDEX...SQLITE_CREATE_VIEW, SQLITE_DROP_INDEX...SQLITE_DROP_VIEW, SQLITE_CREATE_VTABLE,
      SQLITE_DROP_VTABLE, SQLITE_REINDEX, SQLITE_ANALYZE:
      accesses.insert(.changesSchema)
    case SQLITE_TRANSACTION, SQLITE_SAVEPOINT: accesses.insert(.controlsTransaction)
    case SQLITE_ATTACH, SQLITE_DETACH: accesses.insert(.changesDatabases)
    case SQLITE_PRAGMA: accesses.insert(.pragma(name: name, argument: second.map { String(cString: $0) }))
    default: break
    }
  }
}
