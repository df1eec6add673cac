import RoostEngine

/// Where a file's tables have their columns. A migration may have added some, wherever the model has them.
struct TableColumns {
  private var columns: [String: [String: RowChangeLog.Column]] = [:]

  init(_ connection: Connection) throws {
    let statement = try connection.statement(
      """
      SELECT tables.name, columns.name, cid, "notnull", dflt_value, columns.type \
      FROM sqlite_schema AS tables, pragma_table_info(tables.name) AS columns WHERE tables.type = 'table'
      """)
    defer { statement.reset() }
    while try statement.step() {
      var column = RowChangeLog.Column(position: Int32(clamping: statement.int64(2)))
      if statement.int64(3) != 0, !statement.isNull(4) {
        column.missing = try Self.value(statement.string(4), ofType: statement.string(5), connection)
      }
      columns[statement.string(0), default: [:]][statement.string(1)] = column
    }
  }

  func column(_ name: String, in table: String) -> RowChangeLog.Column? { columns[table]?[name] }

  func position(_ name: String, in table: String) -> Int32? { column(name, in: table)?.position }

  /// The value of a default, which SQLite has as the SQL that it was declared by.
  private static func value(_ sql: String, ofType type: String, _ connection: Connection) throws -> [UInt8] {
    let statement = try connection.statement("SELECT \(sql)")
    defer { statement.reset() }
    guard try statement.step() else { return [] }
    var value = statement.value(0)
    if type.uppercased() == "REAL", case .integer(let number) = value { value = .real(Double(number)) }
    var bytes: [UInt8] = []
    RowValues.append(value, to: &bytes)
    return bytes
  }
}
