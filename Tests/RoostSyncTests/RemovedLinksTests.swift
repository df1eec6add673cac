import Foundation
import Roost
import RoostSync
import SyncMerge
import SyncSimulation
import TestSupport
import Testing

/// What the deletion of a row is to those whose many-to-many relationships had it: no edit.
@Suite struct RemovedLinksTests {
  private let folder: Folder
  private let first: Machine
  private let second: Machine
  private var zone = SyncZone(MemoryZone(SyncRegistry()))

  init() throws { (folder, first, second) = try Machine.two() }

  private func topics(_ machine: Machine) throws -> [Topic] { try machine.all(Topic.self, by: SortDescriptor(\.name)) }

  /// A topic that cites some others, on both devices.
  private mutating func insert(_ name: String, citing names: String...) throws {
    let topic = Topic(name)
    first.context.insert(topic)
    topic.cites = names.map { Topic($0) }
    try first.context.save()
    for machine in [first, second] { try machine.sync(&zone) }
  }

  private func delete(_ name: String, _ machine: Machine) throws {
    machine.context.delete(try #require(try topics(machine).first { $0.name == name }))
    try machine.context.save()
  }

  private mutating func syncAll(_ machines: [Machine]) throws {
    for _ in 0..<2 { for machine in machines { try machine.sync(&zone) } }
    for machine in machines { #expect(try machine.isDone(zone)) }
  }

  @Test(arguments: [false, true], [false, true])
  mutating func `a row stays gone whose edits win over deletions, as another device deletes one that it was linked to`(
    isFirst: Bool, isCiting: Bool
  ) throws {
    try insert("Sea", citing: "Bay", "Cape")
    try delete(isCiting ? "Sea" : "Bay", second)
    try delete(isCiting ? "Bay" : "Sea", first)
    try syncAll(isFirst ? [first, second] : [second, first])
    for machine in [first, second] { #expect(try topics(machine).map(\.name) == ["Cape"]) }
  }

  @Test(arguments: [false, true])
  mutating func `a row that another device edits is linked again, though one has deleted it`(isFirst: Bool) throws {
    try insert("Sea", citing: "Bay", "Cape")
    try delete("Bay", first)
    try #require(try topics(second).first).label = "red"
    try second.context.save()
    try syncAll(isFirst ? [first, second] : [second, first])
    for machine in [first, second] {
      #expect(try topics(machine).map(\.name) == ["Bay", "Cape", "Sea"])
      #expect(try Set(topics(machine).last?.cites.map(\.name) ?? []) == ["Bay", "Cape"])
    }
  }

  @Test mutating func `a link that was added beside one to a row that is gone is an edit`() throws {
    try insert("Sea", citing: "Bay", "Cape")
    try delete("Sea", second)
    let sea = try #require(try topics(first).last)
    sea.cites.append(Topic("Gulf"))
    try first.context.save()
    try delete("Bay", first)
    try syncAll([first, second])
    for machine in [first, second] {
      #expect(try topics(machine).map(\.name) == ["Cape", "Gulf", "Sea"])
      #expect(try Set(topics(machine).last?.cites.map(\.name) ?? []) == ["Cape", "Gulf"])
    }
  }

  @Test mutating func `what is linked after a row that was is gone stays linked`() throws {
    try insert("Sea", citing: "Bay", "Cape")
    try delete("Bay", first)
    try first.synced.noteChanges(now: first.now)
    try #require(try topics(first).last).cites.append(Topic("Gulf"))
    try first.context.save()
    try syncAll([first, second])
    for machine in [first, second] {
      #expect(try Set(topics(machine).last?.cites.map(\.name) ?? []) == ["Cape", "Gulf"])
    }
  }

  @Test mutating func `a link that was sent before one to a row that is gone is an edit still`() throws {
    try insert("Sea", citing: "Bay", "Cape")
    try delete("Sea", second)
    try #require(try topics(first).last).cites.append(Topic("Gulf"))
    try first.context.save()
    try first.sync(&zone)
    try delete("Bay", first)
    try first.sync(&zone)
    try syncAll([second, first])
    for machine in [first, second] {
      #expect(try topics(machine).map(\.name) == ["Cape", "Gulf", "Sea"])
      #expect(try Set(topics(machine).last?.cites.map(\.name) ?? []) == ["Cape", "Gulf"])
    }
  }
}
