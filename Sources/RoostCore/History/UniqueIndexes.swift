import RoostEngine
import RoostSQL

/// The unique indexes of a table, by which SQLite removes a row for another one: `INSERT OR REPLACE`.
struct UniqueIndex {
  /// The columns that it looks at; for a part of a value the column of the whole.
  let columns: [String]
  /// The condition that a row has the same values as the row `NEW`. NULL is never the same.
  let isSame: String

  /// Those that the program declares.
  static func declared(for root: EntityInfo) -> [UniqueIndex] {
    root.selfAndDescendants.flatMap { entity in
      entity.uniqueness.compactMap { UniqueIndex(EntityInfo.Constraint(owner: entity, properties: $0)) }
    }
  }

  private init?(_ constraint: EntityInfo.Constraint) {
    let owner = constraint.owner
    var conditions = constraint.properties.compactMap { key -> SQLExpression? in
      guard let stored = key.expression(in: owner), let new = key.expression(in: owner, table: "NEW") else {
        return nil
      }
      return .binary(.equal, stored, new)
    }
    if conditions.count < constraint.properties.count || conditions.isEmpty { return nil }
    var columns = constraint.properties.compactMap { owner.properties[$0.property].column }
    if constraint.isOfSome {
      conditions += [
        EntityStatements.isKind(owner),
        .inList(.column("NEW", entityNameColumn), owner.typeNames.map { .value(.text($0)) }),
      ]
      columns.append(entityNameColumn)
    }
    (self.columns, isSame) = (columns, SQLitePrinter.template(.all(conditions)))
  }

  private init(_ keys: [(column: String, collation: String)]) {
    columns = keys.map(\.column)
    isSame = keys.map { key in
      let name = quotedIdentifier(key.column)
      return "\(name) = NEW.\(name) COLLATE \(quotedIdentifier(key.collation))"
    }.joined(separator: " AND ")
  }

  /// Those of whole columns that other programs have made in the file, by table.
  static func others(besides schema: SchemaInfo, _ connection: Connection) throws -> [String: [UniqueIndex]] {
    let own = Set(TableDefinitions.indexes(of: schema).map(\.name))
    let statement = try connection.statement(
      "SELECT name, tbl_name FROM sqlite_schema WHERE type = 'index' AND sql LIKE 'CREATE UNIQUE%'")
    var found: [(index: String, table: String)] = []
    while try statement.step() {
      if !own.contains(statement.string(0)) { found.append((statement.string(0), statement.string(1))) }
    }
    statement.reset()
    var others: [String: [UniqueIndex]] = [:]
    for (index, table) in found {
      guard let keys = try wholeColumns(of: index, on: table, connection) else { continue }
      others[table, default: []].append(UniqueIndex(keys))
    }
    return others
  }

  /// nil for an index of expressions, or of some rows.
  private static func wholeColumns(
    of index: String, on table: String, _ connection: Connection
  ) throws -> [(column: String, collation: String)]? {
    let statement = try connection.statement(
      """
      SELECT keys.name, keys.coll FROM pragma_index_list(?1) AS list, pragma_index_xinfo(?2) AS keys \
      WHERE list.name = ?2 AND NOT list.partial AND keys."key" ORDER BY keys.seqno
      """)
    defer { statement.reset() }
    statement.bind(table, at: 1)
    statement.bind(index, at: 2)
    var keys: [(column: String, collation: String)] = []
    while try statement.step() {
      if statement.isNull(0) { return nil }
      keys.append((statement.string(0), statement.string(1)))
    }
    return keys.isEmpty ? nil : keys
  }
}
