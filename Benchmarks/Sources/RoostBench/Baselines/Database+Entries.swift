import CBenchmarkSQLite
import Foundation

/// The loops that a person writes by hand who knows SQLite and Swift.
extension Database {
  /// The table of all variants but Roost's, which makes its own.
  static let schema = """
    CREATE TABLE entry (id INTEGER PRIMARY KEY, title TEXT NOT NULL, body TEXT NOT NULL, date REAL NOT NULL)
    """

  static let insertion = "INSERT INTO entry (id, title, body, date) VALUES (?, ?, ?, ?)"

  /// One prepared statement in one transaction. SQLite reads the strings where they are, without a copy.
  ///
  /// Another statement than `insertion` takes the same four values.
  func insert(_ rows: [SampleRow], with sql: String = insertion) throws {
    try execute("BEGIN IMMEDIATE")
    let statement = try prepare(sql)
    defer { sqlite3_finalize(statement) }
    for row in rows { try insert(row, with: statement) }
    try execute("COMMIT")
  }

  /// One row with a statement made beforehand.
  @inline(__always)
  func insert(_ row: SampleRow, with statement: OpaquePointer) throws {
    var row = row
    let code = row.title.withUTF8 { title in
      row.body.withUTF8 { body in
        sqlite3_bind_int64(statement, 1, row.id)
        // No destructor: the bytes stay where they are until the step is done.
        sqlite3_bind_text(statement, 2, title.baseAddress, Int32(title.count), nil)
        sqlite3_bind_text(statement, 3, body.baseAddress, Int32(body.count), nil)
        sqlite3_bind_double(statement, 4, row.date.timeIntervalSinceReferenceDate)
        return sqlite3_step(statement)
      }
    }
    try check(code, expecting: SQLITE_DONE)
    sqlite3_reset(statement)
  }

  /// All rows, as an array of structs with four values of Swift's own types.
  func fetchAll() throws -> [SampleRow] {
    let statement = try prepare("SELECT id, title, body, date FROM entry")
    defer { sqlite3_finalize(statement) }
    var rows: [SampleRow] = []
    var code = sqlite3_step(statement)
    while code == SQLITE_ROW {
      rows.append(SampleRow(reading: statement))
      code = sqlite3_step(statement)
    }
    try check(code, expecting: SQLITE_DONE)
    return rows
  }

  /// One row with a statement made beforehand, outside of a transaction.
  func fetch(_ id: Int64, with statement: OpaquePointer) throws -> SampleRow {
    sqlite3_bind_int64(statement, 1, id)
    try check(sqlite3_step(statement), expecting: SQLITE_ROW)
    let row = SampleRow(reading: statement)
    sqlite3_reset(statement)
    return row
  }
}

extension Database {
  /// Steps through all rows of a query, and finalizes it.
  @inline(__always)
  func forEachRow(_ sql: String, _ body: (OpaquePointer) throws -> Void) throws {
    let statement = try prepare(sql)
    defer { sqlite3_finalize(statement) }
    var code = sqlite3_step(statement)
    while code == SQLITE_ROW {
      try body(statement)
      code = sqlite3_step(statement)
    }
    try check(code, expecting: SQLITE_DONE)
  }

  /// The checksum of the titles, bodies and dates that a query has, read row by row.
  func checksum(of sql: String) throws -> Checksum {
    var sum = Checksum()
    try forEachRow(sql) { statement in
      let date = Date(timeIntervalSinceReferenceDate: sqlite3_column_double(statement, 2))
      sum.add(title: SampleRow.text(statement, 0), body: SampleRow.text(statement, 1), date: date)
    }
    return sum
  }
}

extension SampleRow {
  /// The row that the statement is at.
  @inline(__always)
  init(reading statement: OpaquePointer) {
    self.init(
      id: sqlite3_column_int64(statement, 0),
      title: Self.text(statement, 1),
      body: Self.text(statement, 2),
      date: Date(timeIntervalSinceReferenceDate: sqlite3_column_double(statement, 3)))
  }

  @inline(__always)
  static func text(_ statement: OpaquePointer, _ column: Int32) -> String {
    let bytes = sqlite3_column_text(statement, column)
    // After the text, whose conversion it counts; and saves looking for its end.
    let count = Int(sqlite3_column_bytes(statement, column))
    return String(decoding: UnsafeBufferPointer(start: bytes, count: count), as: UTF8.self)
  }

  @inline(__always)
  static func optionalText(_ statement: OpaquePointer, _ column: Int32) -> String? {
    sqlite3_column_type(statement, column) == SQLITE_NULL ? nil : text(statement, column)
  }
}
