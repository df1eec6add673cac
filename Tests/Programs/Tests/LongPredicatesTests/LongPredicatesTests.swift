import Foundation
import SwiftData
import Testing

// Predicates that the compiler gives up on where the target does not declare the macro, as the plug-in does.

@Model final class Instrument {
  var name: String
  var maker: String?
  var year: Int
  var strings: Int
  var price: Double
  var weight: Double?
  var isForSale: Bool
  var isDamaged: Bool
  var bought: Date
  var sold: Date?

  init(_ name: String, maker: String? = nil, year: Int, strings: Int, price: Double, weight: Double? = nil) {
    self.name = name
    self.maker = maker
    self.year = year
    self.strings = strings
    self.price = price
    self.weight = weight
    isForSale = true
    isDamaged = false
    bought = Date(timeIntervalSince1970: 0)
  }
}

/// No model: Foundation's macro is meant.
struct Offer {
  var text: String
  var price: Double
  var weight: Double?
}

struct LongPredicatesTests {
  let context: ModelContext

  init() throws {
    let container = try ModelContainer(
      for: Instrument.self, configurations: ModelConfiguration(isStoredInMemoryOnly: true))
    context = ModelContext(container)
    context.insert(Instrument("Viola", maker: "Amati", year: 1620, strings: 4, price: 900, weight: 0.6))
    context.insert(Instrument("Banjo", year: 1920, strings: 5, price: 40.5, weight: 3))
    context.insert(Instrument("Guitar", maker: "Gibson", year: 1958, strings: 6, price: 300))
  }

  func names(_ predicate: Predicate<Instrument>?) throws -> [String] {
    try context.fetch(FetchDescriptor(predicate: predicate, sortBy: [SortDescriptor(\.name)])).map(\.name)
  }

  @Test func twentyClauses() throws {
    let (text, since, excluded) = ("a", Date.distantPast, ["Tuba", "Horn"])
    let found = #Predicate<Instrument> {
      $0.isForSale && !$0.isDamaged
        && $0.name.localizedStandardContains(text)
        && !$0.name.isEmpty
        && $0.name != "untitled"
        && ($0.maker?.contains("i") ?? false || $0.maker == nil)
        && $0.year > 0
        && $0.year >= $0.strings
        && $0.year + $0.strings < 9_000
        && $0.strings != 13
        && $0.price > 0.5
        && $0.price * 2 < 1_500
        && ($0.weight ?? 0) < 40
        && ($0.weight != nil || $0.strings == 6)
        && $0.bought > since
        && $0.sold == nil
        && $0.name != $0.maker
        && !excluded.contains($0.name)
        && ($0.strings == 0 || $0.price < 1_000)
    }
    #expect(try names(found) == ["Banjo", "Guitar"])
  }

  @Test func withoutGenericArgument() throws {
    let descriptor = FetchDescriptor<Instrument>(
      predicate: #Predicate {
        ($0.weight ?? 0) < 40 && ($0.weight ?? 1) > 0.1 && ($0.maker ?? "") != "Gibson" && $0.price * 2 < 500
          && $0.name != "untitled" && $0.sold == nil && $0.year > 1_000 && $0.price > 0.5
      })
    #expect(try context.fetch(descriptor).map(\.name) == ["Banjo"])
  }

  @Test func severalModels() throws {
    let pair = #Predicate<Instrument, Instrument> {
      $0.name != $1.name && $0.price * 2 < 500 && ($1.weight ?? 0) < 1 && $0.strings > 4 && $1.maker == "Amati"
    }
    let (banjo, viola) = (try #require(try first("Banjo")), try #require(try first("Viola")))
    #expect(try pair.evaluate(banjo, viola))
    #expect(try !pair.evaluate(viola, banjo))
    let ascending = #Predicate<Instrument, Instrument, Int> { $0.year < $1.year && $1.year < $2 }
    #expect(try ascending.evaluate(viola, banjo, 2_000))
  }

  @Test func otherTypes() throws {
    let cheap = #Predicate<Offer> {
      $0.price * 2 < 500 && ($0.weight ?? 0) < 3 && $0.text != "" && $0.price > 0.5 && $0.weight != nil
    }
    #expect(try cheap.evaluate(Offer(text: "Kazoo", price: 2, weight: 0.1)))
    #expect(try !cheap.evaluate(Offer(text: "Organ", price: 2, weight: 900)))
    #expect(try #Predicate<Int, Int> { $0 < $1 }.evaluate(1, 2))
  }

  @Test func expressions() throws {
    let worth = #Expression<Instrument, Double> { $0.price * 2 - ($0.weight ?? 0) }
    #expect(try names(#Predicate { worth.evaluate($0) > 500 }) == ["Guitar", "Viola"])
    #expect(try #Expression<Offer, Double> { $0.price + ($0.weight ?? 0) }.evaluate(Offer(text: "", price: 1)) == 1)
    #expect(try #Expression<Int, Int, Int> { $0 + $1 }.evaluate(1, 2) == 3)
  }

  func first(_ name: String) throws -> Instrument? {
    try context.fetch(FetchDescriptor<Instrument>(predicate: #Predicate { $0.name == name })).first
  }
}
