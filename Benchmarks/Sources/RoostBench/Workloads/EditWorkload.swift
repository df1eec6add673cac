import CBenchmarkSQLite
import Foundation
import GRDB

/// 50,000 rows that lie in memory already, each changed or deleted by itself, in one transaction.
enum EditWorkload: String, CaseIterable {
  /// Each row's number counted up.
  case update = "update-50k"
  /// Each row deleted.
  case delete = "delete-50k"

  static let count = 50_000

  var workload: Workload {
    var variants = [Variant("sqlite-tuned", sqliteTuned), Variant("grdb", grdb)]
    #if ROOST
      variants.insert(Variant("roost", roost), at: 0)
    #endif
    return Workload(name: rawValue, variants: variants)
  }

  private func sqliteTuned(in folder: URL) throws -> Round {
    let file = folder.appending(path: "counters.sqlite")
    let database = try Database(file, tuned: true)
    try database.execute(UpdateWorkload.schema)
    return round(file, "counter") {
      try database.fetchAllCounters()
    } edit: { rows in
      try database.execute("BEGIN IMMEDIATE")
      switch self {
      case .update:
        let statement = try database.prepare("UPDATE counter SET count = ? WHERE id = ?")
        defer { sqlite3_finalize(statement) }
        for index in rows.indices {
          rows[index].count += 1
          sqlite3_bind_int64(statement, 1, Int64(rows[index].count))
          sqlite3_bind_int64(statement, 2, rows[index].id)
          try database.check(sqlite3_step(statement), expecting: SQLITE_DONE)
          sqlite3_reset(statement)
        }
      case .delete:
        let statement = try database.prepare("DELETE FROM counter WHERE id = ?")
        defer { sqlite3_finalize(statement) }
        for row in rows {
          sqlite3_bind_int64(statement, 1, row.id)
          try database.check(sqlite3_step(statement), expecting: SQLITE_DONE)
          sqlite3_reset(statement)
        }
      }
      try database.execute("COMMIT")
    }
  }

  private func grdb(in folder: URL) throws -> Round {
    let file = folder.appending(path: "counters.sqlite")
    let queue = try DatabaseQueue.open(file)
    try queue.write { try $0.execute(sql: UpdateWorkload.schema) }
    return round(file, "counter") {
      try queue.read { try CounterRow.fetchAll($0) }
    } edit: { rows in
      try queue.write { database in
        switch self {
        case .update:
          for index in rows.indices {
            rows[index].count += 1
            try rows[index].update(database, columns: ["count"])
          }
        case .delete: for row in rows { try row.delete(database) }
        }
      }
    }
  }

  /// Rounds that put the first rows back, fetch them, and edit them while the clock runs.
  func round<Rows>(
    _ file: URL, _ table: String, fetch: @escaping () throws -> Rows, edit: @escaping (inout Rows) throws -> Void
  ) -> Round {
    {
      try Self.restore(file, table)
      var rows = try fetch()
      let time = try timed {
        try edit(&rows)
      } check: {
        try check(file, table)
      }
      // Until here, so that no row is freed while the clock runs.
      withExtendedLifetime(rows) {}
      return time
    }
  }

  private static func restore(_ file: URL, _ table: String) throws {
    let database = try Database(file, tuned: true)
    try database.execute("DELETE FROM \(table)")
    try database.execute(UpdateWorkload.insertion(into: table, count: count))
    // Whoever is measured begins with an empty log.
    try database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
  }

  private func check(_ file: URL, _ table: String) throws {
    let found = try Database(file, tuned: true).fetchAllCounters(of: "SELECT 0, title, count, isOn FROM \(table)")
    let expected = (1...Self.count).map { number in
      CounterRow(id: 0, title: UpdateWorkload.title(number), count: number + 1, isOn: number % 2 == 1)
    }
    guard found.sorted(by: { $0.count < $1.count }) == (self == .update ? expected : []) else {
      throw BenchmarkError("\(rawValue): \(table) has other rows than expected")
    }
  }
}
