import RoostEngine

/// Where tables have their columns. A migration may have added some, wherever the model has them.
struct TableColumns {
  private struct Place {
    let position: Int32
    /// The SQL of the column's default, and its type; nil where it may be NULL, or has no default.
    let missing: (sql: String, type: String)?
  }

  private var places: [String: [String: Place]] = [:]
  private let connection: Connection

  /// Reads those of some tables. Others are other programs', of which nobody knows what it takes to look at them.
  init(of tables: Set<String>, _ connection: Connection) throws {
    self.connection = connection
    for table in tables {
      let statement = try connection.statement(
        "SELECT name, cid, \"notnull\", dflt_value, type FROM pragma_table_info(?)")
      defer { statement.reset() }
      statement.bind(table, at: 1)
      while try statement.step() {
        let isMissing = statement.int64(2) != 0 && !statement.isNull(3)
        places[table, default: [:]][statement.string(0)] = Place(
          position: Int32(clamping: statement.int64(1)),
          missing: isMissing ? (sql: statement.string(3), type: statement.string(4)) : nil)
      }
    }
  }

  func column(_ name: String, in table: String) throws -> RowChangeLog.Column? {
    guard let place = places[table]?[name] else { return nil }
    return RowChangeLog.Column(
      position: place.position, missing: try place.missing.map { try value($0.sql, ofType: $0.type) })
  }

  func position(_ name: String, in table: String) -> Int32? { places[table]?[name]?.position }

  /// The value of a default, which SQLite has as the SQL that it was declared by.
  private func value(_ sql: String, ofType type: String) throws -> [UInt8] {
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
