import CBenchmarkSQLite
import Foundation
import GRDB

/// 10,000 upserts into a table of 1,000,000 rows whose titles are unique: each changes the row with its title.
///
/// The dates go forth in one round and back in the next, so that every round has as much to change, and no file need
/// be made again.
enum UpsertIntoWorkload {
  static let rows = SampleRow.make(1_000_000)
  static let back = SampleRow.shuffledIndices(of: rows.count, taking: 10_000).map { rows[$0] }
  static let forth = back.map {
    SampleRow(id: $0.id, title: $0.title, body: $0.body, date: $0.date.addingTimeInterval(1))
  }
  static let checksums = (
    back: Checksum(rows),
    forth: {
      var changed = rows
      for row in forth { changed[Int(row.id) - 1] = row }
      return Checksum(changed)
    }()
  )

  static var workload: Workload {
    var variants = [Variant("sqlite-tuned", sqliteTuned), Variant("grdb", grdb)]
    #if ROOST
      variants.insert(Variant("roost", roost), at: 0)
    #endif
    return Workload(name: "upsert-10k-into-1M", variants: variants)
  }

  private static func sqliteTuned(in folder: URL) throws -> Round {
    let file = try filled(in: folder)
    let database = try Database(file, tuned: true)
    return round(file, "entry") { try database.run(UpsertWorkload.upsert, $0) }
  }

  private static func grdb(in folder: URL) throws -> Round {
    let file = try filled(in: folder)
    let queue = try DatabaseQueue.open(file)
    return round(file, "entry") { rows in
      try queue.write { database in
        let statement = try database.cachedStatement(sql: UpsertWorkload.upsert)
        for row in rows {
          try statement.execute(arguments: [row.title, row.body, row.date.timeIntervalSinceReferenceDate])
        }
      }
    }
  }

  /// Rounds that bring other dates and the first ones by turns.
  static func round<Output>(
    _ file: URL, _ table: String, _ upsert: @escaping ([SampleRow]) throws -> Output
  ) -> Round {
    var isForth = false
    return {
      isForth.toggle()
      return try timed {
        try upsert(isForth ? forth : back)
      } check: { _ in
        let found = try Database(file, tuned: true).checksum(of: "SELECT title, body, date FROM \(table)")
        try found.check(against: isForth ? checksums.forth : checksums.back, table)
      }
    }
  }

  private static func filled(in folder: URL) throws -> URL {
    let file = folder.appending(path: "filled.sqlite")
    let database = try Database(file, tuned: true)
    try database.execute(UpsertWorkload.schema)
    try database.insert(rows)
    return file
  }
}
