import RoostCore
import RoostEngine
import RoostSQL

/// An update of many rows of a table.
struct BulkUpdate {
  let entity: EntityInfo
  let changes: [ColumnChange]
  let condition: SQLExpression?
  /// The entities' tables that the statement reads.
  let tables: Set<String>

  /// Runs the statement. Returns the number of rows changed.
  fileprivate func run(_ connection: Connection) throws -> Int {
    let update = SQLUpdate(entity.table, alias: "t0", set: changes.flatMap(\.assignments), where: condition)
    let text = SQLitePrinter.print(update)
    let statement = try connection.statement(text.sql)
    defer { statement.reset() }
    statement.bind(text.arguments)
    try statement.run()
    return connection.changes
  }

  fileprivate func runUnchecked(_ connection: Connection) throws -> Int {
    try connection.withoutUniqueIndexes(of: [entity.root]) { try run(connection) }
  }

  /// The first row in which a value cannot be computed; nil when it is the database that refuses.
  fileprivate func firstRefusal(_ connection: Connection, _ store: Store) throws -> SwiftDataError? {
    for change in changes {
      var select = SQLSelect(
        [.column("t0", primaryKeyColumn), change.value].map { SQLResultColumn($0) },
        from: .table(entity.table, alias: "t0"))
      select.filter = condition
      let text = SQLitePrinter.print(select)
      let statement = try connection.statement(text.sql)
      defer { statement.reset() }
      statement.bind(text.arguments)
      while try statement.step() {
        if change.isValue(statement.sqlValue(1)) { continue }
        let row = PersistentIdentifier(scope: store.scopes[entity.ordinal], key: statement.int64(0))
        return Self.refusal(change.property, of: entity, row: row)
      }
    }
    return nil
  }

  /// The error of a row whose new value cannot be computed.
  static func refusal(_ property: PropertyInfo, of entity: EntityInfo, row: PersistentIdentifier) -> SwiftDataError {
    .validation(
      model: entity.name, property: property.name, row: row,
      "The new value cannot be computed: it is too large or no number, or nil was unwrapped.",
      remedy: "Leave such rows out with the predicate, or set another value.")
  }
}

extension Store {
  /// Updates rows in one transaction, and tells whoever is told of saves.
  func run(_ update: BulkUpdate, by author: HistoryAuthor, isHeard: Bool) throws -> Int {
    try checkAllowsSave()
    ensureIndexes(of: update.tables)
    return try SwiftDataError.translating(SwiftDataError.saving) {
      try writing { connection in
        let (count, recorded) = try connection.transaction(.immediate) {
          try completeBackfills(connection)
          do {
            return try recording(by: author, isHeard: isHeard, connection) {
              let properties = PropertySet(update.changes.map(\.property.index))
              return try updating(properties, of: update.entity, connection) { try runOrCheck(update, connection) }
            }
          } catch let error as DatabaseError where error.code == DatabaseError.constraintDatatype {
            throw try update.firstRefusal(connection, self) ?? SwiftDataError.saving(error)
          }
        }
        return (count, count > 0 ? [update.entity.table] : [], recorded)
      }.result
    }
  }

  private func runOrCheck(_ update: BulkUpdate, _ connection: Connection) throws -> Int {
    do {
      return try update.run(connection)
    } catch let error as DatabaseError where error.code == DatabaseError.constraintUnique {
      return try update.runUnchecked(connection)
    }
  }
}
