import Foundation
import Roost
import RoostSync
import SyncMerge
import SyncSimulation
import TestSupport
import Testing

/// Rows of which each must have a partner, as settings have their user.
@Suite struct PartnerTests {
  private let folder: Folder
  private let machines: [Machine]
  private var zone = SyncZone(MemoryZone(SyncRegistry()))

  init() throws {
    let folder = try Folder()
    self.folder = folder
    machines = try [1, 2].map { try Machine($0, Desks.self, at: folder.store("\($0)")) }
  }

  private func clerks(_ machine: Machine) throws -> [Desks.Clerk] {
    try machine.all(Desks.Clerk.self, by: SortDescriptor(\.name))
  }

  private mutating func syncAll() throws {
    for _ in 0..<2 { for machine in machines { try machine.sync(&zone) } }
    for machine in machines { #expect(try machine.synced.counts().isUpToDate) }
  }

  @Test mutating func `two devices that make one for the same row end with one, which a save can replace`() throws {
    machines[0].context.insert(Desks.Clerk("Ann"))
    try machines[0].context.save()
    try syncAll()
    for machine in machines {
      machine.context.insert(Desks.Desk(try #require(try clerks(machine).first)))
      try machine.context.save()
    }
    try syncAll()
    for machine in machines {
      #expect(try machine.all(Desks.Desk.self, by: SortDescriptor(\.clerk.name)).map(\.clerk.name) == ["Ann"])
      #expect(try clerks(machine).first?.desk != nil)
    }
    let clerk = try #require(try clerks(machines[1]).first)
    if let desk = clerk.desk { machines[1].context.delete(desk) }
    machines[1].context.insert(Desks.Desk(clerk))
    try machines[1].context.save()
    try syncAll()
    for machine in machines {
      #expect(try machine.all(Desks.Desk.self, by: SortDescriptor(\.clerk.name)).map(\.clerk.name) == ["Ann"])
    }
  }

  @Test mutating func `two devices that give a row different partners end with one, and the other stays where it was`()
    throws
  {
    let names = ["Ann", "Ben", "Cid"]
    for name in names {
      let clerk = Desks.Clerk(name)
      machines[0].context.insert(clerk)
      if name != "Ann" { machines[0].context.insert(Desks.Desk(clerk)) }
    }
    try machines[0].context.save()
    try syncAll()
    for (machine, from) in zip(machines, [1, 2]) {
      let clerks = try clerks(machine)
      try #require(clerks[from].desk).clerk = clerks[0]
      try machine.context.save()
    }
    try syncAll()
    let shown = try machines.map { machine in
      let desks = try machine.all(Desks.Desk.self, by: SortDescriptor(\.clerk.name)).map(\.clerk.name)
      return (desks, try clerks(machine).map { $0.desk?.clerk.name ?? "none" })
    }
    #expect(shown[0].0 == ["Ann", "Cid"])
    #expect(shown[0].1 == ["Ann", "none", "Cid"])
    #expect(shown[1] == shown[0])
  }
}
