public import RoostCore
import RoostEngine
import RoostSQL

/// The store's database within one transaction; see ``ModelContainer/withDatabase(_:_:)``.
///
/// It sees what is saved, not what is pending in a context, and is of no use after the call that gave it.
public final class SQLDatabase {
  /// What may be done with the database.
  public enum Access: Hashable, Sendable {
    /// Statements that change nothing, all on the store as it was at the first of them.
    case readOnly
    /// All statements, while no other writes: saves wait.
    case readWrite
  }

  private let store: Store
  private let access: Access
  /// nil once the transaction has ended.
  private var connection: Connection?
  /// The tables that were changed.
  private(set) var written: Set<String> = []

  init(_ store: Store, _ connection: Connection, _ access: Access) {
    self.store = store
    self.connection = connection
    self.access = access
  }

  func end() { connection = nil }

  /// Runs a statement that changes rows, or the schema.
  ///
  /// - Returns: the number of rows inserted, updated or deleted, those that triggers and delete rules change apart.
  /// - Throws: ``SwiftDataError/invalidSQL``; ``SwiftDataError/modelValidationFailure`` when a constraint does not
  ///   hold; or what else the database reports.
  @discardableResult
  public func execute(sql: SQL) throws -> Int {
    try run(sql) { statement, facts, connection in
      try statement.run()
      // Of a change of the schema SQLite would tell the number of the statement before.
      return facts.writtenTables.isSubset(of: ["sqlite_master"]) ? 0 : connection.changes
    }
  }

  /// The rows of a query, or those that a change `RETURNING` them has written.
  ///
  /// - Throws: as ``execute(sql:)``.
  public func rows(sql: SQL) throws -> [SQLRow] {
    try run(sql) { statement, _, _ in try SQLRow.all(statement) }
  }

  /// The rows as values; see ``SQLRow/decode(_:)``.
  ///
  /// - Throws: as ``rows(sql:)``, ``SwiftDataError/corruptValue`` when a column holds no such value, or what the type's
  ///   own `init(from:)` throws.
  public func rows<Value: Decodable>(sql: SQL, as type: Value.Type) throws -> [Value] {
    try rows(sql: sql).map { try $0.decode(type) }
  }

  private func run<Result>(
    _ sql: SQL, _ body: (Statement, StatementFacts, Connection) throws -> Result
  ) throws -> Result {
    guard let connection else {
      throw SwiftDataError(
        .invalidSQL, "The transaction of this database has ended.",
        remedy: "Use it within the call of withDatabase that gave it.")
    }
    let text = try sql.text(in: store, seesPending: false)
    return try SwiftDataError.translating(SwiftDataError.runningSQL) {
      let facts = try store.facts(text, connection)
      try facts.check(text.sql, store.schema, mayWrite: access == .readWrite)
      let statement = try store.statement(text, connection)
      defer { statement.reset() }
      let result = try body(statement, facts, connection)
      written.formUnion(facts.writtenTables)
      if facts.writtenTables.contains("sqlite_master") { try store.schemaChanged(connection) }
      return result
    }
  }
}

// SAFETY: unavailable, so that nothing is ever sent: it is there to make the compiler say why.
@available(*, unavailable, message: "a database belongs to the thread that the call which gave it runs on")
extension SQLDatabase: @unchecked Sendable {}

extension ModelContainer {
  /// Gives `body` the database itself, for several statements of SQL in one transaction.
  ///
  /// ```swift
  /// try container.withDatabase { database in
  ///   try database.execute(sql: "UPDATE \(Note.self) SET stars = stars + 1")
  ///   try database.execute(sql: "CREATE INDEX IF NOT EXISTS notes_by_day ON \(Note.self) (date(edited))")
  /// }
  /// ```
  /// Contexts see what was written as they see another context's save. Within `body`, a context of this container can
  /// be read from while the database is only read, and not at all while it is written.
  /// - Parameters:
  ///   - access: whether `body` may write.
  ///   - body: what to do; if it throws, nothing is written.
  /// - Returns: what `body` returns.
  /// - Throws: what `body` throws, ``SwiftDataError/readOnlyStore``, or what the database reports.
  public func withDatabase<Result>(
    _ access: SQLDatabase.Access = .readWrite, _ body: (SQLDatabase) throws -> Result
  ) throws -> Result {
    try store.withDatabase(access, body).result
  }
}
