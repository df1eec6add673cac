import Foundation
import Roost
import RoostCore
import RoostQuery
import Testing

@Model private final class Leaf {
  var number: Int
  var other: Int
  var weight: Double
  var name: String
  var note: String?
  var isGreen: Bool
  var fell: Date
  var rank: Int?

  init(_ number: Int) {
    self.number = number % 7
    other = number % 5
    weight = [0.0, -0.0, 1.5, .infinity, 2.5][number % 5]
    name = ["oak", "K", "\u{212A}", "elm; ash", "Ulme"][number % 5]
    note = number % 3 == 0 ? nil : ["a", "K"][number % 2]
    isGreen = number % 2 == 0
    fell = Date(timeIntervalSinceReferenceDate: Double(number % 4))
    rank = number % 4 == 0 ? nil : number % 4
  }
}

/// Fetches that are asked again with other values, whose SQL is kept: they find what `evaluate(_:)` accepts.
@Suite struct RepeatedFetchTests {
  private let context: ModelContext
  private let leaves: [Leaf]

  init() throws {
    let container = try ModelContainer(
      for: Leaf.self, configurations: ModelConfiguration(isStoredInMemoryOnly: true))
    let filling = ModelContext(container)
    for number in 0..<140 { filling.insert(Leaf(number)) }
    try filling.save()
    context = ModelContext(container)
    leaves = try context.fetch(FetchDescriptor<Leaf>(sortBy: [SortDescriptor(\.persistentModelID)]))
  }

  private func check(
    _ predicate: Predicate<Leaf>, sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> Int {
    let found = try context.fetch(FetchDescriptor<Leaf>(predicate: predicate))
    let expected = try leaves.filter(predicate.evaluate)
    #expect(
      Set(found.map(\.persistentModelID)) == Set(expected.map(\.persistentModelID)), sourceLocation: sourceLocation)
    return found.count
  }

  @Test func `values come in their own places, also when they were equal the first time`() throws {
    var found = 0
    for (first, second) in [(1, 1), (1, 2), (2, 1), (3, 3), (0, 4), (4, 0)] {
      found += try check(#Predicate { $0.number == first && $0.other == second })
      found += try check(#Predicate { $0.number < first || $0.other >= second })
      found += try check(#Predicate { first > $0.number && $0.other != second })
    }
    #expect(found > 100)
  }

  @Test func `texts with several spellings, and empty ones`() throws {
    var found = 0
    for text in ["oak", "K", "\u{212A}", "", "elm; ash", "elm\u{37E} ash", "Ulme", "oak"] {
      found += try check(#Predicate { $0.name == text })
      found += try check(#Predicate { $0.name != text })
      found += try check(#Predicate { $0.note == text })
      found += try check(#Predicate { $0.name < text })
    }
    #expect(found > 100)
  }

  @Test func `nil and what is not nil`() throws {
    for text in ["a", nil, "K", "b", nil] as [String?] {
      _ = try check(#Predicate { $0.note == text })
      _ = try check(#Predicate { $0.note != text })
    }
    for rank in [1, nil, 3, nil] as [Int?] {
      #expect(try check(#Predicate { $0.rank == rank }) > 0)
      #expect(try check(#Predicate { $0.rank != rank }) > 0)
    }
  }

  @Test func `numbers that are none, and infinite ones`() throws {
    for weight in [0, -0.0, 1.5, .nan, .infinity, -.infinity, .nan, 2.5] {
      _ = try check(#Predicate { $0.weight == weight })
      _ = try check(#Predicate { $0.weight < weight })
      _ = try check(#Predicate { $0.weight != weight })
      _ = try check(#Predicate { $0.fell >= Date(timeIntervalSinceReferenceDate: 2) && $0.weight > weight })
    }
  }

  @Test func `conditions that are constants`() throws {
    for isWanted in [true, false, true] {
      _ = try check(#Predicate { $0.isGreen == isWanted })
      _ = try check(#Predicate { !$0.isGreen || $0.number == 1 })
      _ = try check(#Predicate { $0.isGreen && isWanted })
    }
  }

  @Test func `computed operands are translated each time`() throws {
    for text in ["abc", "a", "abcd", ""] {
      #expect(try check(#Predicate { $0.number == text.count && $0.other < 4 }) > 0)
      #expect(try check(#Predicate { $0.number + text.count > 4 }) > 0)
      #expect(try check(#Predicate { $0.name.count == text.count }) >= 0)
    }
  }

  @Test func `bounds and orders of fetches that differ in nothing else`() throws {
    for limit in [nil, 1, 5, 200] as [Int?] {
      for offset in [nil, 0, 3] as [Int?] {
        for order in [SortOrder.forward, .reverse] {
          let number = 2
          var descriptor = FetchDescriptor<Leaf>(
            predicate: #Predicate { $0.number >= number }, sortBy: [SortDescriptor(\.other, order: order)])
          descriptor.fetchLimit = limit
          descriptor.fetchOffset = offset
          var expected = leaves.filter { $0.number >= number }
          expected.sort {
            let isLess = ($0.other, $0.persistentModelID) < ($1.other, $1.persistentModelID)
            return order == .forward ? isLess : !isLess
          }
          let rest = expected.dropFirst(offset ?? 0).prefix(limit ?? .max)
          #expect(try context.fetch(descriptor).map(\.persistentModelID) == rest.map(\.persistentModelID))
        }
      }
    }
  }

  @Test func `pending changes are seen by a fetch that was asked before them`() throws {
    func count(_ number: Int) throws -> Int {
      try context.fetch(FetchDescriptor<Leaf>(predicate: #Predicate { $0.number == number })).count
    }
    #expect(try count(6) == 20)
    #expect(try count(9) == 0)
    leaves[0].number = 9
    #expect(try count(9) == 1)
    context.insert(Leaf(6))
    #expect(try count(6) == 21)
    try context.save()
    #expect(try count(9) == 1)
    #expect(try count(6) == 21)
    context.delete(leaves[0])
    #expect(try count(9) == 0)
    context.rollback()
    #expect(try count(9) == 1)
  }

  @Test func `the SQL of a fetch is printed once for all values`() throws {
    func fetch(_ number: Int) throws {
      _ = try context.fetch(FetchDescriptor<Leaf>(predicate: #Predicate { $0.number == number && $0.isGreen }))
    }
    let kept = context.store.queryTexts.count
    for number in 0..<20 { try fetch(number) }
    #expect(context.store.queryTexts.count == kept + 1)
    for isWanted in [true, false, true] {
      _ = try context.fetch(FetchDescriptor<Leaf>(predicate: #Predicate { $0.isGreen == isWanted }))
    }
    #expect(context.store.queryTexts.count == kept + 3)
  }
}
