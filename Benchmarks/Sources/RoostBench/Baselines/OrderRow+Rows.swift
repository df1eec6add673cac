import CBenchmarkSQLite
import GRDB

extension Database {
  static let ordersSchema = """
    CREATE TABLE orders (
      orderID INTEGER PRIMARY KEY, customerID TEXT NOT NULL, employeeID INTEGER NOT NULL, orderDate TEXT NOT NULL,
      requiredDate TEXT NOT NULL, shippedDate TEXT, shipVia INTEGER NOT NULL, freight REAL NOT NULL,
      shipName TEXT NOT NULL, shipAddress TEXT NOT NULL, shipCity TEXT NOT NULL, shipRegion TEXT, shipPostalCode TEXT,
      shipCountry TEXT NOT NULL)
    """

  func fetchAllOrders() throws -> [OrderRow] {
    let sql = """
      SELECT orderID, customerID, employeeID, orderDate, requiredDate, shippedDate, shipVia, freight, shipName,
        shipAddress, shipCity, shipRegion, shipPostalCode, shipCountry
      FROM orders
      """
    var rows: [OrderRow] = []
    try forEachRow(sql) { rows.append(OrderRow(reading: $0)) }
    return rows
  }
}

extension OrderRow {
  @inline(__always)
  fileprivate init(reading statement: OpaquePointer) {
    self.init(
      orderID: Int(sqlite3_column_int64(statement, 0)),
      customerID: SampleRow.text(statement, 1),
      employeeID: Int(sqlite3_column_int64(statement, 2)),
      orderDate: SampleRow.text(statement, 3),
      requiredDate: SampleRow.text(statement, 4),
      shippedDate: SampleRow.optionalText(statement, 5),
      shipVia: Int(sqlite3_column_int64(statement, 6)),
      freight: sqlite3_column_double(statement, 7),
      shipName: SampleRow.text(statement, 8),
      shipAddress: SampleRow.text(statement, 9),
      shipCity: SampleRow.text(statement, 10),
      shipRegion: SampleRow.optionalText(statement, 11),
      shipPostalCode: SampleRow.optionalText(statement, 12),
      shipCountry: SampleRow.text(statement, 13))
  }
}

/// Mapped by `Codable`.
extension OrderRow: FetchableRecord, PersistableRecord {
  static let databaseTableName = "orders"
}

/// The same mapped by hand, columns by position.
struct RecordOrder: FetchableRecord, TableRecord {
  static let databaseTableName = "orders"
  let values: OrderRow

  init(row: Row) {
    values = OrderRow(
      orderID: row[0], customerID: row[1], employeeID: row[2], orderDate: row[3], requiredDate: row[4],
      shippedDate: row[5], shipVia: row[6], freight: row[7], shipName: row[8], shipAddress: row[9], shipCity: row[10],
      shipRegion: row[11], shipPostalCode: row[12], shipCountry: row[13])
  }
}
