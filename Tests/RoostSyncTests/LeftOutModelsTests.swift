import Foundation
import Roost
import RoostSync
import SyncMerge
import SyncSimulation
import TestSupport
import Testing

/// Models that a program leaves out for a time, and whose rows refer to ones that it syncs.
@Suite struct LeftOutModelsTests {
  private let folder: Folder
  private var zone = SyncZone(MemoryZone(SyncRegistry()))

  init() throws { folder = try Folder() }

  /// Two devices with a page and a sheet in one binder, and another binder; the second leaves
  /// pages and sheets out from then on.
  private mutating func leavingOut() throws -> (first: Machine, leaving: Machine) {
    let first = try Machine(1, Ledgers.self, at: folder.store("1"))
    let second = try Machine(2, Ledgers.self, at: folder.store("2"))
    let binder = Ledgers.Binder("A")
    for model in [binder, Ledgers.Binder("B")] { first.context.insert(model) }
    first.context.insert(Ledgers.Page(binder))
    first.context.insert(Ledgers.Sheet(binder))
    try first.context.save()
    for machine in [first, second] { try machine.sync(&zone) }
    return (first, try second.reopened(random: 1, unsynced: ["Page", "Sheet"]))
  }

  private mutating func sync(_ machines: Machine...) throws {
    for _ in 0..<2 { for machine in machines { try machine.sync(&zone) } }
  }

  /// The binders that pages and sheets are in.
  private func binders(_ machine: Machine) throws -> (pages: [String?], sheets: [String?]) {
    let context = ModelContext(machine.container)
    return (
      try context.fetch(FetchDescriptor<Ledgers.Page>()).map(\.binder?.name),
      try context.fetch(FetchDescriptor<Ledgers.Sheet>()).map(\.binder?.name)
    )
  }

  @Test mutating func `removing the rows that are synced does nothing to the others of the account`() throws {
    let (first, leaving) = try leavingOut()
    try leaving.synced.discardRows()
    try leaving.sync(&zone)
    let second = try leaving.reopened(random: 1)
    try sync(second, first)
    for machine in [first, second] {
      let (pages, sheets) = try binders(machine)
      #expect(pages == ["A"] && sheets == ["A"])
    }
  }

  @Test mutating func `a row that goes here with one that others deleted is not deleted by that`() throws {
    let (first, leaving) = try leavingOut()
    let binders = try first.all(Ledgers.Binder.self, by: SortDescriptor(\.name))
    try #require(first.context.fetch(FetchDescriptor<Ledgers.Page>()).first).binder = binders[1]
    first.context.delete(binders[0])
    try first.context.save()
    try first.sync(&zone)
    try leaving.sync(&zone)
    let second = try leaving.reopened(random: 1)
    try sync(second, first)
    for machine in [first, second] {
      let (pages, sheets) = try self.binders(machine)
      #expect(pages == ["B"] && sheets == [nil])
    }
  }

  @Test mutating func `what is written after an answer that came meanwhile is later than what was sent`() throws {
    let (first, leaving) = try leavingOut()
    let sending = try leaving.reopened(random: 1)
    func page(_ machine: Machine) throws -> Ledgers.Page {
      try #require(machine.context.fetch(FetchDescriptor<Ledgers.Page>()).first)
    }
    try sending.sync(&zone)
    try page(sending).text = "sent"
    try sending.context.save()
    let push = try #require(try sending.synced.nextPush(identity: 1, now: sending.now))
    let answer = try zone.take(push, now: sending.now)
    let away = try sending.reopened(random: 1, unsynced: ["Page", "Sheet"])
    try away.begin(&zone)
    try away.synced.receive(answer, now: away.now)
    try page(away).text = "later"
    try away.context.save()
    try away.sync(&zone)
    let second = try away.reopened(random: 1)
    try sync(second, first)
    for machine in [first, second] {
      #expect(try ModelContext(machine.container).fetch(FetchDescriptor<Ledgers.Page>()).map(\.text) == ["later"])
    }
  }

  @Test mutating func `what a program writes before a session has all its models again is noted, as the next may not`()
    throws
  {
    let (folder, first, second) = try Machine.two()
    defer { withExtendedLifetime(folder) {} }
    first.context.insert(LibraryV1.Card("A"))
    try first.context.save()
    for machine in [first, second] { try machine.sync(&zone) }
    let leaving = try first.reopened(random: 1, unsynced: ["Note"])
    try leaving.sync(&zone)
    let again = try leaving.reopened(random: 2)
    try #require(again.context.fetch(FetchDescriptor<LibraryV1.Card>()).first).visits = 3
    try again.context.save()
    try again.synced.noteChanges(now: again.now)
    // It keeps the visits on the device, and the one after it syncs them again.
    let local = try again.reopened(random: 3, LibraryV2.self)
    try local.sync(&zone)
    let last = try local.reopened(random: 4, LibraryV3.self)
    try last.sync(&zone)
    try second.sync(&zone)
    #expect(try second.context.fetch(FetchDescriptor<LibraryV1.Card>()).map(\.visits) == [3])
  }
}

private enum Ledgers: VersionedSchema {
  static let versionIdentifier = Schema.Version(1, 0, 0)
  static var models: [any PersistentModel.Type] { [Binder.self, Page.self, Sheet.self] }

  @Model final class Binder {
    var name: String
    @Relationship(deleteRule: .cascade, inverse: \Page.binder) var pages: [Page] = []
    @Relationship(inverse: \Sheet.binder) var sheets: [Sheet] = []
    init(_ name: String) { self.name = name }
  }

  @Model final class Page {
    var binder: Binder?
    var text = ""
    init(_ binder: Binder) { self.binder = binder }
  }

  @Model final class Sheet {
    var binder: Binder?
    init(_ binder: Binder) { self.binder = binder }
  }
}
