import Foundation
import Roost

/// The strings are longer than the 15 bytes that Swift keeps without an allocation.
protocol EntryValues {
  var title: String { get }
  var body: String { get }
  var date: Date { get }
}

extension EntryValues {
  /// Which takes reading every value.
  var size: Int { title.utf8.count + body.utf8.count + Int(date.timeIntervalSinceReferenceDate) }
}

extension Array where Element: EntryValues {
  var size: Int { reduce(0) { $0 + $1.size } }
}

@Model
final class Entry: EntryValues {
  var title: String
  var body: String
  var date: Date

  init(_ row: Row) { (title, body, date) = (row.title, row.body, row.date) }
}

@Model
final class UniqueEntry: EntryValues {
  @Attribute(.unique) var title: String
  var body: String
  var date: Date

  init(_ row: Row) { (title, body, date) = (row.title, row.body, row.date) }
}

@Model
final class Visit: EntryValues {
  var title: String
  var body: String
  var date: Date
  var place: Place?

  init(_ row: Row) { (title, body, date) = (row.title, row.body, row.date) }
}

@Model
final class Place {
  var name: String

  init(name: String) { self.name = name }
}

/// The values of a model, made before anything is counted.
struct Row: EntryValues {
  let title: String
  let body: String
  let date: Date

  init(_ number: Int, later: Double = 0) {
    title = "Sighting \(1_000_000 + number) of the year"
    body = "\(1_000_000 + number) swift martin swallow nest roost feather dusk flight tower gable"
    date = Date(timeIntervalSinceReferenceDate: Double(number) + later)
  }

  static func rows(_ count: Int, later: Double = 0) -> [Row] { (1...count).map { Row($0, later: later) } }
}
