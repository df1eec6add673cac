import Foundation
import Roost

struct Bench: Codable, Hashable, Sendable {
  var row: Int
  var letter: String?
}

@Model final class Event {
  #Index<Event>([\.day], [\.rank, \.date], [\.stars])
  var day: Int
  var rank = 0
  var date = Date(timeIntervalSinceReferenceDate: 0)
  var stars: Int?
  var title: String
  var subtitle: String?
  var price: Decimal = 0
  var big: UInt64 = 0
  var maybeBig: UInt64?
  var isFull = false
  var isOld: Bool?
  var weight: Float = 0
  var bench = Bench(row: 0)
  var maybeBench: Bench?
  var venue: Venue?
  var other: Venue?

  init(day: Int, title: String) {
    self.day = day
    self.title = title
  }
}

@Model final class Venue {
  var name: String
  var city: String?
  var seats = 0
  @Relationship(inverse: \Event.venue) var events: [Event] = []

  init(name: String) { self.name = name }
}

func makeEvents() throws -> ModelContext {
  ModelContext(try ModelContainer(for: Event.self, configurations: ModelConfiguration(isStoredInMemoryOnly: true)))
}

// Few values of each, so that many are equal.
extension Event {
  convenience init(_ random: inout SeededRandom) {
    self.init(day: 0, title: "")
    change(&random)
  }

  func change(_ random: inout SeededRandom) {
    day = random.below(4)
    rank = random.below(3)
    date = Date(timeIntervalSinceReferenceDate: Double(random.below(3)) / 3)
    stars = random.once(in: 3) ? nil : random.below(3)
    title = random.pick(["a", "A", "b", "\u{e9}", "e\u{301}", "", "10", "9"])
    subtitle = random.once(in: 3) ? nil : random.pick(["a", "B", "\u{e4}"])
    price = Decimal(random.below(5) - 2) / 10
    big = random.pick([0, 1, .max, UInt64(Int64.max), UInt64(Int64.max) + 1])
    maybeBig = random.once(in: 3) ? nil : random.pick([0, .max])
    isFull = random.once(in: 2)
    isOld = random.once(in: 3) ? nil : random.once(in: 2)
    weight = Float(random.below(3)) / 10
    bench = Bench(row: random.below(3), letter: random.once(in: 3) ? nil : random.pick(["x", "y"]))
    maybeBench = random.once(in: 3) ? nil : bench
  }
}

extension Venue {
  convenience init(_ random: inout SeededRandom) {
    self.init(name: random.pick(["a", "b", "\u{e4}"]))
    city = random.once(in: 3) ? nil : random.pick(["x", "y"])
    seats = random.below(3)
  }
}
