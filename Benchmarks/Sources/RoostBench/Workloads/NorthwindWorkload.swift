import Foundation
import GRDB

/// All 15,889 orders of a table like Northwind's, ten times a round, each result freed before the next fetch.
enum NorthwindWorkload {
  static let rows = OrderRow.make(15_889)
  static let fetchCount = 10

  static var workload: Workload {
    var variants = [
      Variant("sqlite-tuned", sqliteTuned), Variant("grdb", grdb), Variant("grdb-codable", grdbCodable),
    ]
    #if ROOST
      variants.insert(Variant("roost", roost), at: 0)
    #endif
    return Workload(name: "northwind-orders", variants: variants)
  }

  private static func sqliteTuned(in folder: URL) throws -> Round {
    let database = try Database(filled(in: folder), tuned: true)
    return round {
      try database.fetchAllOrders()
    } check: {
      try check($0, "sqlite-tuned")
    }
  }

  private static func grdb(in folder: URL) throws -> Round {
    let queue = try DatabaseQueue.open(filled(in: folder))
    return round {
      try queue.read { try RecordOrder.fetchAll($0) }
    } check: {
      try check($0.map(\.values), "grdb")
    }
  }

  private static func grdbCodable(in folder: URL) throws -> Round {
    let queue = try DatabaseQueue.open(filled(in: folder))
    return round {
      try queue.read { try OrderRow.fetchAll($0) }
    } check: {
      try check($0, "grdb-codable")
    }
  }

  static func round<Output>(
    _ fetch: @escaping () throws -> Output, check: @escaping (Output) throws -> Void
  ) -> Round {
    { try (0..<fetchCount).reduce(.zero) { time, _ in time + (try timed(fetch, check: check)) } }
  }

  /// The order of the rows does not matter.
  static func check(_ found: [OrderRow], _ variant: String) throws {
    guard found.sorted(by: { $0.orderID < $1.orderID }) == rows else {
      throw BenchmarkError("northwind-orders, \(variant): other orders than expected")
    }
  }

  /// A file with all orders in it, closed and so checkpointed.
  private static func filled(in folder: URL) throws -> URL {
    let file = folder.appending(path: "filled.sqlite")
    let queue = try DatabaseQueue.open(file)
    try queue.write { database in
      try database.execute(sql: Database.ordersSchema)
      for row in rows { try row.insert(database) }
    }
    try queue.close()
    return file
  }
}
