import Foundation
import Roost

/// The row as a model, as a program with SwiftData has it. The identifier is the model's own.
@Model
final class Entry {
  var title: String
  var body: String
  var date: Date

  init(title: String, body: String, date: Date) {
    self.title = title
    self.body = body
    self.date = date
  }

  convenience init(_ row: SampleRow) {
    self.init(title: row.title, body: row.body, date: row.date)
  }
}
