import CBenchmarkSQLite
import GRDB

extension Database {
  /// As in GRDB's suite: no key but SQLite's own.
  static let tenIntegersSchema = """
    CREATE TABLE item (i0 INT, i1 INT, i2 INT, i3 INT, i4 INT, i5 INT, i6 INT, i7 INT, i8 INT, i9 INT)
    """
  static let tenIntegersInsertion = """
    INSERT INTO item (i0, i1, i2, i3, i4, i5, i6, i7, i8, i9) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
    """

  func insert(_ rows: [TenIntegers]) throws {
    try execute("BEGIN IMMEDIATE")
    let statement = try prepare(Self.tenIntegersInsertion)
    defer { sqlite3_finalize(statement) }
    for row in rows {
      sqlite3_bind_int64(statement, 1, Int64(row.i0))
      sqlite3_bind_int64(statement, 2, Int64(row.i1))
      sqlite3_bind_int64(statement, 3, Int64(row.i2))
      sqlite3_bind_int64(statement, 4, Int64(row.i3))
      sqlite3_bind_int64(statement, 5, Int64(row.i4))
      sqlite3_bind_int64(statement, 6, Int64(row.i5))
      sqlite3_bind_int64(statement, 7, Int64(row.i6))
      sqlite3_bind_int64(statement, 8, Int64(row.i7))
      sqlite3_bind_int64(statement, 9, Int64(row.i8))
      sqlite3_bind_int64(statement, 10, Int64(row.i9))
      try check(sqlite3_step(statement), expecting: SQLITE_DONE)
      sqlite3_reset(statement)
    }
    try execute("COMMIT")
  }

  func fetchAllTenIntegers() throws -> [TenIntegers] {
    var rows: [TenIntegers] = []
    try forEachRow("SELECT i0, i1, i2, i3, i4, i5, i6, i7, i8, i9 FROM item") {
      rows.append(TenIntegers(reading: $0))
    }
    return rows
  }
}

extension TenIntegers {
  @inline(__always)
  fileprivate init(reading statement: OpaquePointer) {
    i0 = Int(sqlite3_column_int64(statement, 0))
    i1 = Int(sqlite3_column_int64(statement, 1))
    i2 = Int(sqlite3_column_int64(statement, 2))
    i3 = Int(sqlite3_column_int64(statement, 3))
    i4 = Int(sqlite3_column_int64(statement, 4))
    i5 = Int(sqlite3_column_int64(statement, 5))
    i6 = Int(sqlite3_column_int64(statement, 6))
    i7 = Int(sqlite3_column_int64(statement, 7))
    i8 = Int(sqlite3_column_int64(statement, 8))
    i9 = Int(sqlite3_column_int64(statement, 9))
  }
}

/// The record that GRDB's suite calls optimised.
extension TenIntegers: FetchableRecord, PersistableRecord {
  static let databaseTableName = "item"

  static var databaseSelection: [any SQLSelectable] { (0..<10).map { Column("i\($0)") } }

  init(row: Row) {
    i0 = row[0]
    i1 = row[1]
    i2 = row[2]
    i3 = row[3]
    i4 = row[4]
    i5 = row[5]
    i6 = row[6]
    i7 = row[7]
    i8 = row[8]
    i9 = row[9]
  }

  func encode(to container: inout PersistenceContainer) {
    container["i0"] = i0
    container["i1"] = i1
    container["i2"] = i2
    container["i3"] = i3
    container["i4"] = i4
    container["i5"] = i5
    container["i6"] = i6
    container["i7"] = i7
    container["i8"] = i8
    container["i9"] = i9
  }

  /// How GRDB's suite inserts many, without the container.
  func insert(with statement: Statement) throws {
    statement.setUncheckedArguments([i0, i1, i2, i3, i4, i5, i6, i7, i8, i9])
    try statement.execute()
  }
}
