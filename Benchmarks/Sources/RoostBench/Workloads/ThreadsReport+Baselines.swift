import CBenchmarkSQLite
import Foundation
import GRDB

extension ThreadsReport {
  /// A connection a thread, with its statement prepared once.
  static func sqliteTuned(_ file: URL) throws -> (writer: Work, reader: @Sendable (Int) throws -> () throws -> Int) {
    let database = try Database(file, tuned: true)
    try database.execute(schema)
    try database.insert(Array(rows.prefix(firstCount)), with: insertion)
    return (
      writer: {
        let database = try Database(file, tuned: true)
        return {
          let statement = try database.prepare(insertion)
          defer { sqlite3_finalize(statement) }
          return try write { rows in
            try database.execute("BEGIN IMMEDIATE")
            for row in rows { try database.insert(row, with: statement) }
            try database.execute("COMMIT")
          }
        }
      },
      reader: { number in
        let database = try Database(file, tuned: true)
        return {
          let statement = try database.prepare(query)
          defer { sqlite3_finalize(statement) }
          return try read(number) { range, touch in
            sqlite3_bind_int64(statement, 1, Int64(range.lowerBound))
            sqlite3_bind_int64(statement, 2, Int64(range.upperBound))
            var found: [SampleRow] = []
            while sqlite3_step(statement) == SQLITE_ROW { found.append(SampleRow(reading: statement)) }
            sqlite3_reset(statement)
            for row in found { touch.add(title: row.title, body: row.body, date: row.date) }
            return found.count
          }
        }
      }
    )
  }

  /// A pool, whose readers do not wait for the writer.
  static func grdb(_ file: URL) throws -> (writer: Work, reader: @Sendable (Int) throws -> () throws -> Int) {
    let pool = try DatabasePool(path: file.path)
    try pool.write { database in
      try database.execute(sql: schema)
      for row in rows.prefix(firstCount) { try NumberedRecord(row).insert(database) }
    }
    return (
      writer: {
        {
          try write { rows in
            try pool.write { database in
              for row in rows { try NumberedRecord(row).insert(database) }
            }
          }
        }
      },
      reader: { number in
        {
          try read(number) { range, touch in
            let request = NumberedRecord.filter(
              Column("number") >= range.lowerBound && Column("number") < range.upperBound)
            let found = try pool.read { try request.fetchAll($0) }
            for row in found { touch.add(title: row.title, body: row.body, date: row.date) }
            return found.count
          }
        }
      }
    )
  }
}

/// Mapped by hand, columns by position.
private struct NumberedRecord: FetchableRecord, PersistableRecord {
  static let databaseTableName = "entry"
  static var databaseSelection: [any SQLSelectable] {
    [Column("number"), Column("title"), Column("body"), Column("date")]
  }

  let number: Int64
  let title, body: String
  let date: Date

  init(_ row: SampleRow) { (number, title, body, date) = (row.id, row.title, row.body, row.date) }

  init(row: Row) {
    number = row[0]
    title = row[1]
    body = row[2]
    date = Date(timeIntervalSinceReferenceDate: row[3])
  }

  func encode(to container: inout PersistenceContainer) {
    container["number"] = number
    container["title"] = title
    container["body"] = body
    container["date"] = date.timeIntervalSinceReferenceDate
  }
}
