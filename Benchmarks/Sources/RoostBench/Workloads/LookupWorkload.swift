import CBenchmarkSQLite
import Foundation
import GRDB

/// 100,000 rows out of 200,000, one at a time by identifier, in no order, each outside of a transaction.
enum LookupWorkload {
  static let indices = SampleRow.shuffledIndices(of: FetchWorkload.rows.count, taking: 100_000)
  static let touch = Touch(indices.lazy.map { FetchWorkload.rows[$0] })

  static var workload: Workload {
    var variants = [
      Variant("sqlite", sqlite),
      Variant("sqlite-tuned", sqliteTuned),
      Variant("grdb", grdb),
      Variant("grdb-codable", grdbCodable),
      Variant("grdb-statement", grdbStatement),
    ]
    #if ROOST
      variants.insert(Variant("roost", roost), at: 0)
    #endif
    return Workload(name: "lookup-100k", variants: variants)
  }

  private static func sqlite(in folder: URL) throws -> Round {
    try bare(in: folder, tuned: false)
  }

  private static func sqliteTuned(in folder: URL) throws -> Round {
    try bare(in: folder, tuned: true)
  }

  /// A statement prepared once a round, stepped once and reset a lookup.
  private static func bare(in folder: URL, tuned: Bool) throws -> Round {
    let database = try Database(FetchWorkload.filled(in: folder, tuned: tuned), tuned: tuned)
    return {
      try timed {
        let statement = try database.prepare("SELECT id, title, body, date FROM entry WHERE id = ?")
        defer { sqlite3_finalize(statement) }
        var touch = Touch()
        for index in indices {
          let row = try database.fetch(Int64(index + 1), with: statement)
          touch.add(title: row.title, body: row.body, date: row.date)
        }
        return touch
      } check: {
        try $0.check(against: touch, tuned ? "sqlite-tuned" : "sqlite")
      }
    }
  }

  private static func grdb(in folder: URL) throws -> Round {
    let queue = try DatabaseQueue.open(FetchWorkload.filled(in: folder, tuned: true))
    return {
      try timed {
        // One access for all lookups, without a transaction: `read` would open one each.
        try queue.unsafeRead { database in
          var touch = Touch()
          for index in indices {
            let found = try RecordEntry.fetchOne(database, key: Int64(index + 1))
            guard let row = found else { throw BenchmarkError("grdb misses row \(index + 1)") }
            touch.add(title: row.title, body: row.body, date: row.date)
          }
          return touch
        }
      } check: {
        try $0.check(against: touch, "grdb")
      }
    }
  }

  private static func grdbCodable(in folder: URL) throws -> Round {
    let queue = try DatabaseQueue.open(FetchWorkload.filled(in: folder, tuned: true))
    return {
      try timed {
        try queue.unsafeRead { database in
          var touch = Touch()
          for index in indices {
            let found = try CodableEntry.fetchOne(database, key: Int64(index + 1))
            guard let row = found else { throw BenchmarkError("grdb-codable misses row \(index + 1)") }
            touch.add(title: row.title, body: row.body, date: row.date)
          }
          return touch
        }
      } check: {
        try $0.check(against: touch, "grdb-codable")
      }
    }
  }

  /// With SQL of the user's own and GRDB's statement cache, since `fetchOne(_:key:)` compiles a statement each time.
  private static func grdbStatement(in folder: URL) throws -> Round {
    let queue = try DatabaseQueue.open(FetchWorkload.filled(in: folder, tuned: true))
    return {
      try timed {
        try queue.unsafeRead { database in
          let sql = "SELECT id, title, body, date FROM entry WHERE id = ?"
          let statement = try database.cachedStatement(sql: sql)
          var touch = Touch()
          for index in indices {
            let found = try RecordEntry.fetchOne(statement, arguments: [Int64(index + 1)])
            guard let row = found else { throw BenchmarkError("grdb-statement misses row \(index + 1)") }
            touch.add(title: row.title, body: row.body, date: row.date)
          }
          return touch
        }
      } check: {
        try $0.check(against: touch, "grdb-statement")
      }
    }
  }
}
