import Foundation
import GRDB

/// 50,000 rows into a new file, in one transaction.
enum InsertWorkload {
  static let rows = SampleRow.make(50_000)
  static let checksum = Checksum(rows)

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
    return Workload(name: "insert-50k", variants: variants)
  }

  private static func sqlite(in folder: URL) throws -> Round {
    bare(in: folder, tuned: false)
  }

  private static func sqliteTuned(in folder: URL) throws -> Round {
    bare(in: folder, tuned: true)
  }

  private static func bare(in folder: URL, tuned: Bool) -> Round {
    freshFile(in: folder) { file in
      let database = try Database(file, tuned: tuned)
      try database.execute(Database.schema)
      return try timed {
        try database.insert(rows)
      } check: {
        try check(file, tuned ? "sqlite-tuned" : "sqlite")
      }
    }
  }

  private static func grdb(in folder: URL) throws -> Round {
    freshFile(in: folder) { file in
      let queue = try DatabaseQueue.open(file)
      try queue.write { try $0.execute(sql: Database.schema) }
      return try timed {
        try queue.write { database in
          for row in rows { try RecordEntry(row).insert(database) }
        }
      } check: {
        try check(file, "grdb")
      }
    }
  }

  private static func grdbCodable(in folder: URL) throws -> Round {
    freshFile(in: folder) { file in
      let queue = try DatabaseQueue.open(file)
      try queue.write { try $0.execute(sql: Database.schema) }
      return try timed {
        try queue.write { database in
          for row in rows { try CodableEntry(row).insert(database) }
        }
      } check: {
        try check(file, "grdb-codable")
      }
    }
  }

  /// A round that has the folder to itself, with a file that is not there yet, and leaves nothing behind.
  static func freshFile(in folder: URL, _ round: @escaping (URL) throws -> Duration) -> Round {
    {
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      defer { try? FileManager.default.removeItem(at: folder) }
      return try round(folder.appending(path: "insert.sqlite"))
    }
  }

  /// Reads back what was written, over another connection.
  private static func check(_ file: URL, _ variant: String) throws {
    try Checksum(Database(file, tuned: true).fetchAll()).check(against: checksum, variant)
  }
}
