import Foundation
import Roost
import RoostCore
import RoostSync
import SyncMerge

import SyncSimulation
import TestSupport
import Testing

private enum Diaries: VersionedSchema {
  static var versionIdentifier: Schema.Version { Schema.Version(1, 0, 0) }
  static var models: [any PersistentModel.Type] { [Diary.self, Page.self] }

  @Model final class Diary {
    @Attribute(.unique) var name: String
    @Attribute(.merge(.custom)) var notes = ""
    @Relationship(deleteRule: .cascade, inverse: \Page.diary) var pages: [Page] = []
    var next: Diary?
    init(_ name: String) { self.name = name }
  }

  @Model final class Page {
    var number: Int
    @Attribute(.merge(.custom)) var notes = ""
    var diary: Diary?
    init(_ number: Int) { self.number = number }
  }
}

/// Values that the program merges, by appending what was appended, while other things happen to them.
@Suite struct CustomMergeTests {
  private let folder: Folder
  private let first: Machine
  private let second: Machine
  private var zone = SyncZone(MemoryZone(SyncRegistry()))

  init() throws {
    folder = try Folder()
    let merges = ["Diary", "Page"].map { CustomMerge.appending(model: $0, property: "notes") }
    first = try Machine(1, Diaries.self, at: folder.store("first"), merges: merges)
    second = try Machine(2, Diaries.self, at: folder.store("second"), merges: merges)
  }

  private func pages(_ machine: Machine) throws -> [Diaries.Page] {
    try machine.all(Diaries.Page.self, by: SortDescriptor(\.number))
  }

  private func diaries(_ machine: Machine) throws -> [Diaries.Diary] {
    try machine.all(Diaries.Diary.self, by: SortDescriptor(\.name))
  }

  /// Both have a page of one diary; the second device has written to it since, and that is at the server.
  private mutating func writeElsewhere() throws -> (first: Diaries.Page, second: Diaries.Page) {
    let (page, diary) = (Diaries.Page(1), Diaries.Diary("Ann"))
    (page.notes, page.diary) = ("a", diary)
    first.context.insert(page)
    try first.context.save()
    for machine in [first, second] { try machine.sync(&zone) }
    let other = try #require(pages(second).first)
    other.notes += "R"
    try second.context.save()
    try second.sync(&zone)
    return (page, other)
  }

  private mutating func expectEverywhere(_ notes: String) throws {
    for machine in [first, second, first, second] { try machine.sync(&zone) }
    for machine in [first, second] {
      #expect(try pages(machine).map(\.notes) == [notes])
      #expect(try machine.isDone(zone))
    }
  }

  @Test mutating func `what is written while a push is on its way is merged with what that met`() throws {
    let (page, _) = try writeElsewhere()
    page.notes += "1"
    try first.context.save()
    let push = try #require(try first.synced.nextPush(identity: 1, now: first.now))
    let answer = try zone.take(push, now: first.now)
    page.notes += "2"
    try first.context.save()
    try first.synced.receive(answer, to: push, now: first.now)
    #expect(try pages(first).map(\.notes) == ["aR12"])
    try expectEverywhere("aR12")
    #expect(try first.synced.conflicts(limit: nil).allSatisfy { $0.outcome == .merged })
  }

  @Test
  mutating func
    `what is written while a push is on its way is merged once its row is there, where the answer has none`()
    throws
  {
    let (page, _) = try writeElsewhere()
    page.notes += "1"
    try first.context.save()
    let push = try #require(try first.synced.nextPush(identity: 1, now: first.now))
    var answer = try zone.take(push, now: first.now)
    (answer.rest, answer.records) = (0, [])
    page.notes += "2"
    try first.context.save()
    try first.synced.receive(answer, to: push, now: first.now)
    try expectEverywhere("aR12")
  }

  @Test(arguments: [false, true])
  mutating func `a value is merged once its row is shown, by whichever page that is`(isPushed: Bool) throws {
    let (page, other) = try writeElsewhere()
    let diary = Diaries.Diary("Ben")
    other.diary = diary
    try second.context.save()
    try second.sync(&zone)
    diary.notes = "later"
    try second.context.save()
    try second.sync(&zone)
    page.notes += "1"
    try first.context.save()
    if isPushed { try first.push(&zone) } else { try first.synced.noteChanges(now: first.now) }
    while true {
      let place = try first.synced.pagePlace()
      let page = try zone.page(behind: place.cursor, seen: place.seen, for: place.site, limit: 1)
      try first.synced.receive(page, behind: place.cursor, seen: place.seen, now: first.now)
      if page.isLast { break }
    }
    #expect(try pages(first).map(\.notes) == ["aR1"] && pages(first).first?.diary?.name == "Ben")
    try expectEverywhere("aR1")
  }

  @Test
  mutating func `an edit that waits for its row keeps neither a deletion nor what needs its unique value waiting`()
    throws
  {
    let (page, other) = try writeElsewhere()
    page.notes += "1"
    try first.context.save()
    let former = try #require(other.diary)
    other.diary = nil
    second.context.delete(former)
    try second.context.save()
    other.diary = Diaries.Diary("Ann")
    try second.context.save()
    try second.sync(&zone)
    try expectEverywhere("aR1")
    #expect(try pages(first).first?.diary?.name == "Ann" && diaries(first).count == 1)
  }

  @Test mutating func `an edit of another property keeps nobody from the row's former unique value`() throws {
    let diary = Diaries.Diary("Ann")
    first.context.insert(diary)
    try first.context.save()
    for machine in [first, second] { try machine.sync(&zone) }
    let other = try #require(diaries(second).first)
    (other.name, other.notes) = ("Ben", "R")
    try second.context.save()
    other.next = Diaries.Diary("Ann")
    try second.context.save()
    try second.sync(&zone)
    diary.notes = "1"
    try first.context.save()
    for machine in [first, second, first, second] { try machine.sync(&zone) }
    for machine in [first, second] {
      #expect(try diaries(machine).map(\.name) == ["Ann", "Ben"] && diaries(machine).last?.next?.name == "Ann")
      #expect(try diaries(machine).map(\.notes) == ["", "R1"])
      #expect(try machine.isDone(zone))
    }
  }

  @Test mutating func `what a push met is told though another program on the file took its rows`() throws {
    let (page, _) = try writeElsewhere()
    page.notes += "1"
    try first.context.save()
    let push = try #require(try first.synced.nextPush(identity: 1, now: first.now))
    // Its answer is lost.
    _ = try zone.take(push, now: first.now)
    try first.pull(zone)
    #expect(try pages(first).map(\.notes) == ["aR"])
    try first.push(&zone)
    try expectEverywhere("aR1")
    #expect(try !first.synced.conflicts(limit: nil).isEmpty)
  }
}
