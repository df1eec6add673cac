import Foundation
import Roost
import RoostCore
import RoostTesting
import Testing

/// Deletions of models that lists without an inverse have.
@Suite struct UnknownListTests {
  private let context: ModelContext
  private var shelves: [Shelf] = []
  /// Held, so that none is read again.
  private var gems: [Gem] = []

  init() throws {
    context = ModelContext(
      try ModelContainer(for: Shelf.self, configurations: ModelConfiguration(isStoredInMemoryOnly: true)))
    for number in 0..<200 {
      let shelf = Shelf(number)
      shelf.gems = [Gem("a\(number)"), Gem("b\(number)")]
      gems += shelf.gems
      shelves.append(shelf)
      context.insert(shelf)
    }
    try context.save()
  }

  @Test(arguments: [false, true])
  func `models deleted one by one have their lists looked for twice`(_ isRecorded: Bool) throws {
    if isRecorded { context.undoManager = UndoManager() }
    let seen = context._siblingsSeen
    for shelf in shelves { context.delete(try #require(shelf.gems.first)) }
    #expect(context._siblingsSeen - seen <= 5 * 200)
    #expect(shelves.allSatisfy { $0.gems.count == 1 } && context.changedModelsArray.count == 200)
    context.rollback()
    #expect(shelves.allSatisfy { $0.gems.count == 2 })
  }

  @Test func `lists that are read, set or made between deletions let deleted models go too`() throws {
    let container = context.container
    let context = ModelContext(container)
    func find(_ number: Int) throws -> Shelf {
      try #require(try context.fetch(FetchDescriptor<Shelf>(predicate: #Predicate { $0.number == number })).first)
    }
    let first = try find(0)
    for gem in first.gems { context.delete(gem) }
    let read = try find(1)
    let members = read.gems
    context.delete(members[0])
    #expect(context.changedModelsArray.contains { $0 === read })
    let joined = try find(2)
    let gem = Gem("new")
    joined.gems.append(gem)
    context.delete(gem)
    #expect(joined.gems.count == 2)
    let new = Shelf(1_000)
    new.gems = [members[1]]
    context.insert(new)
    context.delete(members[1])
    #expect(new.gems.isEmpty && read.gems.isEmpty)
    context.insert(members[1])
    #expect(new.gems.map(\.name) == ["b1"] && read.gems.map(\.name) == ["b1"])
    context.delete(members[1])
    try context.save()
    #expect(try context.fetchCount(FetchDescriptor<Gem>()) == 2 * 200 - 4)
    #expect(new.gems.isEmpty && read.gems.isEmpty && first.gems.isEmpty && joined.gems.count == 2)
  }
}

@Model private final class Shelf {
  var number: Int
  var gems: [Gem] = []

  init(_ number: Int) { self.number = number }
}

@Model private final class Gem {
  var name: String

  init(_ name: String) { self.name = name }
}
