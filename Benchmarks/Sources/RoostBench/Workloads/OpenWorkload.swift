import CBenchmarkSQLite
import Foundation
import GRDB

/// A file with 1,000,000 rows opened, its first row read, and closed again.
enum OpenWorkload {
  static var rows: [SampleRow] { UpsertIntoWorkload.rows }

  static var workload: Workload {
    var variants = [Variant("sqlite-tuned", sqliteTuned), Variant("grdb", grdb)]
    #if ROOST
      variants.insert(Variant("roost", roost), at: 0)
    #endif
    return Workload(name: "open-1M", variants: variants)
  }

  private static func sqliteTuned(in folder: URL) throws -> Round {
    let file = try filled(in: folder)
    return round("sqlite-tuned") {
      let database = try Database(file, tuned: true)
      let statement = try database.prepare("SELECT id, title, body, date FROM entry LIMIT 1")
      defer { sqlite3_finalize(statement) }
      try database.check(sqlite3_step(statement), expecting: SQLITE_ROW)
      return SampleRow(reading: statement)
    }
  }

  private static func grdb(in folder: URL) throws -> Round {
    let file = try filled(in: folder)
    return round("grdb") {
      let queue = try DatabaseQueue.open(file)
      defer { try? queue.close() }
      return try queue.read { try RecordEntry.fetchOne($0) }
    }
  }

  static func round<Found: EntryValues>(_ variant: String, _ open: @escaping () throws -> Found?) -> Round {
    {
      try timed(open) { found in
        var sum = Checksum()
        if let found { sum.add(title: found.title, body: found.body, date: found.date) }
        try sum.check(against: Checksum(rows.prefix(1)), "open-1M, \(variant)")
      }
    }
  }

  private static func filled(in folder: URL) throws -> URL {
    let file = folder.appending(path: "filled.sqlite")
    let database = try Database(file, tuned: true)
    try database.execute(Database.schema)
    try database.insert(rows)
    return file
  }
}
