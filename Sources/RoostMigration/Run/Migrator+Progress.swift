import RoostCore
import RoostEngine
import RoostSQL

extension Migrator {
  private static let rowsAtOnce = 50_000

  /// Has rows of models copied a part at a time, and tells how many are done. Join rows have no keys to part them by.
  func copy(
    _ rows: SQLSelect, of source: String, _ monitor: MigrationMonitor, _ name: String,
    _ copy: (SQLSelect) throws -> Void
  ) throws {
    let key = SQLExpression.column(SchemaMapping.oldRow, primaryKeyColumn)
    guard case .table(source, alias: SchemaMapping.oldRow)? = rows.from,
      let total = try connection.strings("SELECT count(*) FROM \(quotedIdentifier(source))").first.flatMap({ Int($0) })
    else {
      try monitor.begin(.rows(of: name))
      return try copy(rows)
    }
    try monitor.begin(.rows(of: name), total: total)
    var (last, done) = (Int64.min, 0)
    while let end = try lastKey(of: source, after: last) {
      var part = rows
      part.restrict(.all([.binary(.greater, key, .integer(last)), .binary(.lessOrEqual, key, .integer(end))]))
      try copy(part)
      (last, done) = (end, min(done + Self.rowsAtOnce, total))
      try monitor.advance(to: done, of: total)
    }
  }

  /// The key of the last of the next rows; nil when there are none.
  private func lastKey(of table: String, after key: Int64) throws -> Int64? {
    let statement = try connection.statement(
      """
      SELECT max(\(primaryKeyColumn)), count(*) FROM (SELECT \(primaryKeyColumn) FROM \(quotedIdentifier(table)) \
      WHERE \(primaryKeyColumn) > ? ORDER BY \(primaryKeyColumn) LIMIT \(Self.rowsAtOnce))
      """)
    defer { statement.reset() }
    statement.bind(key, at: 1)
    guard try statement.step(), statement.int64(1) > 0 else { return nil }
    return statement.int64(0)
  }
}
