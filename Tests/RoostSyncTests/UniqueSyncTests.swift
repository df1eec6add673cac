import Foundation
import Roost
import RoostSync
import SyncMerge
import SyncSimulation
import TestSupport
import Testing

/// What holds for rows together, on the server and on all devices.
@Suite struct UniqueSyncTests {
  private let folder: Folder
  private let first: Machine
  private let second: Machine
  private var zone = SyncZone(MemoryZone(SyncRegistry()))

  init() throws { (folder, first, second) = try Machine.two() }

  private mutating func syncAll() throws {
    for _ in 0..<3 {
      try first.sync(&zone)
      try second.sync(&zone)
    }
    #expect(try first.synced.counts().isUpToDate && second.synced.counts().isUpToDate)
  }

  private func author(_ machine: Machine, _ name: String) throws -> Author {
    try #require(machine.all(Author.self, by: SortDescriptor(\.name)).first { $0.name == name })
  }

  @Test(arguments: [false, true])
  mutating func `who refers to another row than one that is deleted elsewhere does so, whichever is sent first`(
    isDeletionFirst: Bool
  ) throws {
    let (old, new, sea) = (Topic("Old"), Topic("New"), Topic("Sea"))
    sea.wider = old
    for topic in [old, new, sea] { first.context.insert(topic) }
    try first.context.save()
    try syncAll()
    let topics = try second.all(Topic.self, by: SortDescriptor(\.name))
    topics[2].wider = topics[0]
    try second.context.save()
    first.context.delete(old)
    try first.context.save()
    for machine in isDeletionFirst ? [first, second] : [second, first] { try machine.sync(&zone) }
    try syncAll()
    for machine in [first, second] {
      #expect(try machine.all(Topic.self, by: SortDescriptor(\.name)).last?.wider?.name == "New")
    }
  }

