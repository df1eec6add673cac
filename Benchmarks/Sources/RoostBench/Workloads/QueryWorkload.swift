import CBenchmarkSQLite
import Foundation
import GRDB

/// Questions to a table of 1,000,000 rows, all variants over the same file.
///
/// Sensors, kinds and values follow from the row's number, so that results are known.
enum QueryWorkload: String, CaseIterable {
  /// The numbers of rows of 100 sensors, each 1,000, by an index.
  case countIndexed = "count-indexed"
  /// The 1,000 rows of each of 20 sensors, by an index.
  case filterIndexed = "filter-indexed"
  /// Seven counters about rows of the index.
  case dashboard = "dashboard-7"
  /// The number of rows and the mean value of each of ten kinds.
  case groupBy = "group-by"

  static let rowCount = 1_000_000
  static let sensorCount = 1_000
  static let countedSensors = 100
  static let filteredSensors = 20

  /// Fills the table of a Roost model, or that of the other variants, with SQL's own means.
  static let fill = """
    WITH RECURSIVE row(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM row WHERE n < \(rowCount))
    INSERT INTO "Reading" ("_pk", "sensor", "kind", "value", "date", "note")
    SELECT n, n % \(sensorCount), n % 10, n % 997 / 8.0, n * 60.0, 'reading number ' || n FROM row;
    ANALYZE
    """

  /// As Roost makes it.
  static let schema = """
    CREATE TABLE "Reading" ("_pk" INTEGER PRIMARY KEY, "sensor" INTEGER NOT NULL, "kind" INTEGER NOT NULL,
      "value" REAL NOT NULL, "date" REAL NOT NULL, "note" TEXT NOT NULL) STRICT;
    CREATE INDEX "Reading_sensor_index" ON "Reading" ("sensor");
    """

  static let dashboardQueries = [
    #"SELECT count(*) FROM "Reading" WHERE "sensor" = 1"#,
    #"SELECT count(*) FROM "Reading" WHERE "sensor" < 10"#,
    #"SELECT sum("value") FROM "Reading" WHERE "sensor" = 2"#,
    #"SELECT avg("value") FROM "Reading" WHERE "sensor" = 3"#,
    #"SELECT min("value") FROM "Reading" WHERE "sensor" = 4"#,
    #"SELECT max("date") FROM "Reading" WHERE "sensor" = 5"#,
    #"SELECT count(DISTINCT "kind") FROM "Reading" WHERE "sensor" < 5"#,
  ]

  static let groupQuery = #"SELECT "kind", count(*), avg("value") FROM "Reading" GROUP BY "kind" ORDER BY "kind""#

  var workload: Workload {
    var variants = [Variant("sqlite-tuned", sqlite), Variant("grdb", grdb)]
    #if ROOST
      variants.insert(Variant("roost", roost), at: 0)
    #endif
    return Workload(name: rawValue, variants: variants)
  }

  /// What every variant must find: a number that any mistake would change.
  var expected: Double {
    switch self {
    case .countIndexed: Double(Self.countedSensors * Self.rowCount / Self.sensorCount)
    case .filterIndexed:
      Self.rows {
        $0 % Self.sensorCount < Self.filteredSensors
      } value: {
        Double($0 % 997) / 8
      }
    case .dashboard: Self.dashboardSum
    case .groupBy: Self.groupSum
    }
  }

  private static func rows(_ isOne: (Int) -> Bool, value: (Int) -> Double) -> Double {
    (1...rowCount).lazy.filter(isOne).reduce(0) { $0 + value($1) }
  }

  private static let dashboardSum: Double = {
    func values(_ sensor: Int) -> [Double] {
      (0..<rowCount / sensorCount).map { $0 * sensorCount + sensor }.map { Double($0 % 997) / 8 }
    }
    let last = Double((rowCount / sensorCount - 1) * sensorCount + 5) * 60
    return 1_000 + 10_000 + values(2).reduce(0, +) + values(3).reduce(0, +) / 1_000 + (values(4).min() ?? 0) + last + 5
  }()

  private static let groupSum: Double = (0..<10).reduce(0) { sum, kind in
    sum + 100_000 + rows {
      $0 % 10 == kind
    } value: {
      Double($0 % 997) / 8
    } / 100_000
  }

  func check(_ found: Double, _ variant: String) throws {
    // Means may be rounded differently in the last place.
    guard abs(found - expected) <= abs(expected) * 1e-12 else {
      throw BenchmarkError("\(rawValue), \(variant): found \(found), expected \(expected)")
    }
  }

