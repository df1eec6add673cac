import RoostCore
import RoostEngine
import RoostSQL

/// Leaves one of several rows with the same values, in the tables of a stored schema.
struct Deduplication {
  private static let losers = "_roost_losers"

  let connection: Connection
  let schema: StoredSchema
  let entity: EntityDefinition
  let columns: [String]
  let kept: MigrationStep.Kept

  func run() throws {
    let table = quotedIdentifier(schema.table(of: entity))
    let keys = columns.map(quotedIdentifier)
    let aggregate = kept == .first ? "min" : "max"
    let isSame = keys.map { "own.\($0) = best.\($0)" }.joined(separator: " AND ")
    let isGiven = keys.map { "\($0) IS NOT NULL" }.joined(separator: " AND ")
    try connection.execute("CREATE TEMPORARY TABLE \(Self.losers) (loser INTEGER PRIMARY KEY, winner INTEGER)")
    // A subclass's rows are among those of others.
    let kinds = entity.superentity == nil ? [] : schema.family(entity).map(\.name)
    let places = kinds.map { _ in "?" }.joined(separator: ", ")
    let isKind = kinds.isEmpty ? "" : "WHERE \(quotedIdentifier(entityNameColumn)) IN (\(places))"
    let search = try connection.statement(
      """
      WITH own AS (SELECT * FROM \(table) \(isKind))
      INSERT INTO \(Self.losers) SELECT own.\(primaryKeyColumn), best.winner FROM own JOIN (
        SELECT \(aggregate)(\(primaryKeyColumn)) AS winner, \(keys.joined(separator: ", ")) FROM own
        WHERE \(isGiven) GROUP BY \(keys.joined(separator: ", "))
      ) AS best ON \(isSame) WHERE own.\(primaryKeyColumn) <> best.winner
      """)
    search.bind(kinds.map { .text($0) })
    try search.run()
    for other in schema.definition.entities {
      for property in other.properties {
        let stored = StoredProperty(entity: other, property: property)
        guard let links = LinkSource(stored, in: schema) else { continue }
        // Join rows are seen from both sides, as one of them may have no property.
        let isJoinRow = property.joinTable != nil
        if isOfTable(property) {
          if stored.isToOne, let inverse = schema.inverse(of: stored), inverse.isToOne {
            try leaveOnePartner(stored, inverse)
          }
          try repoint(links.target, in: links.table, isJoinRow: isJoinRow)
        }
        if isJoinRow, schema.table(of: other) == schema.table(of: entity) {
          try repoint(links.owner, in: links.table, isJoinRow: isJoinRow)
        }
      }
    }
    try connection.execute(
      """
      DELETE FROM \(table) WHERE \(primaryKeyColumn) IN (SELECT loser FROM \(Self.losers));
      DROP TABLE \(Self.losers);
      """)
  }

  /// Has each row that stays keep its one-to-one partner, or get the nearest one of those that go. All others let go.
  ///
  /// - Parameters:
  ///   - property: what refers to rows of the table.
  ///   - inverse: what they refer back by.
  /// - Throws: `SwiftDataError.loadIssueModelContainer` where one must refer to a row.
  private func leaveOnePartner(_ property: StoredProperty, _ inverse: StoredProperty) throws {
    let (table, partners) = (schema.table(of: entity), schema.table(of: property.entity))
    let (own, back) = (quotedIdentifier(table), quotedIdentifier(inverse.column))
    try connection.execute(
      """
      UPDATE \(own) SET \(back) = (
        SELECT other.\(back) FROM \(Self.losers) JOIN \(own) AS other ON other.\(primaryKeyColumn) = loser
        WHERE winner = \(own).\(primaryKeyColumn) AND other.\(back) NOT IN (SELECT loser FROM \(Self.losers))
        ORDER BY loser \(kept == .first ? "" : "DESC") LIMIT 1)
      WHERE \(back) IS NULL AND \(primaryKeyColumn) IN (SELECT winner FROM \(Self.losers))
      """)
    func all(_ column: String) -> SQLSelect {
      SQLSelect([SQLResultColumn(.column(column))], from: .table(Self.losers))
    }
    let staying = SQLSelect(
      [SQLResultColumn(.column(inverse.column))], from: .table(table),
      where: .all([.inSelect(.column(primaryKeyColumn), all("winner")), .isNotNull(.column(inverse.column))]))
    let isLeft = SQLExpression.all([
      .inSelect(.column(property.column), all("loser")), !.inSelect(.column(primaryKeyColumn), staying),
    ])
    if property.property.isOptional {
      return try connection.run(
        .update(SQLUpdate(partners, set: [SQLAssignment(property.column, .null)], where: isLeft)))
    }
    let rows = SQLSelect(
      [SQLResultColumn(.column(primaryKeyColumn)), SQLResultColumn(.column(property.column))], from: .table(partners),
      where: isLeft)
    let check = MigrationCheck(
      model: property.entity.name, property: property.property.name,
      message: "It must refer to a row that .deduplicate removes, and the one that stays has another.", rows: rows,
      remedy:
        "Delete the rows, or have them refer to others, by a step before it:\n.sql(\"DELETE FROM \(partners) WHERE …\")"
    )
    if let obstacle = try check.obstacle(connection) { throw SwiftDataError.obstacles([obstacle], url: nil) }
  }

  /// Whether a relationship refers to rows of the table.
  private func isOfTable(_ property: EntityDefinition.Property) -> Bool {
    property.destination.flatMap(schema.entity).map { schema.table(of: $0) == schema.table(of: entity) } ?? false
  }

  /// Has what referred to a row that goes refer to the one that stays.
  private func repoint(_ column: String, in table: String, isJoinRow: Bool) throws {
    // That of a to-many relationship may be the key of the row itself.
    if column == primaryKeyColumn { return }
    let (table, column) = (quotedIdentifier(table), quotedIdentifier(column))
    let isLoser = "\(column) IN (SELECT loser FROM \(Self.losers))"
    // A join row with the one that stays may be there already; then this one is of no use.
    try connection.execute(
      "UPDATE \(isJoinRow ? "OR IGNORE " : "")\(table) "
        + "SET \(column) = (SELECT winner FROM \(Self.losers) WHERE loser = \(column)) WHERE \(isLoser)")
    if isJoinRow { try connection.execute("DELETE FROM \(table) WHERE \(isLoser)") }
  }
}
