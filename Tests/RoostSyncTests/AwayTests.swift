import Foundation
import Roost
import RoostCore
@testable import RoostSync
import SyncMerge
import SyncSimulation
import TestSupport
import Testing

/// A device that was away for longer than the server remembers.
@Suite struct AwayTests {
  private let folder: Folder
  private let first: Machine
  private let second: Machine
  private var zone = SyncZone(MemoryZone(SyncRegistry()))

  init() throws {
    (folder, first, second) = try Machine.two()
    first.context.insert(Book("One"))
    try first.context.save()
    for machine in [first, second, first] { try machine.sync(&zone) }
  }

  private func book(_ machine: Machine) throws -> Book {
    try #require(machine.all(Book.self, by: SortDescriptor(\.code)).first)
  }

  /// Has the second change the book, and the zone forget all that was before.
  private mutating func goOn() throws {
    try book(second).price = 3
    try second.context.save()
    try second.sync(&zone)
    zone.storage.forgetPlaces(before: zone.storage.place.sequence)
  }

  @Test mutating func `nothing is sent anew by who comes back, and the rest is fetched`() throws {
    try goOn()
    first.now += 60_000
    // Whoever does not begin again is told to.
    #expect(throws: SyncZoneError.unknownPlace) { try first.pull(zone) }
    try first.begin(&zone)
    #expect(try first.synced.nextPush(identity: 1, now: first.now) == nil)
    try first.pull(zone)
    #expect(try book(first).price == 3)
    #expect(try first.isDone(zone))
  }

  @Test mutating func `an answer is to what was asked, however far another program has gone on since`() throws {
    try first.begin(&zone)
    let hello = try first.synced.hello()
    let welcome = try zone.begin(hello, now: first.now)
    try goOn()
    let now = first.now
    // As another program on the file does.
    try first.begin(&zone)
    try first.pull(zone)
    #expect(try first.synced.hello().seen.sequence > welcome.common)
    try first.synced.begin(welcome, to: hello, now: now)
    #expect(try first.synced.nextPush(identity: 1, now: now) == nil)
    // Of one that has pushed, or taken another name, nothing is taken.
    try book(first).price = 4
    try first.context.save()
    try first.push(&zone)
    #expect(throws: SyncedStoreError.staleAnswer) { try first.synced.begin(welcome, to: hello, now: now) }
  }

  @Test(arguments: [true, false])
  mutating func `a program begins anew once another one on its file has come to another zone, or an older copy of it`(
    isOther: Bool
  ) throws {
    let (start, now, random) = (zone, first.now, UInt64(1))
    let other = try SyncedStore(first.container.store, first.synced.contract, zone: "test", site: 9, random: 9)
    func begin(_ zone: inout SyncZone<MemoryZone>) throws {
      let hello = try other.hello()
      try other.begin(try zone.begin(hello, now: now), to: hello, now: now)
    }
    func perform(_ synced: SyncedStore) throws {
      for effect in [SyncCore.Effect.push, .pull, .compare] {
        _ = try synced.perform(effect, random: random, serverTime: 0, now: now)
      }
    }
    try begin(&zone)
    try goOn()
    try first.sync(&zone)
    try perform(other)
    if isOther { try first.synced.leaveAccount() }
    zone = isOther ? SyncZone(MemoryZone(SyncRegistry())) : start
    try first.begin(&zone)
    for effect in [SyncCore.Effect.push, .pull, .compare] {
      #expect(throws: SyncedStoreError.staleAnswer) {
        try other.perform(effect, random: random, serverTime: 0, now: now)
      }
    }
    // Neither has the other one begin anew again.
    try begin(&zone)
    try perform(other)
    try perform(first.synced)
  }

  @Test mutating func `a name that another program has taken meanwhile stays`() throws {
    let refused = SyncedStore.Asked(of: try first.synced.hello())
    try first.synced.takeSite(7, insteadOf: refused)
    try first.synced.takeSite(8, insteadOf: refused)
    #expect(try first.synced.hello().site == 7)
    try first.sync(&zone)
    #expect(try first.isDone(zone))
  }

  @Test(arguments: [true, false])
  mutating func `a refusal is of what was asked, however far another program has gone on since`(isHello: Bool) throws {
    let hello = try first.synced.hello()
    try book(first).loans += 2
    try first.context.save()
    let push = try #require(try first.synced.nextPush(identity: 1, now: first.now))
    let answer = try zone.take(push, now: first.now)
    if isHello {
      #expect(throws: SyncZoneError.otherPush) { try zone.begin(hello, now: first.now) }
      try first.synced.takeSite(7, insteadOf: SyncedStore.Asked(of: hello))
    } else {
      let earlier = SyncPush(site: push.site, number: push.number - 1, identity: 5, seen: push.seen, edits: [])
      #expect(throws: SyncZoneError.otherPush) { try zone.take(earlier, now: first.now) }
      try first.synced.takeSite(7, insteadOf: SyncedStore.Asked(of: earlier))
      try first.synced.takeBackLarge(identity: 9, SyncedStore.Asked(of: earlier), now: first.now)
    }
    try first.synced.receive(answer, to: push, now: first.now)
    for machine in [first, second, first] { try machine.sync(&zone) }
    #expect(try book(second).loans == 2)
  }

  @Test mutating func `a page that was asked for under another name is not taken`() throws {
    let place = try first.synced.pagePlace()
    let page = try zone.page(behind: place.cursor, seen: place.seen, for: place.site, limit: 9)
    try first.synced.takeSite(7)
    let isTaken = try first.synced.receive(
      page, behind: place.cursor, seen: place.seen, site: place.site, now: first.now)
    #expect(!isTaken)
  }

  @Test mutating func `the rows of an account that was left are sent to one that has forgotten as much`() throws {
    var other = SyncZone(MemoryZone(SyncRegistry()))
    let third = try Machine(3, at: folder.store("third"))
    for number in 0..<9 {
      third.context.insert(Topic("\(number)"))
      try third.context.save()
      try third.sync(&other)
    }
    other.storage.forgetPlaces(before: other.storage.place.sequence)
    try first.synced.leaveAccount()
    try first.sync(&other)
    #expect(other.storage.rows.count == 10)
    #expect(try first.all(Topic.self, by: SortDescriptor(\.name)).count == 9)
  }
}
