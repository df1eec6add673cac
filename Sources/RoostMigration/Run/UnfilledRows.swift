import RoostCore
import RoostEngine
import RoostSQL

/// The rows that lack what the code of a stage must set.
///
/// Their keys are in a temporary table, from which triggers take them when somebody writes the column.
struct UnfilledRows {
  /// Not one of those that begin with `_roost_`, to which SQL in the code must not write: the triggers do.
  private static let table = "roost_unfilled"

  private let connection: Connection
  private let gaps: [MigrationCheck]

  /// Notes the rows, while the tables are the old ones.
  init(_ gaps: [MigrationCheck], _ connection: Connection) throws {
    self.gaps = gaps
    self.connection = connection
    if gaps.isEmpty { return }
    try connection.execute(
      "CREATE TEMP TABLE \(Self.table) (gap INTEGER, key INTEGER, PRIMARY KEY (gap, key)) WITHOUT ROWID")
    for (number, gap) in gaps.enumerated() {
      var rows = gap.rows
      rows.columns = [SQLResultColumn(.integer(Int64(number)))] + rows.columns.prefix(1)
      try connection.run(.insert(SQLInsert(into: Self.table, ["gap", "key"], .select(rows))))
    }
  }

  /// Runs the code of a stage, and sees that it has set the rows that are there then.
  ///
  /// - Parameters:
  ///   - prefix: what the names of the new tables begin with.
  ///   - code: what runs it.
  /// - Throws: `SwiftDataError` with the rows that it has not set; what `code` throws.
  func filled(inTablesOf prefix: String = "", by code: () throws -> Void) throws {
    if gaps.isEmpty { return try code() }
    for trigger in triggers(prefix) {
      try connection.execute("CREATE TEMP TRIGGER \(trigger.name) \(trigger.definition)")
    }
    try code()
    for trigger in triggers(prefix) { try connection.execute("DROP TRIGGER temp.\(trigger.name)") }
    let obstacles = try gaps.indices.compactMap { try check($0, prefix)?.obstacle(connection) }
    if !obstacles.isEmpty { throw SwiftDataError.obstacles(obstacles, url: nil) }
    try connection.execute("DROP TABLE temp.\(Self.table)")
  }

  private func triggers(_ prefix: String) -> [(name: String, definition: String)] {
    gaps.enumerated().flatMap { number, gap -> [(name: String, definition: String)] in
      guard let property = gap.gap, let column = property.column else { return [] }
      return ["UPDATE OF \(quotedIdentifier(column))", "INSERT"].enumerated().map { place, event in
        (
          "\(Self.table)_\(number)_\(place)",
          """
          AFTER \(event) ON main.\(quotedIdentifier(prefix + property.owner.table)) BEGIN
            DELETE FROM \(Self.table) WHERE gap = \(number) AND key = new.\(primaryKeyColumn);
          END
          """
        )
      }
    }
  }

  private func check(_ number: Int, _ prefix: String) -> MigrationCheck? {
    let gap = gaps[number]
    guard let property = gap.gap else { return nil }
    let name = property.owner.name
    let keys = SQLSelect(
      [SQLResultColumn(.column(primaryKeyColumn))], from: .table(prefix + property.owner.table))
    let setting = "context.fetch(FetchDescriptor<V2.\(name)>()) { model.\(property.name) = … }"
    return MigrationCheck(
      model: gap.model, property: gap.property,
      message: "\(gap.message) The code of the stage has left some rows without it.",
      rows: SQLSelect(
        [SQLResultColumn(.column("key"))], from: .table(Self.table),
        where: .all([
          .binary(.equal, .column("gap"), .integer(Int64(number))), .inSelect(.column("key"), keys),
        ])),
      remedy: prefix.isEmpty
        ? "Set it for every row in didMigrate:\nfor model in try \(setting)"
        : "Set it for every row in the code:\ntry new.update(V2.\(name).self, from: V1.\(name).self, in: old) "
          + "{ before, after in after.\(property.name) = … }\n"
          + "or leave it empty where the code does not set it, with the step .fill(\(V2.path(property)))")
  }
}
