import Foundation
import Roost
import RoostSync
import SyncMerge
import SyncSimulation
import TestSupport
import Testing

/// Rows of a later program that an older one's tables, or types, cannot hold.
@Suite struct LaterValuesTests {
  private let folder: Folder
  private let older: Machine
  private let later: Machine
  private var zone = SyncZone(MemoryZone(SyncRegistry()))

  init() throws {
    folder = try Folder()
    older = try Machine(1, Crates.self, at: folder.store("older"))
    later = try Machine(2, LaterCrates.self, at: folder.store("later"))
  }

  private mutating func syncAll() throws { for machine in [later, older, later] { try machine.sync(&zone) } }

  private func names() throws -> [String] { try older.all(Crates.Crate.self, by: SortDescriptor(\.name)).map(\.name) }

  private func isDone() throws -> Bool {
    try older.isDone(zone) && older.synced.differences(from: zone.digest()) == []
  }

  @Test mutating func `a number that only a later program can have waits for it, and no fetch fails`() throws {
    later.context.insert(LaterCrates.Crate("Large", count: 70_000))
    later.context.insert(LaterCrates.Crate("Half", weight: 0.5))
    later.context.insert(LaterCrates.Crate("Small", count: 3))
    try later.context.save()
    try syncAll()
    #expect(try names() == ["Small"])
    #expect(try isDone())
  }

  @Test mutating func `a value that a later program has as another type is what that makes of it`() throws {
    let crate = Crates.Crate("A")
    (crate.price, crate.label, crate.weight) = (9.5, "12", 3)
    older.context.insert(crate)
    try older.context.save()
    for machine in [older, later] { try machine.sync(&zone) }
    let other = try #require(later.all(LaterCrates.Crate.self, by: SortDescriptor(\.name)).first)
    #expect(other.price == 9.5 && other.label == 12 && other.weight == 3)
    (other.price, other.label) = (2.5, 13)
    try later.context.save()
    try syncAll()
    let same = try #require(older.all(Crates.Crate.self, by: SortDescriptor(\.name)).first)
    #expect(same.price == 2.5 && same.label == "13")
    #expect(try isDone())
  }

  @Test mutating func `a row that must wait for good is in nobody else's way`() throws {
    for name in ["A", "P", "Q"] { later.context.insert(LaterCrates.Shelf(name)) }
    try later.context.save()
    try later.sync(&zone)
    let shelf = try later.all(LaterCrates.Shelf.self, by: SortDescriptor(\.name))[1]
    later.context.insert(LaterCrates.Box("1", shelf: shelf))
    try later.context.save()
    try syncAll()
    later.context.insert(LaterCrates.Shelf("A"))
    try later.context.save()
    try syncAll()
    let last = try #require(later.all(LaterCrates.Shelf.self, by: SortDescriptor(\.name)).last)
    (shelf.name, last.name) = ("Q", "P")
    try later.context.save()
    try syncAll()
    #expect(try older.all(Crates.Box.self, by: SortDescriptor(\.name)).map(\.shelf.name) == ["Q"])
    #expect(try isDone())
  }

  @Test mutating func `a row without what an older program's must have waits for a later one`() throws {
    let shelf = LaterCrates.Shelf("A")
    for number in 0..<3 { later.context.insert(LaterCrates.Box("\(number)", shelf: number == 0 ? shelf : nil)) }
    try later.context.save()
    try syncAll()
    #expect(try older.all(Crates.Box.self, by: SortDescriptor(\.name)).map(\.name) == ["0"])
    #expect(try isDone())
    let boxes = try later.all(LaterCrates.Box.self, by: SortDescriptor(\.name))
    boxes[1].shelf = shelf
    try later.context.save()
    try syncAll()
    #expect(try older.all(Crates.Box.self, by: SortDescriptor(\.name)).map(\.name) == ["0", "1"])
    #expect(try isDone())
  }

  @Test mutating func `of rows that a later program lets have one value an older one shows the first`() throws {
    later.context.insert(LaterCrates.Shelf("A"))
    try later.context.save()
    try later.sync(&zone)
    later.context.insert(LaterCrates.Shelf("A"))
    try later.context.save()
    try syncAll()
    #expect(try older.all(Crates.Shelf.self, by: SortDescriptor(\.name)).map(\.name) == ["A"])
    #expect(try isDone())
    let shelf = try #require(older.all(Crates.Shelf.self, by: SortDescriptor(\.name)).first)
    shelf.name = "B"
    try older.context.save()
    try syncAll()
    #expect(try later.all(LaterCrates.Shelf.self, by: SortDescriptor(\.name)).map(\.name) == ["A", "B"])
    #expect(try isDone())
  }
}

enum Crates: VersionedSchema {
  static let versionIdentifier = Schema.Version(1, 0, 0)
  static var models: [any PersistentModel.Type] { [Crate.self, Box.self, Shelf.self] }

  @Model final class Crate {
    var name: String
    var count: Int16 = 0
    var weight: Int = 0
    var price = 0.0
    var label = "0"

    init(_ name: String) { self.name = name }
  }

  @Model final class Box {
    var name: String
    var shelf: Shelf

    init(_ name: String, shelf: Shelf) { (self.name, self.shelf) = (name, shelf) }
  }

  @Model final class Shelf {
    @Attribute(.unique) var name: String
    @Relationship(deleteRule: .cascade, inverse: \Box.shelf) var boxes: [Box] = []

    init(_ name: String) { self.name = name }
  }
}

enum LaterCrates: VersionedSchema {
  static let versionIdentifier = Schema.Version(2, 0, 0)
  static var models: [any PersistentModel.Type] { [Crate.self, Box.self, Shelf.self] }

  @Model final class Crate {
    var name: String
    var count = 0
    var weight = 0.0
    var price: Decimal = 0
    var label = 0

    init(_ name: String, count: Int = 0, weight: Double = 0) {
      (self.name, self.count, self.weight) = (name, count, weight)
    }
  }

  @Model final class Box {
    var name: String
    var shelf: Shelf?

    init(_ name: String, shelf: Shelf?) { (self.name, self.shelf) = (name, shelf) }
  }

  @Model final class Shelf {
    var name: String
    @Relationship(deleteRule: .cascade, inverse: \Box.shelf) var boxes: [Box] = []

    init(_ name: String) { self.name = name }
  }
}
