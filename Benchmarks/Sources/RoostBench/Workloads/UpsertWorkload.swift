import CBenchmarkSQLite
import Foundation
import GRDB

/// 100,000 rows whose titles are unique, into a table that has them all: each changes the row with its title.
///
/// `roost-inserts` inserts the same rows into an empty table, for comparison: upserts are to cost at most twice that.
enum UpsertWorkload {
  static let rows = SampleRow.make(100_000)
  /// The same titles with other dates, which the upserts bring.
  static let updates = rows.map {
    SampleRow(id: $0.id, title: $0.title, body: $0.body, date: $0.date.addingTimeInterval(1))
  }
  static let checksum = Checksum(updates)

  static let schema = """
    CREATE TABLE entry (
      id INTEGER PRIMARY KEY, title TEXT NOT NULL UNIQUE, body TEXT NOT NULL, date REAL NOT NULL)
    """
  static let upsert = """
    INSERT INTO entry (title, body, date) VALUES (?, ?, ?)
    ON CONFLICT (title) DO UPDATE SET body = excluded.body, date = excluded.date
    """

  static var workload: Workload {
    var variants = [Variant("sqlite-tuned", sqliteTuned), Variant("grdb", grdb)]
    #if ROOST
      variants.insert(Variant("roost", roost), at: 0)
      variants.append(Variant("roost-inserts", roostInserts))
    #endif
    return Workload(name: "upsert-100k", variants: variants)
  }

  private static func sqliteTuned(in folder: URL) throws -> Round {
    InsertWorkload.freshFile(in: folder) { file in
      let database = try Database(file, tuned: true)
      try database.execute(schema)
      try database.insert(rows)
      return try timed {
        try database.run(upsert, updates)
      } check: {
        try check(file, "sqlite-tuned")
      }
    }
  }

  private static func grdb(in folder: URL) throws -> Round {
    InsertWorkload.freshFile(in: folder) { file in
      let queue = try DatabaseQueue.open(file)
      try queue.write { database in
        try database.execute(sql: schema)
        for row in rows { try RecordEntry(row).insert(database) }
      }
      return try timed {
        try queue.write { database in
          let statement = try database.cachedStatement(sql: upsert)
          for row in updates {
            try statement.execute(arguments: [row.title, row.body, row.date.timeIntervalSinceReferenceDate])
          }
        }
      } check: {
        try check(file, "grdb")
      }
    }
  }

  private static func check(_ file: URL, _ variant: String) throws {
    try Checksum(Database(file, tuned: true).fetchAll()).check(against: checksum, variant)
  }
}

extension Database {
  /// Runs a statement with the title, body and date of each row, in one transaction.
  func run(_ sql: String, _ rows: [SampleRow]) throws {
    try execute("BEGIN IMMEDIATE")
    let statement = try prepare(sql)
    defer { sqlite3_finalize(statement) }
    for var row in rows {
      let code = row.title.withUTF8 { title in
        row.body.withUTF8 { body in
          sqlite3_bind_text(statement, 1, title.baseAddress, Int32(title.count), nil)
          sqlite3_bind_text(statement, 2, body.baseAddress, Int32(body.count), nil)
          sqlite3_bind_double(statement, 3, row.date.timeIntervalSinceReferenceDate)
          return sqlite3_step(statement)
        }
      }
      try check(code, expecting: SQLITE_DONE)
      sqlite3_reset(statement)
    }
    try execute("COMMIT")
  }
}
