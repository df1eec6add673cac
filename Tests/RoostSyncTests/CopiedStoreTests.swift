import Foundation
import Roost
import RoostCore
import RoostSync
import SyncMerge
import SyncSimulation
import TestSupport
import Testing

/// A store and a copy of it, which goes on under another name.
@Suite struct CopiedStoreTests {
  private let folder: Folder
  private let first: Machine
  private let second: Machine
  private var zone = SyncZone(MemoryZone(SyncRegistry()))

  init() throws {
    (folder, first, second) = try Machine.two()
    first.context.insert(Topic("Sea"))
    first.context.insert(Book("One"))
    try first.context.save()
    for machine in [first, second] { try machine.sync(&zone) }
  }

  private func topic(_ machine: Machine) throws -> Topic {
    try #require(try machine.all(Topic.self, by: SortDescriptor(\.name)).first)
  }

  private func book(_ machine: Machine) throws -> Book? {
    try machine.all(Book.self, by: SortDescriptor(\.code)).first
  }

  /// A copy of the first, neither of which goes online before both were changed.
  private func copied() throws -> Machine {
    #expect(try first.copy(to: folder.store("copy")))
    return try Machine(0, random: 1, at: folder.store("copy"))
  }

  /// Has the first sync, and then the copy, which takes a name of its own.
  private mutating func syncBoth(_ copy: Machine) throws {
    try first.sync(&zone)
    copy.now = first.now
    #expect(throws: SyncZoneError.otherPush) { try copy.begin(&zone) }
    try copy.synced.takeSite(7)
    for machine in [copy, second, first, copy, second] { try machine.sync(&zone) }
  }

  /// What topics have, with what is beside it.
  private func values() -> [SyncValue: [SyncValue]] {
    let fields = zone.storage.rows.values.flatMap(\.fields.values)
    return Dictionary(fields.map { ($0.value, $0.others.map(\.value)) }) { first, _ in first }
  }

  @Test mutating func `what a copy writes replaces nothing that its original wrote since, as it knows nothing of it`()
    throws
  {
    let copy = try copied()
    for (machine, text) in [(first, "Mine"), (copy, "Theirs")] {
      machine.now += 1_000
      (try topic(machine).motto, try topic(machine).notes) = (text, text)
      try machine.atItsTime { try machine.context.save() }
      try machine.synced.noteChanges(now: machine.now)
      copy.now = machine.now
    }
    try syncBoth(copy)
    #expect(values()[.text("Theirs")] == [.text("Mine")])
    let conflicts = try copy.synced.conflicts(limit: nil)
    #expect(conflicts.contains { $0.property == "notes" && $0.remote == .text("Mine") })
    #expect(try copy.isDone(zone) && first.isDone(zone))
  }

  @Test mutating func `a row that the original deleted is not there again as the copy edits it`() throws {
    let copy = try copied()
    first.context.delete(try #require(try book(first)))
    try first.context.save()
    try first.synced.noteChanges(now: first.now)
    copy.now += 1_000
    try #require(try book(copy)).title = "Other"
    try copy.atItsTime { try copy.context.save() }
    try copy.synced.noteChanges(now: copy.now)
    try syncBoth(copy)
    for machine in [first, copy, second] { #expect(try book(machine) == nil) }
  }

  @Test mutating func `what waited as the store was copied has nothing beside it, and is no conflict`() throws {
    (try topic(first).motto, try topic(first).notes) = ("Mine", "Mine")
    let read = try #require(try book(first))
    (read.title, read.marks, read.best) = ("Mine", ["a"], 3)
    first.context.insert(Book("Two"))
    try first.context.save()
    let copy = try copied()
    try syncBoth(copy)
    #expect(values()[.text("Mine")] == [])
    for machine in [first, copy, second] {
      #expect(try machine.synced.conflicts(limit: nil).isEmpty && machine.isDone(zone))
      let found = try #require(try book(machine))
      #expect(found.title == "Mine" && found.marks == ["a"] && found.best == 3)
    }
    #expect(try second.all(Book.self, by: SortDescriptor(\.code)).count == 2)
  }

  @Test mutating func `rows that a copy deleted together are sent with one stamp under its own name`() throws {
    let copy = try copied()
    copy.context.delete(try topic(copy))
    copy.context.delete(try #require(try book(copy)))
    try copy.context.save()
    try copy.synced.noteChanges(now: copy.now)
    try copy.synced.takeSite(7)
    let push = try #require(try copy.synced.nextPush(identity: 1, now: copy.now))
    #expect(push.edits.count == 2 && Set(push.edits.map(\.stamp)).count == 1 && push.edits[0].stamp.site == 7)
  }

  @Test mutating func `a new row of a program that a backup was restored under is none that it made before`() throws {
    let backup = folder.store("backup")
    try first.container.backup(to: backup)
    first.context.insert(Topic("Lake"))
    try first.context.save()
    try first.sync(&zone)
    try ModelContainer.restore(ModelConfiguration(url: first.url), from: backup)
    let context = ModelContext(first.container)
    context.insert(Topic("Bay"))
    try context.save()
    try first.synced.noteChanges(now: first.now)
    #expect(throws: SyncZoneError.otherPush) { try first.begin(&zone) }
    try first.synced.takeSite(7)
    for machine in [first, second, first] { try machine.sync(&zone) }
    for machine in [first, second] {
      #expect(try machine.all(Topic.self, by: SortDescriptor(\.name)).map(\.name) == ["Bay", "Lake", "Sea"])
    }
  }

  @Test mutating func `a program under which a backup was restored fetches what that lacks, with nothing to send`()
    throws
  {
    let backup = folder.store("backup")
    try first.container.backup(to: backup)
    second.context.insert(Topic("Lake"))
    try second.context.save()
    try second.sync(&zone)
    try first.begin(&zone)
    func pull() throws {
      let step = try first.synced.perform(.pull, random: 7, serverTime: 0, now: first.now)
      guard case .ask(let request) = step, case .page(let cursor, let seen, let site, _) = request else { return }
      let page = try zone.page(behind: cursor, seen: seen, for: site, limit: 10)
      _ = try first.synced.take(.page(page), to: request, now: first.now)
    }
    func isBehind() throws -> Bool {
      let step = try first.synced.perform(.push, random: 8, serverTime: 0, now: first.now)
      return step == .done(.pushed(isEmpty: true, hasToShow: true))
    }
    try pull()
    #expect(try !isBehind() && first.all(Topic.self, by: SortDescriptor(\.name)).map(\.name) == ["Lake", "Sea"])
    try ModelContainer.restore(ModelConfiguration(url: first.url), from: backup)
    #expect(try isBehind())
    try pull()
    #expect(try !isBehind() && first.isDone(zone))
    #expect(try ModelContext(first.container).fetchCount(FetchDescriptor<Topic>()) == 2)
  }
}
