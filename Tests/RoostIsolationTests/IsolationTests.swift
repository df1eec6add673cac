import Foundation
import Roost
import Testing

@ModelActor actor Carpenter {
  func add(_ title: String) throws -> PersistentIdentifier {
    let volume = Volume(title: title)
    modelContext.insert(volume)
    try modelContext.save()
    return volume.persistentModelID
  }

  func title(of identifier: PersistentIdentifier) -> String? { self[identifier, as: Volume.self]?.title }

  func insert(_ snapshot: ModelSnapshot<Volume>) throws -> ModelSnapshot<Volume> {
    let volume = try modelContext.insert(snapshot)
    try modelContext.save()
    return volume.snapshot()
  }

  func shelves(with title: String) throws -> [String] {
    let predicate = #Predicate<Shelf> { shelf in shelf.volumes.contains { $0.title == title } }
    return try modelContext.fetch(FetchDescriptor(predicate: predicate, sortBy: [SortDescriptor(\.name)])).map(\.name)
  }
}

/// Programs whose code is the main actor's by default.
@Suite struct IsolationTests {
  private func makeContainer() throws -> ModelContainer {
    try ModelContainer(
      for: Shelf.self, Furniture.Table.self, Plain.self, configurations: ModelConfiguration(isStoredInMemoryOnly: true))
  }

  @Test func `the main actor inserts, fetches and saves`() throws {
    let container = try makeContainer()
    let context = container.mainContext
    let shelf = Shelf(name: "A")
    context.insert(shelf)
    let volume = Volume(on: shelf)
    volume.place = Place(name: "here")
    context.insert(Furniture.Table())
    try context.save()
    let mood = Mood.calm
    let found = try context.fetch(
      FetchDescriptor(predicate: #Predicate<Volume> { $0.mood == mood && $0.shelf?.name == "A" }))
    #expect(found == [volume])
    let lengths = #Expression<Volume, Int> { $0.words.count }
    #expect(try lengths.evaluate(volume) == 0)
    #expect(shelf.shout == "Ahidden")
    #expect(try context.fetch(FetchDescriptor<Furniture.Table>()).map(\.legs) == [4])
  }

  @Test func `an actor works beside the main actor and hands over identifiers and snapshots`() async throws {
    let container = try makeContainer()
    let carpenter = Carpenter(modelContainer: container)
    let identifier = try await carpenter.add("T")
    #expect(await carpenter.title(of: identifier) == "T")
    let volume = try #require(container.mainContext.model(for: identifier) as? Volume)
    let shelf = Shelf(name: "A")
    container.mainContext.insert(shelf)
    volume.shelf = shelf
    try container.mainContext.save()
    #expect(try await carpenter.shelves(with: "T") == ["A"])

    var draft = volume.snapshot()
    draft.title = "U"
    let copy = try await carpenter.insert(draft)
    #expect(copy.title == "U")
    #expect(copy.shelf == shelf.persistentModelID)
    try volume.apply(draft)
    #expect(volume.title == "U")
  }

  @Test func `what observes a save may look at models of the main context`() throws {
    let container = try makeContainer()
    let context = container.mainContext
    let shelf = Shelf(name: "A")
    context.insert(shelf)
    let identifier = shelf.persistentModelID
    let token = NotificationCenter.default.addObserver(
      forName: ModelContext.willSave, object: context, queue: nil
    ) { _ in
      MainActor.assumeIsolated {
        let shelf: Shelf? = container.mainContext.registeredModel(for: identifier)
        shelf?.name = "B"
      }
    }
    defer { NotificationCenter.default.removeObserver(token) }
    try context.save()
    #expect(try context.fetch(FetchDescriptor<Shelf>()).map(\.name) == ["B"])
  }
}
