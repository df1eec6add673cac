import Foundation
import GRDB

/// Rows of ten integers, as in GRDB's own performance suite: 50,000 of them into a new
/// file, 200,000 of them out of one.
enum TenIntegersWorkload {
  static let inserted = TenIntegers.make(50_000)
  static let fetched = TenIntegers.make(200_000)

  static var workloads: [Workload] {
    var inserts = [
      Variant("sqlite-tuned", sqliteInsert), Variant("grdb", grdbInsert), Variant("grdb-statement", grdbStatement),
    ]
    var fetches = [Variant("sqlite-tuned", sqliteFetch), Variant("grdb", grdbFetch)]
    #if ROOST
      inserts.insert(Variant("roost", roostInsert), at: 0)
      fetches.insert(Variant("roost", roostFetch), at: 0)
    #endif
    return [
      Workload(name: "insert-10-integers", variants: inserts), Workload(name: "fetch-10-integers", variants: fetches),
    ]
  }

  private static func sqliteInsert(in folder: URL) throws -> Round {
    InsertWorkload.freshFile(in: folder) { file in
      let database = try Database(file, tuned: true)
      try database.execute(Database.tenIntegersSchema)
      return try timed {
        try database.insert(inserted)
      } check: {
        try check(file, "sqlite-tuned")
      }
    }
  }

  private static func grdbInsert(in folder: URL) throws -> Round {
    grdbRound(in: folder) { database in
      for row in inserted { try row.insert(database) }
    }
  }

  private static func grdbStatement(in folder: URL) throws -> Round {
    grdbRound(in: folder) { database in
      let statement = try database.makeStatement(sql: Database.tenIntegersInsertion)
      for row in inserted { try row.insert(with: statement) }
    }
  }

  private static func grdbRound(in folder: URL, _ insert: @escaping (GRDB.Database) throws -> Void) -> Round {
    InsertWorkload.freshFile(in: folder) { file in
      let queue = try DatabaseQueue.open(file)
      try queue.write { try $0.execute(sql: Database.tenIntegersSchema) }
      return try timed {
        try queue.write(insert)
      } check: {
        try check(file, "grdb")
      }
    }
  }

  private static func check(_ file: URL, _ variant: String) throws {
    try TenIntegers.check(Database(file, tuned: true).fetchAllTenIntegers(), against: inserted, variant)
  }

  private static func sqliteFetch(in folder: URL) throws -> Round {
    let database = try Database(filled(in: folder), tuned: true)
    return {
      try timed {
        try database.fetchAllTenIntegers()
      } check: {
        try TenIntegers.check($0, against: fetched, "sqlite-tuned")
      }
    }
  }

  private static func grdbFetch(in folder: URL) throws -> Round {
    let queue = try DatabaseQueue.open(filled(in: folder))
    return {
      try timed {
        try queue.read { try TenIntegers.fetchAll($0) }
      } check: {
        try TenIntegers.check($0, against: fetched, "grdb")
      }
    }
  }

  private static func filled(in folder: URL) throws -> URL {
    let file = folder.appending(path: "filled.sqlite")
    let database = try Database(file, tuned: true)
    try database.execute(Database.tenIntegersSchema)
    try database.insert(fetched)
    return file
  }
}
