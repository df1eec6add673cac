import CBenchmarkSQLite
import Foundation
import GRDB

/// 1,000,000 rows, of which every other one matches a condition: one statement adds to a number of each.
enum UpdateWorkload {
  static let count = 1_000_000

  static let schema = """
    CREATE TABLE counter (id INTEGER PRIMARY KEY, title TEXT NOT NULL, count INTEGER NOT NULL, isOn INTEGER NOT NULL)
    """
  static let update = "UPDATE counter SET count = count + 1 WHERE isOn = 1"

  static var workload: Workload {
    var variants = [Variant("sqlite-tuned", sqliteTuned), Variant("grdb", grdb)]
    #if ROOST
      variants.insert(Variant("roost", roost), at: 0)
    #endif
    return Workload(name: "update-where-1M", variants: variants)
  }

  static func title(_ number: Int) -> String { "a title of some 24 bytes, \(number)" }

  /// A statement that puts the same rows into any variant's table.
  static func insertion(into table: String, count: Int = count) -> String {
    """
    WITH RECURSIVE number (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM number WHERE n < \(count))
    INSERT INTO \(table) (title, count, isOn) SELECT 'a title of some 24 bytes, ' || n, n, n % 2 FROM number
    """
  }

  private static func sqliteTuned(in folder: URL) throws -> Round {
    let file = folder.appending(path: "update-sqlite.db")
    let database = try Database(file, tuned: true)
    try database.execute(schema)
    try database.execute(insertion(into: "counter"))
    var round = 0
    return {
      round += 1
      return try timed {
        let statement = try database.prepare(update)
        defer { sqlite3_finalize(statement) }
        try database.check(sqlite3_step(statement), expecting: SQLITE_DONE)
      } check: {
        try check(file, "counter", after: round)
      }
    }
  }

  private static func grdb(in folder: URL) throws -> Round {
    let file = folder.appending(path: "update-grdb.db")
    let queue = try DatabaseQueue.open(file)
    try queue.write { database in
      try database.execute(sql: schema)
      try database.execute(sql: insertion(into: "counter"))
    }
    var round = 0
    return {
      round += 1
      return try timed {
        _ = try queue.write { database in
          try CounterRecord.filter(Column("isOn") == true).updateAll(database, Column("count") += 1)
        }
      } check: {
        try check(file, "counter", after: round)
      }
    }
  }

  /// Every other row has been counted up in each round.
  static func check(_ file: URL, _ table: String, after rounds: Int) throws {
    let database = try Database(file, tuned: true)
    let statement = try database.prepare("SELECT sum(count) FROM \(table)")
    defer { sqlite3_finalize(statement) }
    try database.check(sqlite3_step(statement), expecting: SQLITE_ROW)
    let (sum, expected) = (Int(sqlite3_column_int64(statement, 0)), count * (count + 1) / 2 + rounds * count / 2)
    guard sum == expected else { throw BenchmarkError("\(table): the sum is \(sum), not \(expected)") }
  }
}

private struct CounterRecord: TableRecord {
  static let databaseTableName = "counter"
}
