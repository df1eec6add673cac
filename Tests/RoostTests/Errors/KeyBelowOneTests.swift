import Foundation
import Roost
import RoostEngine
import Testing

@Model private final class Crate {
  @Attribute(.unique) var name: String
  var size = 0
  @Relationship(deleteRule: .cascade, inverse: \Ware.box) var items: [Ware] = []
  @Relationship(inverse: \Sticker.boxes) var labels: [Sticker] = []
  init(_ name: String, size: Int = 0) {
    self.name = name
    self.size = size
  }
}

@Model private final class Ware {
  var name: String
  var box: Crate?
  init(_ name: String, box: Crate? = nil) {
    self.name = name
    self.box = box
  }
}

@Model private final class Sticker {
  var name: String
  var boxes: [Crate] = []
  init(_ name: String) { self.name = name }
}

/// Rows whose keys are 0 or less, which another program wrote: never a model that has no row yet.
@Suite struct KeyBelowOneTests {
  private let folder: TemporaryFolder
  private let container: ModelContainer
  private let context: ModelContext

  init() throws {
    folder = try TemporaryFolder()
    container = try ModelContainer(for: Crate.self, configurations: ModelConfiguration(url: folder.store))
    context = ModelContext(container)
    let box = Crate("a", size: 1)
    box.items = [Ware("i")]
    box.labels = [Sticker("l")]
    context.insert(box)
    try context.save()
  }

  private func write(_ sql: String) throws {
    let connection = try Connection(ConnectionOptions(location: .file(path: folder.store.path)))
    try connection.execute("PRAGMA foreign_keys = 0; PRAGMA ignore_check_constraints = 1; " + sql)
    connection.close()
  }

  /// A pending model, and a stored row with the same key.
  private func makeTwins() throws -> Crate {
    let pending = Crate("pending", size: 9)
    context.insert(pending)
    try write("INSERT INTO Crate (_pk, name, size) VALUES (\(pending.persistentModelID.key), 'twin', 2)")
    return pending
  }

  private func expectUnreadable(_ body: () throws -> Void) {
    let error = #expect(throws: SwiftDataError.self) { try body() }
    #expect(error == .corruptValue && error?.model == "Crate" && error?.property == "_pk")
    #expect(error?.remedy?.contains("UPDATE \"Crate\" SET \"_pk\"") ?? false)
  }

  @Test(arguments: [0, -1, Int.min]) func `such a row is unreadable`(key: Int) throws {
    try write("INSERT INTO Crate (_pk, name, size) VALUES (\(key), 'b', 5)")
    expectUnreadable { _ = try context.fetch(FetchDescriptor<Crate>()) }
    expectUnreadable { _ = try context.fetchIdentifiers(FetchDescriptor<Crate>()) }
    expectUnreadable { _ = try context.fetch(FetchDescriptor<Crate>(), sectionBy: \.size) }
    expectUnreadable { try context.enumerate(FetchDescriptor<Crate>()) { _ in } }
    #expect(try context.fetch(FetchDescriptor<Crate>(predicate: #Predicate { $0.size == 1 })).map(\.name) == ["a"])
    #expect(try context.fetchCount(FetchDescriptor<Crate>()) == 2)
    var errors: [SwiftDataError] = []
    #expect(try context.fetch(FetchDescriptor<Crate>()) { errors.append($0) }.map(\.name) == ["a"])
    #expect(errors.map(\.property) == ["_pk"])
    // A new row with its unique value.
    context.insert(Crate("b", size: 6))
    expectUnreadable { try context.save() }
    context.rollback()
    // As the error says.
    try write(
      errors[0].remedy?.firstRange(of: "UPDATE").map { String(errors[0].remedy?[$0.lowerBound...] ?? "") } ?? "")
    #expect(Set(try ModelContext(container).fetch(FetchDescriptor<Crate>()).map(\.name)) == ["a", "b"])
  }

  @Test func `a stored row is never a pending model that has its key`() throws {
    let pending = try makeTwins()
    expectUnreadable { _ = try context.fetch(FetchDescriptor<Crate>()) }
    expectUnreadable { _ = try context.fetchIdentifiers(FetchDescriptor<Crate>()) }
    expectUnreadable { _ = try context.fetch(FetchDescriptor<Crate>(predicate: #Predicate { $0.size == 2 })) }
    var stored = FetchDescriptor<Crate>()
    stored.includePendingChanges = false
    expectUnreadable { _ = try context.fetch(stored) }
    expectUnreadable { _ = try ModelContext(draftOf: context).fetch(FetchDescriptor<Crate>()) }
    var errors: [SwiftDataError] = []
    #expect(try context.fetch(FetchDescriptor<Crate>()) { errors.append($0) }.map(\.name) == ["a"])
    #expect(!errors.isEmpty)
    #expect(pending.name == "pending" && pending.size == 9)
    try context.save()
    #expect(try context.fetch(FetchDescriptor<Crate>(predicate: #Predicate { $0.size == 9 })) == [pending])
  }

  @Test func `pending models are found as before`() throws {
    let pending = Crate("pending", size: 9)
    context.insert(pending)
    let descriptor = FetchDescriptor<Crate>(sortBy: [SortDescriptor(\.name)])
    #expect(try context.fetch(descriptor).map(\.name) == ["a", "pending"])
    #expect(try context.fetchIdentifiers(descriptor).last == pending.persistentModelID)
    let draft = ModelContext(draftOf: context)
    draft.insert(Crate("z"))
    #expect(try draft.fetch(descriptor).map(\.name) == ["a", "pending", "z"])
    #expect(try context.fetch(descriptor) { throw $0 }.count == 2)
  }

  @Test func `a list leaves such members out`() throws {
    let pending = Ware("pending")
    context.insert(pending)
    let key = pending.persistentModelID.key
    try write(
      """
      INSERT INTO Ware (_pk, name, box) SELECT \(key), 'twin', _pk FROM Crate;
      INSERT INTO Ware (_pk, name, box) SELECT 0, 'zero', _pk FROM Crate;
      INSERT INTO Sticker (_pk, name) VALUES (-7, 'l');
      """)
    let box = try #require(try ModelContext(container).fetch(FetchDescriptor<Crate>()).first)
    #expect(box.items.map(\.name) == ["i"])
    #expect(box.labels.map(\.name) == ["l"])
  }

  @Test(arguments: [0, -5]) func `a reference to such a key is no value`(key: Int) throws {
    let pending = Crate("pending")
    context.insert(pending)
    try write("UPDATE Ware SET box = \(key == 0 ? 0 : pending.persistentModelID.key)")
    let error = #expect(throws: SwiftDataError.self) { try ModelContext(container).fetch(FetchDescriptor<Ware>()) }
    #expect(error == .corruptValue && error?.property == "box")
  }

  @Test func `an identifier of the store with such a key is of no model`() throws {
    let pending = Crate("pending")
    context.insert(pending)
    let known = try #require(try context.fetchIdentifiers(FetchDescriptor<Ware>()).first)
    let text = try String(decoding: JSONEncoder().encode(known), as: UTF8.self)
      .replacing("Ware", with: "Crate").replacing("\(known.key)", with: "\(pending.persistentModelID.key)")
    guard let made = try? JSONDecoder().decode(PersistentIdentifier.self, from: Data(text.utf8)),
      made.storeIdentifier != nil
    else { return }
    #expect(context.model(for: made) !== pending)
    #expect(context.model(for: made).isDeleted)
    #expect(context.registeredModel(for: made) as Crate? == nil)
    #expect(try context.fetch(FetchDescriptor<Crate>(predicate: #Predicate { $0.persistentModelID == made })) == [])
  }
}
