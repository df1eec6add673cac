import CBenchmarkSQLite
import Foundation

/// One row of 50,000 is changed and saved, and whoever shows all of them in order sees it; 100 times.
enum ObserveWorkload {
  static let rows = SampleRow.make(50_000)
  /// Which rows get which new date, each after the other.
  static let changes = SampleRow.shuffledIndices(of: rows.count, taking: 100).map { index in
    (id: Int64(index + 1), date: Date(timeIntervalSinceReferenceDate: Double(index) * 10_000))
  }

  static var workload: Workload {
    var variants = [Variant("sqlite-tuned", sqliteTuned)]
    #if ROOST
      variants.insert(Variant("roost", roost), at: 0)
    #endif
    return Workload(name: "observe-1-of-50k", variants: variants)
  }

  /// What is the least that anybody must do: an update, and the row read by its key on another connection.
  private static func sqliteTuned(in folder: URL) throws -> Round {
    InsertWorkload.freshFile(in: folder) { file in
      let writer = try Database(file, tuned: true)
      try writer.execute(Database.schema)
      try writer.insert(rows)
      let reader = try Database(file, tuned: true)
      return try timed {
        let update = try writer.prepare("UPDATE entry SET date = ? WHERE id = ?")
        let lookup = try reader.prepare("SELECT id, title, body, date FROM entry WHERE id = ?")
        defer {
          sqlite3_finalize(update)
          sqlite3_finalize(lookup)
        }
        for (id, date) in changes {
          sqlite3_bind_double(update, 1, date.timeIntervalSinceReferenceDate)
          sqlite3_bind_int64(update, 2, id)
          try writer.check(sqlite3_step(update), expecting: SQLITE_DONE)
          sqlite3_reset(update)
          guard try reader.fetch(id, with: lookup).date == date else { throw BenchmarkError("another date") }
        }
      } check: {
      }
    }
  }
}
