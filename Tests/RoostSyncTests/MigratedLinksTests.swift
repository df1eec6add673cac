import Foundation
import Roost
import RoostCore
import RoostEngine
import RoostSync
import SyncMerge
import SyncSimulation
import TestSupport
import Testing

/// Lists of rows that a migration makes.
@Suite struct MigratedLinksTests {
  private let folder: Folder
  private var zone = SyncZone(MemoryZone(SyncRegistry()))

  init() throws { folder = try Folder() }

  private func insert(_ models: [any PersistentModel], into machine: Machine) throws {
    for model in models { machine.context.insert(model) }
    try machine.context.save()
  }

  private func labels(_ machine: Machine) throws -> [String: [String]] {
    let memos = try ModelContext(machine.container).fetch(FetchDescriptor<Labelled.Memo>())
    return Dictionary(memos.map { ($0.text, $0.labels.map(\.name).sorted()) }) { first, _ in first }
  }

  @Test(arguments: [true, false])
  mutating func `links stay one relationship as a model gets another name, and as it gets an inverse`(
    isRenamed: Bool
  ) throws {
    var first = try Machine(1, Shelved.self, at: folder.store("first"))
    var second = try Machine(2, Shelved.self, at: folder.store("second"))
    let (one, two, sea) = (Shelved.Book("One"), Shelved.Book("Two"), Shelved.Tag("Sea"))
    one.tags = [sea]
    sea.pins = [Shelved.Pin("A")]
    for model in [one, two, Shelved.Pin("B")] as [any PersistentModel] { first.context.insert(model) }
    try first.context.save()
    for machine in [first, second] { try machine.sync(&zone) }
    second = try second.reopened(random: 1, LaterShelved.self)
    try second.sync(&zone)
    // One that has not been updated goes on.
    if isRenamed {
      two.tags = [sea]
    } else {
      sea.pins.append(try #require(first.all(Shelved.Pin.self, by: SortDescriptor(\.name)).last))
    }
    try first.context.save()
    for machine in [first, second] { try machine.sync(&zone) }
    func isThere(_ machine: Machine) throws -> Bool {
      let sea = try #require(machine.all(LaterShelved.Tag.self, by: SortDescriptor(\.name)).first)
      return Set(sea.books.map(\.title)) == (isRenamed ? ["One", "Two"] : ["One"])
        && Set(sea.pins.map(\.name)) == (isRenamed ? ["A"] : ["A", "B"])
    }
    #expect(try isThere(second))
    first = try first.reopened(random: 2, LaterShelved.self)
    for _ in 0..<2 { for machine in [first, second] { try machine.sync(&zone) } }
    let third = try Machine(3, LaterShelved.self, at: folder.store("third"))
    try third.sync(&zone)
    for machine in [first, second, third] {
      #expect(try isThere(machine))
      #expect(try machine.isDone(zone) && machine.synced.differences(from: zone.digest()) == [])
    }
    // What the other side does is the same relationship's.
    let pin = try #require(third.all(LaterShelved.Pin.self, by: SortDescriptor(\.name)).first)
    pin.tags = []
    try third.context.save()
    for machine in [third, first] { try machine.sync(&zone) }
    let sea2 = try #require(first.all(LaterShelved.Tag.self, by: SortDescriptor(\.name)).first)
    #expect(!sea2.pins.map(\.name).contains("A"))
  }

  @Test mutating func `rows that a reference became a list of stay linked, whatever is edited`() throws {
    var (first, second) = (
      try Machine(1, Plain.self, at: folder.store("first")), try Machine(2, Plain.self, at: folder.store("second"))
    )
    let memo = Plain.Memo("One")
    memo.label = Plain.Label("x")
    try insert([memo, Plain.Label("y"), Plain.Label("z")], into: first)
    for machine in [first, second] { try machine.sync(&zone) }
    first = try first.reopened(random: 1, Labelled.self)
    try #require(try first.all(Labelled.Memo.self, by: SortDescriptor(\.text)).first).text = "Two"
    try first.context.save()
    for machine in [first, second] { try machine.sync(&zone) }
    #expect(try labels(first) == ["Two": ["x"]])
    // Both add another one, neither knowing of it.
    second = try second.reopened(random: 1, Labelled.self)
    for (machine, name) in [(first, "y"), (second, "z")] {
      let label = try #require(
        try machine.all(Labelled.Label.self, by: SortDescriptor(\.name)).first { $0.name == name })
      try #require(try machine.all(Labelled.Memo.self, by: SortDescriptor(\.text)).first).labels.append(label)
      try machine.context.save()
    }
    let older = try Machine(3, Plain.self, at: folder.store("older"))
    for _ in 0..<2 { for machine in [first, second] { try machine.sync(&zone) } }
    try older.sync(&zone)
    for machine in [first, second] { #expect(try labels(machine) == ["Two": ["x", "y", "z"]]) }
    #expect(try older.all(Plain.Memo.self, by: SortDescriptor(\.text)).first?.label?.name == "x")
  }

  @Test mutating func `what a migration puts into a new list of rows comes to a device that is new`() throws {
    var first = try Machine(1, Plain.self, at: folder.store("first"))
    let memo = Plain.Memo("One")
    memo.label = Plain.Label("x")
    try insert([memo, Plain.Memo("Two")], into: first)
    try first.sync(&zone)
    first = try first.migrated(random: 1, Marked.self, by: MarkedPlan.self)
    let second = try Machine(2, Marked.self, at: folder.store("second"))
    for machine in [first, second] { try machine.sync(&zone) }
    for machine in [first, second] {
      let memos = try ModelContext(machine.container).fetch(
        FetchDescriptor<Marked.Memo>(sortBy: [SortDescriptor(\.text)]))
      #expect(memos.map { $0.marks.map(\.name) } == [["x"], []])
    }
  }
}

enum Plain: VersionedSchema {
  static let versionIdentifier = Schema.Version(1, 0, 0)
  static var models: [any PersistentModel.Type] { [Label.self, Memo.self] }