  private func sqlite(in folder: URL) throws -> Round {
    let database = try Database(Self.filled(in: folder), tuned: true)
    return {
      try timed {
        switch self {
        case .countIndexed:
          let statement = try database.prepare(#"SELECT count(*) FROM "Reading" WHERE "sensor" = ?"#)
          defer { sqlite3_finalize(statement) }
          var sum = 0.0
          for sensor in 0..<Int64(Self.countedSensors) {
            sqlite3_bind_int64(statement, 1, sensor)
            try database.check(sqlite3_step(statement), expecting: SQLITE_ROW)
            sum += sqlite3_column_double(statement, 0)
            sqlite3_reset(statement)
          }
          return sum
        case .filterIndexed:
          let statement = try database.prepare(
            #"SELECT "_pk", "sensor", "kind", "value", "date", "note" FROM "Reading" WHERE "sensor" = ?"#)
          defer { sqlite3_finalize(statement) }
          var sum = 0.0
          for sensor in 0..<Int64(Self.filteredSensors) {
            sqlite3_bind_int64(statement, 1, sensor)
            var found: [ReadingRow] = []
            while sqlite3_step(statement) == SQLITE_ROW { found.append(ReadingRow(reading: statement)) }
            sqlite3_reset(statement)
            for row in found { sum += row.value }
          }
          return sum
        case .dashboard:
          return try Self.dashboardQueries.reduce(0) { $0 + (try database.numbers($1)) }
        case .groupBy:
          // The kinds themselves are no part of the sum.
          return try database.numbers(Self.groupQuery) - 45
        }
      } check: {
        try check($0, "sqlite-tuned")
      }
    }
  }

  private func grdb(in folder: URL) throws -> Round {
    let queue = try DatabaseQueue.open(Self.filled(in: folder))
    return {
      try timed {
        try queue.read { database in
          switch self {
          case .countIndexed:
            return try (0..<Self.countedSensors).reduce(0.0) { sum, sensor in
              sum + Double(try ReadingRecord.filter(Column("sensor") == sensor).fetchCount(database))
            }
          case .filterIndexed:
            return try (0..<Self.filteredSensors).reduce(0.0) { sum, sensor in
              try ReadingRecord.filter(Column("sensor") == sensor).fetchAll(database).reduce(sum) { $0 + $1.value }
            }
          case .dashboard:
            return try Self.dashboardQueries.reduce(0) { $0 + (try Double.fetchOne(database, sql: $1) ?? 0) }
          case .groupBy:
            return try Row.fetchAll(database, sql: Self.groupQuery).reduce(0.0) { sum, row in
              let (count, mean): (Int, Double) = (row[1], row[2])
              return sum + Double(count) + mean
            }
          }
        }
      } check: {
        try check($0, "grdb")
      }
    }
  }

  /// A file with all rows in it, closed and so checkpointed.
  static func filled(in folder: URL) throws -> URL {
    let file = folder.appending(path: "readings.sqlite")
    let database = try Database(file, tuned: true)
    try database.execute(schema)
    try database.execute(fill)
    return file
  }
}

/// A row of the table, as a struct with values of Swift's own types.
struct ReadingRow {
  let id, sensor, kind: Int64
  let value: Double
  let date: Date
  let note: String

  init(reading statement: OpaquePointer) {
    id = sqlite3_column_int64(statement, 0)
    sensor = sqlite3_column_int64(statement, 1)
    kind = sqlite3_column_int64(statement, 2)
    value = sqlite3_column_double(statement, 3)
    date = Date(timeIntervalSinceReferenceDate: sqlite3_column_double(statement, 4))
    note = SampleRow.text(statement, 5)
  }
}

/// The same for GRDB, mapped by hand.
struct ReadingRecord: FetchableRecord, TableRecord {
  static let databaseTableName = "Reading"
  let id, sensor, kind: Int64
  let value: Double
  let date: Date
  let note: String

  init(row: Row) {
    id = row[0]
    sensor = row[1]
    kind = row[2]
    value = row[3]
    date = Date(timeIntervalSinceReferenceDate: row[4])
    note = row[5]
  }
}

extension Database {
  /// The sum of all numbers in the rows of a query.
  fileprivate func numbers(_ sql: String) throws -> Double {
    let statement = try prepare(sql)
    defer { sqlite3_finalize(statement) }
    var sum = 0.0
    while sqlite3_step(statement) == SQLITE_ROW {
      for column in 0..<sqlite3_column_count(statement) { sum += sqlite3_column_double(statement, column) }
    }
    return sum
  }
}
