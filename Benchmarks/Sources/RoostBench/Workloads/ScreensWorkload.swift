import CBenchmarkSQLite
import Foundation
import GRDB

/// 1,000 screens of 20 messages each, out of 100,000: those of a channel before a date, the latest first.
enum ScreensWorkload {
  static let expected: Sight = {
    var sight = Sight()
    for screen in Screen.all {
      for row in screen.expected { sight.add(row) }
    }
    return sight
  }()

  static let query = """
    SELECT "_pk", "channel", "date", "author", "text" FROM "Message" WHERE "channel" = ? AND "date" < ?
    ORDER BY "date" DESC LIMIT \(Screen.limit)
    """

  static var workload: Workload {
    var variants = [
      Variant("sqlite-tuned", sqliteTuned), Variant("grdb", grdb), Variant("grdb-statement", grdbStatement),
    ]
    #if ROOST
      variants.insert(Variant("roost", roost), at: 0)
    #endif
    return Workload(name: "screens-1000", variants: variants)
  }

  /// Rounds that see all screens, one after the other.
  static func round(_ variant: String, _ work: @escaping (inout Sight) throws -> Void) -> Round {
    {
      try timed {
        var sight = Sight()
        try work(&sight)
        return sight
      } check: {
        guard $0 == expected else { throw BenchmarkError("screens-1000, \(variant): other messages than expected") }
      }
    }
  }

  private static func sqliteTuned(in folder: URL) throws -> Round {
    let database = try Database(filled(in: folder), tuned: true)
    return round("sqlite-tuned") { sight in
      let statement = try database.prepare(query)
      defer { sqlite3_finalize(statement) }
      for screen in Screen.all {
        sqlite3_bind_int64(statement, 1, Int64(screen.channel))
        sqlite3_bind_double(statement, 2, screen.date.timeIntervalSinceReferenceDate)
        var found: [MessageRow] = []
        while sqlite3_step(statement) == SQLITE_ROW { found.append(MessageRow(reading: statement)) }
        sqlite3_reset(statement)
        for row in found { sight.add(row) }
      }
    }
  }

  private static func grdb(in folder: URL) throws -> Round {
    let queue = try DatabaseQueue.open(filled(in: folder))
    return round("grdb") { sight in
      for screen in Screen.all {
        let request = MessageRow.filter(
          Column("channel") == screen.channel && Column("date") < screen.date.timeIntervalSinceReferenceDate)
        let latest = request.order(Column("date").desc).limit(Screen.limit)
        for row in try queue.read({ try latest.fetchAll($0) }) { sight.add(row) }
      }
    }
  }

  /// With SQL of the user's own, which GRDB keeps as a statement.
  private static func grdbStatement(in folder: URL) throws -> Round {
    let queue = try DatabaseQueue.open(filled(in: folder))
    return round("grdb-statement") { sight in
      for screen in Screen.all {
        let found = try queue.read { database in
          let statement = try database.cachedStatement(sql: query)
          return try MessageRow.fetchAll(
            statement, arguments: [screen.channel, screen.date.timeIntervalSinceReferenceDate])
        }
        for row in found { sight.add(row) }
      }
    }
  }

  private static func filled(in folder: URL) throws -> URL {
    let file = folder.appending(path: "messages.sqlite")
    let database = try Database(file, tuned: true)
    try database.execute(MessageRow.schema)
    try database.execute(MessageRow.fill)
    return file
  }
}

extension Sight {
  @inline(__always)
  fileprivate mutating func add(_ row: MessageRow) {
    add(channel: row.channel, date: row.date, author: row.author, text: row.text)
  }
}

extension MessageRow {
  @inline(__always)
  fileprivate init(reading statement: OpaquePointer) {
    self.init(
      id: sqlite3_column_int64(statement, 0), channel: Int(sqlite3_column_int64(statement, 1)),
      date: Date(timeIntervalSinceReferenceDate: sqlite3_column_double(statement, 2)),
      author: SampleRow.text(statement, 3), text: SampleRow.text(statement, 4))
  }
}

/// Mapped by hand, columns by position.
extension MessageRow: FetchableRecord, TableRecord {
  static let databaseTableName = "Message"

  init(row: Row) {
    self.init(
      id: row[0], channel: row[1], date: Date(timeIntervalSinceReferenceDate: row[2]), author: row[3], text: row[4])
  }
}
