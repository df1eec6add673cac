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

@Model
final class Flock {
  var name: String
  @Relationship(deleteRule: .cascade, inverse: \Bird.flock) var birds: [Bird] = []

  init(name: String) { self.name = name }
}

@Model
final class Bird: EntryValues {
  var title: String
  var body: String
  var date: Date
  var flock: Flock?

  init(_ row: Row, flock: Flock) {
    (title, body, date) = (row.title, row.body, row.date)
    self.flock = flock
  }
}

@Model
final class Nest {
  var name: String
  @Relationship(deleteRule: .cascade, inverse: \Egg.nest) var eggs: [Egg] = []

  init(name: String) { self.name = name }
}

@Model
final class Egg {
  var title: String
  var body: String
  var date: Date
  var nest: Nest

  init(_ row: Row, nest: Nest) {
    (title, body, date) = (row.title, row.body, row.date)
    self.nest = nest
  }
}

// Apart, as a class that may have a superclass is linked when it is inserted.
extension Egg: EntryValues {}

@Model
final class Tally {
  var a: Int
  var b: Int
  var c: Int
  var d: Int
  var e: Int
  var f: Int
  var g: Int
  var h: Int
  var i: Int
  var j: Int

  init(_ number: Int) {
    (a, b, c, d, e) = (number, number + 1, number + 2, number + 3, number + 4)
    (f, g, h, i, j) = (number + 5, number + 6, number + 7, number + 8, number + 9)
  }

  var size: Int { a + b + c + d + e + f + g + h + i + j }

  /// That of so many, numbered from 0.
  static func size(_ count: Int) -> Int { (0..<count).reduce(0) { $0 + 10 * $1 + 45 } }
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
