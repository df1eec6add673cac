import Foundation
import GRDB

/// A record mapped by hand, as GRDB's documentation recommends for speed: columns by position, not by name.
struct RecordEntry: FetchableRecord, PersistableRecord {
  static let databaseTableName = "entry"

  var id: Int64
  var title: String
  var body: String
  var date: Date

  init(_ row: SampleRow) {
    id = row.id
    title = row.title
    body = row.body
    date = row.date
  }

  init(row: GRDB.Row) {
    id = row[0]
    title = row[1]
    body = row[2]
    date = Date(timeIntervalSinceReferenceDate: row[3])
  }

  func encode(to container: inout PersistenceContainer) {
    container["id"] = id
    container["title"] = title
    container["body"] = body
    container["date"] = date.timeIntervalSinceReferenceDate
  }
}
