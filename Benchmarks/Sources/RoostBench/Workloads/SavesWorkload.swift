import CBenchmarkSQLite
import Foundation
import GRDB

/// 2,000 rows into a new file, each in a transaction of its own.
enum SavesWorkload {
  static let rows = SampleRow.make(2_000)
  static let checksum = Checksum(rows)

  static var workload: Workload {
    var variants = [Variant("sqlite-tuned", sqliteTuned), Variant("grdb", grdb)]
    #if ROOST
      variants.insert(Variant("roost", roost), at: 0)
    #endif
    return Workload(name: "saves-2000", variants: variants)
  }

  private static func sqliteTuned(in folder: URL) throws -> Round {
    InsertWorkload.freshFile(in: folder) { file in
      let database = try Database(file, tuned: true)
      try database.execute(Database.schema)
      return try timed {
        let statement = try database.prepare(Database.insertion)
        defer { sqlite3_finalize(statement) }
        // Without a BEGIN each statement is a transaction.
        for row in rows { try database.insert(row, with: statement) }
      } check: {
        try check(file, "sqlite-tuned")
      }
    }
  }

  private static func grdb(in folder: URL) throws -> Round {
    InsertWorkload.freshFile(in: folder) { file in
      let queue = try DatabaseQueue.open(file)
      try queue.write { try $0.execute(sql: Database.schema) }
      return try timed {
        for row in rows {
          try queue.write { try RecordEntry(row).insert($0) }
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
