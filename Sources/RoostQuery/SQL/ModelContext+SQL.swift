import Logging
public import RoostCore
import RoostEngine
import RoostSQL

extension ModelContext {
  /// The models whose rows a query of your own returns, in its order: the same instances as any fetch gives.
  ///
  /// ```swift
  /// let notes = try context.fetch(
  ///   sql: """
  ///     SELECT * FROM \(Note.self) WHERE \(\Note.title) LIKE \(prefix + "%")
  ///     ORDER BY length(\(\Note.title)) LIMIT 10
  ///     """, as: Note.self)
  /// ```
  /// Columns are matched by their names. The key, `_pk`, must be among them, and `_type` where classes inherit; what
  /// else is missing is read when it is asked for. This context's pending changes count in all tables that the query
  /// reads, unless it says `main.` before a table's name.
  /// - Throws: ``SwiftDataError/invalidSQL`` with the SQL and SQLite's message, ``SwiftDataError/corruptValue``, or
  ///   what else the database reports.
  public func fetch<T: PersistentModel>(sql: SQL, as type: T.Type = T.self) throws -> [T] {
    guard let entity = store.schema.entity(for: type) else { throw SwiftDataError.modelNotInSchema(type) }
    if core.parent != nil {
      return try fetchThroughParent(
        try read(sql) { statement in
          let columns = try ForeignColumns(statement, entity)
          return Array(try rowKeys(entity, statement, keyColumn: columns.key, typeColumn: columns.type))
        })
    }
    return try read(sql) { statement in
      var rows = try _ModelRows(core, entity, foreign: statement)
      return try T._$models(&rows)
    }
  }

  /// The rows of a query of your own.
  ///
  /// ```swift
  /// let rows = try context.rows(sql: "SELECT stars, count(*) AS notes FROM \(Note.self) GROUP BY stars")
  /// for row in rows { print(try row["stars", as: Int.self], try row["notes", as: Int.self]) }
  /// ```
  /// This context's pending changes count, as for ``fetch(sql:as:)``.
  /// - Throws: ``SwiftDataError/invalidSQL`` with the SQL and SQLite's message, or what else the database reports.
  public func rows(sql: SQL) throws -> [SQLRow] { try read(sql) { try SQLRow.all($0) } }

  /// The rows of a query of your own as values: scalars of the first column, other types by their coding keys.
  ///
  /// ```swift
  /// struct Count: Decodable { let stars: Int, notes: Int }
  /// let counts = try context.rows(
  ///   sql: "SELECT stars, count(*) AS notes FROM \(Note.self) GROUP BY stars", as: Count.self)
  /// ```
  /// - Throws: as ``rows(sql:)``, ``SwiftDataError/corruptValue`` when a column holds no such value, or what the type's
  ///   own `init(from:)` throws.
  public func rows<Value: Decodable>(sql: SQL, as type: Value.Type) throws -> [Value] {
    try rows(sql: sql).map { try $0.decode(type) }
  }

  /// Runs a statement of your own that writes, at once and in a transaction of its own.
  ///
  /// ```swift
  /// let count = try context.execute(sql: "UPDATE \(Note.self) SET stars = 0 WHERE edited < \(lastYear)")
  /// ```
  /// It changes what is stored. Pending changes stay pending, and a later ``save()`` writes them over what it wrote;
  /// ``rollback()`` does not undo it, and neither does a ``transaction(block:)`` that throws. Afterwards this
  /// context's models have the stored values where they have no changes of their own, and other contexts see the change
  /// as they see another context's save. Delete rules act as the database has them: rows that refer to a deleted one
  /// are deleted, or refer to none. For several statements in one transaction there is
  /// ``ModelContainer/withDatabase(_:_:)``.
  /// - Returns: the number of rows inserted, updated or deleted, those that triggers and delete rules change apart.
  /// - Throws: ``SwiftDataError/invalidSQL``, also in a draft, which writes nothing to the store;
  ///   ``SwiftDataError/readOnlyStore``; ``SwiftDataError/modelValidationFailure`` when a constraint does not hold; or
  ///   what else the database reports. Nothing is written then.
  @discardableResult
  public func execute(sql: SQL) throws -> Int {
    guard parent == nil else {
      throw SwiftDataError(
        .invalidSQL, "A draft writes nothing to the store, and so runs no statement that does: `\(sql)`",
        remedy: "Run it in a context of the container.")
    }
    let (count, _) = try store.withDatabase(.readWrite, by: historyAuthor, mayDelete: try mayDelete(sql)) {
      try $0.execute(sql: sql)
    }
    showWritten()
    return count
  }

  /// Whether a statement may delete rows, also those that it replaces.
  private func mayDelete(_ sql: SQL) throws -> Bool {
    guard store.tellsOfDeletions else { return false }
    let text = try sql.text(in: store, seesPending: false).sql.uppercased()
    return text.contains("DELETE") || text.contains("REPLACE")
  }

  /// The text of SQL with its values in place.
  package func _text(of sql: SQL) throws -> String {
    let text = try sql.text(in: store, seesPending: true)
    return sqlText(text.sql, text.arguments.map(\.literal))
  }

  /// Runs a query on a connection that sees the pending changes, if they concern it.
  private func read<Result>(_ sql: SQL, _ body: (Statement) throws -> Result) throws -> Result {
    noticeOtherSaves()
    let text = try sql.text(in: store, seesPending: true)
    return try SwiftDataError.translating(SwiftDataError.runningSQL) {
      let facts = try store.pool.read { try store.facts(text, $0) }
      try facts.check(text.sql, store.schema, mayWrite: false)
      return try read(text, from: facts.readTables, pending: true) { statement in
        try store.check(text, statement)
        return try body(statement)
      }
    }
  }
}
