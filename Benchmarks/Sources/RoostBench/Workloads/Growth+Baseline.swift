import CBenchmarkSQLite
import Foundation

extension Growth {
  /// Does the work once by hand, with a file of its own. Without a memory of rows, a second fetch is like the first.
  func sqliteTime(_ rows: [SampleRow], _ file: URL) throws -> Duration {
    let database = try Database(file, tuned: true)
    try database.execute(self == .upsert ? UpsertWorkload.schema : Database.schema)
    if self != .insert { try database.insert(rows) }
    let updates = [.update, .upsert].contains(self) ? Self.later(rows) : []
    let identifiers = self == .lookUp ? Self.shuffled(rows.map(\.id)) : []
    return try timed {
      var (found, touch) = ([SampleRow](), Touch())
      switch self {
      case .insert: try database.insert(rows)
      case .fetch, .refetch:
        found = try database.fetchAll()
        for row in found { touch.add(title: row.title, body: row.body, date: row.date) }
      case .lookUp:
        let statement = try database.prepare("SELECT id, title, body, date FROM entry WHERE id = ?")
        defer { sqlite3_finalize(statement) }
        for identifier in identifiers {
          let row = try database.fetch(identifier, with: statement)
          touch.add(title: row.title, body: row.body, date: row.date)
        }
      case .update: try database.edit(updates, "UPDATE entry SET date = ?2 WHERE id = ?1")
      case .delete: try database.edit(rows, "DELETE FROM entry WHERE id = ?1")
      case .upsert: try database.run(UpsertWorkload.upsert, updates)
      }
      return (found, touch)
    } check: { _, touch in
      try check(file, "entry", touch, rows)
    }
  }
}

extension Database {
  /// Runs a statement with the key, and if it has a second parameter the date, of each row, in one transaction.
  fileprivate func edit(_ rows: [SampleRow], _ sql: String) throws {
    try execute("BEGIN IMMEDIATE")
    let statement = try prepare(sql)
    defer { sqlite3_finalize(statement) }
    let hasDate = sqlite3_bind_parameter_count(statement) > 1
    for row in rows {
      sqlite3_bind_int64(statement, 1, row.id)
      if hasDate { sqlite3_bind_double(statement, 2, row.date.timeIntervalSinceReferenceDate) }
      try check(sqlite3_step(statement), expecting: SQLITE_DONE)
      sqlite3_reset(statement)
    }
    try execute("COMMIT")
  }
}
