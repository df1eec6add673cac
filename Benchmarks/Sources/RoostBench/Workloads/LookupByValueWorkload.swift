import CBenchmarkSQLite
import Foundation
import GRDB

/// 100,000 rows out of 200,000, one at a time by the value of a column, in no order, each outside of a transaction.
enum LookupByValueWorkload: String, CaseIterable {
  /// By a text that is unique, and no more than one row of it.
  case string = "lookup-100k-string"
  /// By an integer that has an index and need not be unique, and all rows of it: one each.
  case predicate = "lookup-100k-predicate"

  /// One number a row, in another order than the rows.
  static let number = "?1 * 7919 % 200003"
  static func number(of id: Int64) -> Int { Int(id) * 7_919 % 200_003 }

  static let schema = """
    CREATE TABLE entry (
      id INTEGER PRIMARY KEY, title TEXT NOT NULL UNIQUE, body TEXT NOT NULL, date REAL NOT NULL,
      number INTEGER NOT NULL);
    CREATE INDEX entry_number ON entry (number)
    """

  /// The rows to look for, in this order.
  static let wanted = LookupWorkload.indices.map { FetchWorkload.rows[$0] }
  static let touched = Touch(wanted)

  var workload: Workload {
    var variants = [
      Variant("sqlite-tuned", sqliteTuned), Variant("grdb", grdb), Variant("grdb-statement", grdbStatement),
    ]
    #if ROOST
      variants.insert(Variant("roost", roost), at: 0)
    #endif
    return Workload(name: rawValue, variants: variants)
  }

  private var query: String {
    switch self {
    case .string: "SELECT id, title, body, date FROM entry WHERE title = ?"
    case .predicate: "SELECT id, title, body, date FROM entry WHERE number = ?"
    }
  }

  private func sqliteTuned(in folder: URL) throws -> Round {
    let database = try Database(Self.filled(in: folder), tuned: true)
    return round("sqlite-tuned") {
      let statement = try database.prepare(query)
      defer { sqlite3_finalize(statement) }
      return try Self.touch { row in
        switch self {
        case .string: try database.first(of: row.title, with: statement)
        case .predicate: try database.all(of: Int64(Self.number(of: row.id)), with: statement).first
        }
      }
    }
  }

  private func grdb(in folder: URL) throws -> Round {
    let queue = try DatabaseQueue.open(Self.filled(in: folder))
    return round("grdb") {
      // One access for all lookups, without a transaction, as in `lookup-100k`.
      try queue.unsafeRead { database in
        try Self.touch { row in
          switch self {
          case .string: try RecordEntry.filter(Column("title") == row.title).fetchOne(database)
          case .predicate:
            try RecordEntry.filter(Column("number") == Self.number(of: row.id)).fetchAll(database).first
          }
        }
      }
    }
  }

  /// With SQL of the user's own in a statement kept.
  private func grdbStatement(in folder: URL) throws -> Round {
    let queue = try DatabaseQueue.open(Self.filled(in: folder))
    return round("grdb-statement") {
      try queue.unsafeRead { database in
        let statement = try database.cachedStatement(sql: query)
        return try Self.touch { row in
          switch self {
          case .string: try RecordEntry.fetchOne(statement, arguments: [row.title])
          case .predicate: try RecordEntry.fetchAll(statement, arguments: [Self.number(of: row.id)]).first
          }
        }
      }
    }
  }

  func round(_ variant: String, _ work: @escaping () throws -> Touch) -> Round {
    {
      try timed(work) {
        try $0.check(against: Self.touched, "\(rawValue), \(variant)")
      }
    }
  }

  /// Finds one row after the other, and touches its values.
  @inline(__always)
  static func touch(_ find: (SampleRow) throws -> (some EntryValues)?) throws -> Touch {
    var touch = Touch()
    for row in wanted {
      guard let found = try find(row) else { throw BenchmarkError("row \(row.id) is missing") }
      touch.add(title: found.title, body: found.body, date: found.date)
    }
    return touch
  }

  private static func filled(in folder: URL) throws -> URL {
    let file = folder.appending(path: "filled.sqlite")
    let database = try Database(file, tuned: true)
    try database.execute(schema)
    try database.insert(
      FetchWorkload.rows, with: "INSERT INTO entry (id, title, body, date, number) VALUES (?1, ?2, ?3, ?4, \(number))")
    return file
  }
}

extension Database {
  /// The one row with a text, by a statement made beforehand.
  fileprivate func first(of text: String, with statement: OpaquePointer) throws -> SampleRow? {
    var text = text
    return try text.withUTF8 { bytes in
      sqlite3_bind_text(statement, 1, bytes.baseAddress, Int32(bytes.count), nil)
      defer { sqlite3_reset(statement) }
      try check(sqlite3_step(statement), expecting: SQLITE_ROW)
      return SampleRow(reading: statement)
    }
  }

  /// All rows with a number.
  fileprivate func all(of number: Int64, with statement: OpaquePointer) throws -> [SampleRow] {
    sqlite3_bind_int64(statement, 1, number)
    defer { sqlite3_reset(statement) }
    var rows: [SampleRow] = []
    while sqlite3_step(statement) == SQLITE_ROW { rows.append(SampleRow(reading: statement)) }
    return rows
  }
}

/// What is touched of a row, whatever holds it.
protocol EntryValues {
  var title: String { get }
  var body: String { get }
  var date: Date { get }
}

extension SampleRow: EntryValues {}

extension RecordEntry: EntryValues {}
