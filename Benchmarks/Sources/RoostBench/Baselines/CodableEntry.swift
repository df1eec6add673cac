import Foundation
import GRDB

/// A record that `Codable` maps: the least that a user of GRDB has to write.
struct CodableEntry: Codable, FetchableRecord, PersistableRecord {
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

  // A number, as in all other variants: GRDB's default, text, takes far longer to read.
  static func databaseDateDecodingStrategy(for column: String) -> DatabaseDateDecodingStrategy {
    .timeIntervalSinceReferenceDate
  }

  static func databaseDateEncodingStrategy(for column: String) -> DatabaseDateEncodingStrategy {
    .timeIntervalSinceReferenceDate
  }
}