  @Model final class Label {
    var name: String

    init(_ name: String) { self.name = name }
  }

  @Model final class Memo {
    var text: String
    var label: Label?

    init(_ text: String) { self.text = text }
  }
}

enum Labelled: VersionedSchema {
  static let versionIdentifier = Schema.Version(2, 0, 0)
  static var models: [any PersistentModel.Type] { [Label.self, Memo.self] }

  @Model final class Label {
    var name: String

    init(_ name: String) { self.name = name }
  }

  @Model final class Memo {
    var text: String
    @Relationship(originalName: "label") var labels: [Label] = []

    init(_ text: String) { self.text = text }
  }
}

enum Marked: VersionedSchema {
  static let versionIdentifier = Schema.Version(2, 0, 0)
  static var models: [any PersistentModel.Type] { [Label.self, Memo.self] }

  @Model final class Label {
    var name: String

    init(_ name: String) { self.name = name }
  }

  @Model final class Memo {
    var text: String
    var label: Label?
    var marks: [Label] = []

    init(_ text: String) { self.text = text }
  }
}

enum MarkedPlan: SchemaMigrationPlan {
  static let schemas: [any VersionedSchema.Type] = [Plain.self, Marked.self]
  static let stages: [MigrationStage] = [
    .custom(
      fromVersion: Plain.self, toVersion: Marked.self, willMigrate: nil,
      didMigrate: { context in
        for memo in try context.fetch(FetchDescriptor<Marked.Memo>()) {
          memo.marks = [memo.label].compactMap(\.self)
        }
        try context.save()
      })
  ]
}

enum Shelved: VersionedSchema {
  static let versionIdentifier = Schema.Version(1, 0, 0)
  static var models: [any PersistentModel.Type] { [Book.self, Tag.self, Pin.self] }

  @Model final class Book {
    var title: String
    @Relationship(inverse: \Tag.books) var tags: [Tag] = []

    init(_ title: String) { self.title = title }
  }

  @Model final class Tag {
    var name: String
    var books: [Book] = []
    @Relationship(inverse: nil) var pins: [Pin] = []

    init(_ name: String) { self.name = name }
  }

  @Model final class Pin {
    var name: String

    init(_ name: String) { self.name = name }
  }
}

/// A book is called otherwise, and a pin knows its tags.
enum LaterShelved: VersionedSchema {
  static let versionIdentifier = Schema.Version(2, 0, 0)
  static var models: [any PersistentModel.Type] { [Volume.self, Tag.self, Pin.self] }

  @Model(originalName: "Book") final class Volume {
    var title: String
    @Relationship(inverse: \Tag.books) var tags: [Tag] = []

    init(_ title: String) { self.title = title }
  }

  @Model final class Tag {
    var name: String
    var books: [Volume] = []
    var pins: [Pin] = []

    init(_ name: String) { self.name = name }
  }

  @Model final class Pin {
    var name: String
    @Relationship(inverse: \Tag.pins) var tags: [Tag] = []

    init(_ name: String) { self.name = name }
  }
}
