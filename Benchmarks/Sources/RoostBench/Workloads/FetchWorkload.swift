import Foundation
import GRDB

/// All of 200,000 rows, every value touched, then freed.
enum FetchWorkload {
  static let rows = SampleRow.make(200_000)
  static let checksum = Checksum(rows)
  static let touch = Touch(rows)

  static var workload: Workload {
    var variants = [
      Variant("sqlite", sqlite),
      Variant("sqlite-tuned", sqliteTuned),
      Variant("grdb", grdb),
      Variant("grdb-codable", grdbCodable),
    ]
    #if ROOST
      variants.insert(Variant("roost", roost), at: 0)
    #endif
    return Workload(name: "fetch-200k", variants: variants)
  }

  private static func sqlite(in folder: URL) throws -> Round {
    try bare(in: folder, tuned: false)
  }

  static func sqliteTuned(in folder: URL) throws -> Round {
    try bare(in: folder, tuned: true)
  }

  private static func bare(in folder: URL, tuned: Bool) throws -> Round {
    let database = try Database(filled(in: folder, tuned: tuned), tuned: tuned)
    return {
      try timed {
        let found = try database.fetchAll()
        var touch = Touch()
        for row in found { touch.add(title: row.title, body: row.body, date: row.date) }
        return (found, touch)
      } check: { found, touched in
        try touched.check(against: touch, tuned ? "sqlite-tuned" : "sqlite")
        try Checksum(found).check(against: checksum, tuned ? "sqlite-tuned" : "sqlite")
      }
    }
  }

  static func grdb(in folder: URL) throws -> Round {
    let queue = try DatabaseQueue.open(filled(in: folder, tuned: true))
    return {
      try timed {
        let found = try queue.read { try RecordEntry.fetchAll($0) }
        var touch = Touch()
        for row in found { touch.add(title: row.title, body: row.body, date: row.date) }
        return (found, touch)
      } check: { found, touched in
        try touched.check(against: touch, "grdb")
        var sum = Checksum()
        for row in found { sum.add(title: row.title, body: row.body, date: row.date) }
        try sum.check(against: checksum, "grdb")
      }
    }
  }

  private static func grdbCodable(in folder: URL) throws -> Round {
    let queue = try DatabaseQueue.open(filled(in: folder, tuned: true))
    return {
      try timed {
        let found = try queue.read { try CodableEntry.fetchAll($0) }
        var touch = Touch()
        for row in found { touch.add(title: row.title, body: row.body, date: row.date) }
        return (found, touch)
      } check: { found, touched in
        try touched.check(against: touch, "grdb-codable")
        var sum = Checksum()
        for row in found { sum.add(title: row.title, body: row.body, date: row.date) }
        try sum.check(against: checksum, "grdb-codable")
      }
    }
  }

  /// A file with all rows in it, as the C interface writes it, closed and so checkpointed.
  static func filled(in folder: URL, tuned: Bool) throws -> URL {
    let file = folder.appending(path: "filled.sqlite")
    let database = try Database(file, tuned: tuned)
    try database.execute(Database.schema)
    try database.insert(rows)
    return file
  }
}
