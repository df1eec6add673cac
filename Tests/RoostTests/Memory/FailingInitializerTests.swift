import Foundation
import Roost
import Testing

@Model private final class Shelf {
  var name: String
  @Relationship(inverse: \Volume.shelf) var volumes: [Volume] = []
  @Relationship(inverse: \Lamp.shelf) var lamp: Lamp?
  init(name: String) { self.name = name }
}

@Model private final class Volume {
  var shelf: Shelf?
  var title: String
  var pages: Int

  /// Fails, or not, before all properties are set, once `look` has seen the shelf.
  init?(title: String?, on shelf: Shelf, look: (Shelf) throws -> Void) rethrows {
    self.shelf = shelf
    try look(shelf)
    guard let title else { return nil }
    self.title = title
    pages = 1
  }
}

@Model private final class Lamp {
  var shelf: Shelf?
  var watts: Int

  init?(watts: Int?, on shelf: Shelf, look: (Shelf) -> Void) {
    self.shelf = shelf
    look(shelf)
    guard let watts else { return nil }
    self.watts = watts
  }
}

/// Initialisers that fail before all properties are set free the model whoever holds it, so nobody may.
@Suite struct FailingInitializerTests {
  private let context: ModelContext
  private let shelf = Shelf(name: "A")

  init() throws {
    context = ModelContext(
      try ModelContainer(for: Shelf.self, configurations: ModelConfiguration(isStoredInMemoryOnly: true)))
  }

  private func place(inContext isInContext: Bool) throws {
    guard isInContext else { return }
    context.insert(shelf)
    try context.save()
  }

  @Test(arguments: [false, true])
  func `a list read in an initialiser that fails has nothing of its model`(_ isInContext: Bool) throws {
    try place(inContext: isInContext)
    var kept: [Volume] = []
    let volume = Volume(title: nil, on: shelf) { kept = $0.volumes }
    #expect(volume == nil && kept.isEmpty && shelf.volumes.isEmpty)
    #expect(context.insertedModelsArray.isEmpty && !context.hasChanges)
    context.insert(shelf)
    try context.save()
    #expect(try context.fetchCount(FetchDescriptor<Volume>()) == 0)
  }

  @Test(arguments: [false, true])
  func `a list read in an initialiser has its model once that is made`(_ isInContext: Bool) throws {
    try place(inContext: isInContext)
    var counts: [Int] = []
    for title in ["One", "Two"] { _ = Volume(title: title, on: shelf) { counts.append($0.volumes.count) } }
    #expect(counts == [0, 1])
    #expect(shelf.volumes.map(\.title) == ["One", "Two"])
    context.insert(shelf)
    try context.save()
    #expect(try context.fetchCount(FetchDescriptor<Volume>()) == 2)
  }

  @Test(arguments: [false, true])
  func `a model read through a to-one relationship is made`(_ isInContext: Bool) throws {
    try place(inContext: isInContext)
    var kept: Lamp?
    #expect(Lamp(watts: nil, on: shelf) { kept = $0.lamp } == nil)
    #expect(kept == nil && shelf.lamp == nil)
    let lamp = Lamp(watts: 40, on: shelf) { kept = $0.lamp }
    #expect(kept == nil && lamp != nil && shelf.lamp === lamp)
  }

  @Test(arguments: [false, true])
  func `a list set in an initialiser keeps its model`(_ isInContext: Bool) throws {
    try place(inContext: isInContext)
    let spare = Volume(title: "Other", on: Shelf(name: "B")) { _ in }
    let other = try #require(spare)
    let made = Volume(title: "Made", on: shelf) { $0.volumes.append(other) }
    #expect(Set(shelf.volumes.map(\.title)) == ["Made", "Other"])
    #expect(made?.shelf === shelf && other.shelf === shelf)
    #expect(Volume(title: nil, on: shelf) { $0.volumes = [other] } == nil)
    #expect(shelf.volumes.map(\.title) == ["Other"])
  }

  @Test(arguments: [nil, "Made"])
  func `a model inserted in an initialiser that refers to it leaves the new one for later`(_ title: String?) throws {
    let volume = Volume(title: title, on: shelf) { context.insert($0) }
    #expect(context.insertedModelsArray.count == (title == nil ? 1 : 2))
    #expect(shelf.volumes.map(\.title) == (title.map { [$0] } ?? []))
    #expect(volume?.modelContext === (title == nil ? nil : context))
    try context.save()
    #expect(try context.fetch(FetchDescriptor<Volume>()).map(\.shelf?.name) == (title == nil ? [] : ["A"]))
  }

  @Test func `a save in an initialiser leaves its model to the next one`() throws {
    try place(inContext: true)
    shelf.name = "edited"
    let volume = try Volume(title: "Made", on: shelf) { _ in try context.save() }
    #expect(try context.fetchCount(FetchDescriptor<Shelf>(predicate: #Predicate { $0.name == "edited" })) == 1)
    #expect(context.hasChanges && context.insertedModelsArray.first === volume)
    let failed = try Volume(title: nil, on: shelf) { _ in try context.save() }
    #expect(failed == nil && !context.hasChanges && shelf.volumes.count == 1)
  }
}
