import Foundation
import Roost
import RoostTesting
import Synchronization
import Testing

private struct GivenUp: Error {}

@Suite struct TransactionTests {
  private func storedTitles(_ context: ModelContext) throws -> [String] {
    let sorted = FetchDescriptor<Book>(sortBy: [SortDescriptor(\.title)])
    return try ModelContext(context.container).fetch(sorted).map(\.title)
  }

  @Test func `it saves what was pending and what its block does`() throws {
    let context = try makeLibrary()
    context.insert(Book(title: "A"))
    try context.transaction { context.insert(Book(title: "B")) }
    #expect(try storedTitles(context) == ["A", "B"])
    #expect(!context.hasChanges)
  }

  @Test func `inside another nothing is saved before the outermost ends`() throws {
    let context = try makeLibrary()
    let saves = Atomic<Int>(0)
    let observer = NotificationCenter.default.addObserver(forName: ModelContext.didSave, object: context, queue: nil) {
      _ in saves.add(1, ordering: .relaxed)
    }
    defer { NotificationCenter.default.removeObserver(observer) }
    try context.transaction {
      try context.transaction { context.insert(Book(title: "A")) }
      #expect(try storedTitles(context) == [])
      try context.transaction { context.insert(Book(title: "B")) }
    }
    #expect(try storedTitles(context) == ["A", "B"])
    #expect(saves.load(ordering: .relaxed) == 1)
  }

  @Test func `a block that throws saves nothing, and the next one saves again`() throws {
    let context = try makeLibrary()
    #expect(throws: GivenUp.self) {
      try context.transaction {
        context.insert(Book(title: "A"))
        try context.transaction { throw GivenUp() }
      }
    }
    #expect(try storedTitles(context) == [] && context.insertedModelsArray.count == 1)
    context.rollback()
    try context.transaction { context.insert(Book(title: "B")) }
    #expect(try storedTitles(context) == ["B"])
  }
}