  @Test mutating func `a row that became another one is no deletion where the server's data is put back`() throws {
    first.context.insert(Author("Ann"))
    try first.context.save()
    try first.sync(&zone)
    try second.begin(&zone)
    let book = Book("One", author: Author("Ann"))
    second.context.insert(book)
    try second.context.save()
    let backup = zone
    _ = try zone.take(#require(try second.synced.nextPush(identity: 1, now: second.now)), now: second.now)
    try first.sync(&zone)
    zone = backup
    try first.sync(&zone)
    try syncAll()
    for machine in [first, second] {
      #expect(try machine.all(Author.self, by: SortDescriptor(\.name)).map(\.name) == ["Ann"])
      #expect(try machine.all(Book.self, by: SortDescriptor(\.title)).map(\.author?.name) == ["Ann"])
    }
  }

  @Test mutating func `a conflict of a row that became another one is decided for that`() throws {
    first.context.insert(Author("Ann"))
    try first.context.save()
    try syncAll()
    try author(first, "Ann").born = 1_900
    try author(second, "Ann").born = 1_901
    for machine in [first, second] { try machine.context.save() }
    try second.sync(&zone)
    try syncAll()
    // Another one has the name by the time that the first is brought back.
    second.context.delete(try author(second, "Ann"))
    try second.context.save()
    try second.sync(&zone)
    second.context.insert(Author("Ann"))
    try second.context.save()
    try author(first, "Ann").country = "there"
    try first.context.save()
    try second.sync(&zone)
    try syncAll()
    func conflict(of property: String?) throws -> SyncConflictEntry {
      try #require(try first.synced.conflicts(limit: nil).first { $0.property == property })
    }
    try first.synced.resolve(conflict(of: nil).id, keeping: .local)
    try syncAll()
    let born = try conflict(of: "born")
    #expect(born.row != nil)
    try first.synced.resolve(born.id, keeping: born.local == .integer(1_900) ? .local : .remote)
    try syncAll()
    for machine in [first, second] {
      #expect(try machine.all(Author.self, by: SortDescriptor(\.name)).map(\.born) == [1_900])
    }
    try first.synced.resolve(born.id, keeping: .ancestor)
    try syncAll()
    for machine in [first, second] {
      #expect(try machine.all(Author.self, by: SortDescriptor(\.name)).map(\.born) == [nil])
    }
  }

  @Test mutating func `a row that a new one of this device became is there, though this device has deleted it`() throws
  {
    first.context.insert(Author("Ann"))
    try first.context.save()
    try syncAll()
    try author(first, "Ann").name = "Bob"
    try first.context.save()
    try first.sync(&zone)
    let new = Author("Bob")
    new.born = 1950
    second.context.insert(new)
    try second.context.save()
    let push = try #require(try second.synced.nextPush(identity: 1, now: second.now))
    let answer = try zone.take(push, now: second.now)
    second.context.delete(try author(second, "Ann"))
    try second.context.save()
    try second.synced.receive(answer, now: second.now)
    try syncAll()
    for machine in [first, second] {
      #expect(try machine.all(Author.self, by: SortDescriptor(\.name)).map(\.born) == [1950])
    }
  }

  @Test mutating func `two devices that insert the same unique value end with one row, and its books are both's`()
    throws
  {
    let mine = Author("Ann")
    mine.born = 1970
    first.context.insert(Book("One", author: mine))
    second.context.insert(Book("Two", author: Author("Ann")))
    try first.context.save()
    try second.context.save()
    try syncAll()
    for machine in [first, second] {
      #expect(try machine.all(Author.self, by: SortDescriptor(\.name)).map(\.name) == ["Ann"])
      let author = try author(machine, "Ann")
      #expect(author.born == 1970 && Set(author.books.map(\.title)) == ["One", "Two"])
    }
  }

  @Test mutating func `two rows may exchange their unique values`() throws {
    for name in ["Ann", "Bob"] { first.context.insert(Author(name)) }
    try first.context.save()
    try syncAll()
    let (ann, bob) = (try author(first, "Ann"), try author(first, "Bob"))
    ann.born = 1
    (ann.name, bob.name) = ("Bob", "Ann")
    try first.context.save()
    try syncAll()
    #expect(try author(second, "Bob").born == 1)
  }

  @Test mutating func `a row that is given a unique value which another device has given keeps its own`() throws {
    for name in ["Ann", "Bob"] { first.context.insert(Author(name)) }
    try first.context.save()
    try syncAll()
    try author(first, "Ann").name = "Zoe"
    try author(second, "Bob").name = "Zoe"
    try first.context.save()
    try second.context.save()
    try syncAll()
    for machine in [first, second] {
      #expect(try machine.all(Author.self, by: SortDescriptor(\.name)).map(\.name) == ["Bob", "Zoe"])
    }
  }

  @Test mutating func `a book that is given to an author whom another device deletes goes with her`() throws {
    first.context.insert(Author("Ann"))
    first.context.insert(Book("One"))
    try first.context.save()
    try syncAll()
    first.context.delete(try author(first, "Ann"))
    try first.context.save()
    try #require(second.all(Book.self, by: SortDescriptor(\.title)).first).author = try author(second, "Ann")
    try second.context.save()
    try syncAll()
    for machine in [first, second] {
      #expect(try machine.all(Book.self, by: SortDescriptor(\.title)).isEmpty)
      #expect(try machine.all(Author.self, by: SortDescriptor(\.name)).isEmpty)
    }
  }

  @Test mutating func `a book that must not be deleted, as another device has made a copy of it, stays`() throws {
    first.context.insert(Book("One"))
    try first.context.save()
    try syncAll()
    first.context.delete(try #require(first.all(Book.self, by: SortDescriptor(\.title)).first))
    try first.context.save()
    let book = try #require(second.all(Book.self, by: SortDescriptor(\.title)).first)
    second.context.insert(Copy("S1", of: book))
    try second.context.save()
    try syncAll()
    for machine in [first, second] {
      #expect(try machine.all(Copy.self, by: SortDescriptor(\.shelf)).map(\.book.title) == ["One"])
    }
  }

  @Test mutating func `links that two devices add are both there, and one that either takes away is not`() throws {
    let book = Book("One")
    book.topics = [Topic("a"), Topic("b")]
    first.context.insert(book)
    try first.context.save()
    try syncAll()
    for (machine, name, gone) in [(first, "c", "a"), (second, "d", "b")] {
      let book = try #require(machine.all(Book.self, by: SortDescriptor(\.title)).first)
      book.topics.append(Topic(name))
      book.topics.removeAll { $0.name == gone }
      try machine.context.save()
    }
    try syncAll()
    for machine in [first, second] {
      let book = try #require(machine.all(Book.self, by: SortDescriptor(\.title)).first)
      #expect(Set(book.topics.map(\.name)) == ["c", "d"])
      #expect(try machine.all(Topic.self, by: SortDescriptor(\.name)).count == 4)
    }
  }

  @Test mutating func `a row becomes another at once, though what refers to it must become another one before`() throws
  {
    let machines = try [3, 4].map { try Machine($0, Shops.self, at: folder.store("shops \($0)")) }
    func shops(_ machine: Machine) throws -> [Shops.Shop] {
      try machine.all(Shops.Shop.self, by: SortDescriptor(\.name))
    }
    let ben = Shops.Shop("Ben")
    machines[0].context.insert(Shops.Item("I", of: ben))
    try machines[0].context.save()
    for machine in machines { try machine.sync(&zone) }
    try #require(try shops(machines[1]).first).name = "Ann"
    try machines[1].context.save()
    try machines[1].sync(&zone)
    machines[0].context.insert(Shops.Item("I", of: Shops.Shop("Ann")))
    try machines[0].context.save()
    try machines[0].push(&zone)
    #expect(try machines[0].synced.counts().collected == 0)
    for _ in 0..<2 { for machine in machines { try machine.sync(&zone) } }
    for machine in machines {
      #expect(try shops(machine).map { $0.items.map(\.code) } == [["I"]])
      #expect(try machine.isDone(zone))
    }
  }
}

private enum Shops: VersionedSchema {
  static let versionIdentifier = Schema.Version(1, 0, 0)
  static var models: [any PersistentModel.Type] { [Shop.self, Item.self] }

  @Model final class Shop {
    @Attribute(.unique) var name: String
    @Relationship(deleteRule: .cascade, inverse: \Item.shop) var items: [Item] = []
    init(_ name: String) { self.name = name }
  }

  @Model final class Item {
    #Unique<Item>([\.shop, \.code])
    var code: String
    var shop: Shop
    init(_ code: String, of shop: Shop) { (self.code, self.shop) = (code, shop) }
  }
}
