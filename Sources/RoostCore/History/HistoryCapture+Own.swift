import RoostEngine

// Statements of a save that change one row, of which they tell themselves: SQLite would copy the row for that.
extension HistoryCapture {
  /// The log's place for the rows of a class; nil where only SQLite can tell of them: where triggers run, which change
  /// others, and where a table has rows of several classes.
  func ownTable(of entity: EntityInfo, _ connection: Connection) -> Int? {
    connection.runsTriggers ? nil : ownTables[entity.ordinal]
  }

  /// The same for a statement that updates some properties; nil also where it has others than the log looks at, or more
  /// than a function can be given.
  func ownTable(of entity: EntityInfo, updating changed: PropertySet, _ connection: Connection) -> Int? {
    guard let table = ownTable(of: entity, connection) else { return nil }
    let columns = tables[table].columns[entity.ordinal] ?? [:]
    let places = entity.properties.filter { $0.column != nil && changed.contains($0.index) }.map { columns[$0.index] }
    // SQLite's functions have 100 arguments at most: the key, and two for each column.
    if places.count > 49 { return nil }
    // In the order of the statement's parameters.
    let isLogs =
      places.allSatisfy { ($0 ?? 64) < 64 } && zip(places, places.dropFirst()).allSatisfy { $0 ?? 0 < $1 ?? 0 }
    return isLogs ? table : nil
  }

  /// The same for a deletion, of whose row no values are kept.
  func ownTable(ofDeleted entity: EntityInfo, _ connection: Connection) -> Int? {
    ownTable(of: entity, connection).flatMap { log.tables[$0].kept.isEmpty ? $0 : nil }
  }

  /// Runs an update that tells of its row, of a table of the log's and with some of its columns.
  func updating(_ columns: UInt64, of table: Int, _ statement: Statement, _ connection: Connection)
    throws(DatabaseError)
  {
    log.updated = columns
    log.updatedTable = table
    defer { log.updated = .max }
    try connection.runUntold(statement)
  }
}
