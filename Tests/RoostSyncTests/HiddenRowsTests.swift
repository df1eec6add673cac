import Foundation
import Roost
import RoostSync
import SyncMerge
import SyncSimulation
import TestSupport
import Testing

/// Rows that an older program cannot show any more, and rows that they keep.
@Suite struct HiddenRowsTests {
  private let folder: Folder
  private var zone = SyncZone(MemoryZone(SyncRegistry()))

  init() throws { folder = try Folder() }

  @Test mutating func `a deletion waits for a later program where a row that this one cannot read needs it`() throws {
    var older = try Machine(1, Racks.self, at: folder.store("older"))
    let later = try Machine(2, LaterRacks.self, at: folder.store("later"))
    let racks = ["A", "B"].map { Racks.Rack($0) }
    for rack in racks { older.context.insert(rack) }
    older.context.insert(Racks.Bulb(racks[0]))
    try older.context.save()
    for machine in [older, later] { try machine.sync(&zone) }
    let laterRacks = try later.all(LaterRacks.Rack.self, by: SortDescriptor(\.name))
    let bulb = try #require(later.context.fetch(FetchDescriptor<LaterRacks.Bulb>()).first)
    (bulb.colour, bulb.rack) = (.amber, laterRacks[1])
    later.context.delete(laterRacks[0])
    try later.context.save()
    for machine in [later, older] { try machine.sync(&zone) }
    #expect(try older.isDone(zone))
    // It has not heard of the deletion, so this brings nothing back.
    racks[0].name = "C"
    try older.context.save()
    older = try older.reopened(random: 1, LaterRacks.self)
    for _ in 0..<2 { for machine in [older, later] { try machine.sync(&zone) } }
    for machine in [older, later] {
      #expect(try machine.all(LaterRacks.Rack.self, by: SortDescriptor(\.name)).map(\.name) == ["B"])
      let bulbs = try ModelContext(machine.container).fetch(FetchDescriptor<LaterRacks.Bulb>())
      #expect(bulbs.map(\.colour) == [.amber] && bulbs.map(\.rack?.name) == ["B"])
    }
  }
}

private enum Racks: VersionedSchema {
  static let versionIdentifier = Schema.Version(1, 0, 0)
  static var models: [any PersistentModel.Type] { [Rack.self, Bulb.self] }

  enum Colour: String, Codable { case red }

  @Model final class Rack {
    var name: String
    @Relationship(deleteRule: .deny, inverse: \Bulb.rack) var bulbs: [Bulb] = []
    init(_ name: String) { self.name = name }
  }

  @Model final class Bulb {
    var colour = Colour.red
    var rack: Rack?
    init(_ rack: Rack) { self.rack = rack }
  }
}

private enum LaterRacks: VersionedSchema {
  static let versionIdentifier = Schema.Version(2, 0, 0)
  static var models: [any PersistentModel.Type] { [Rack.self, Bulb.self] }

  enum Colour: String, Codable { case red, amber }

  @Model final class Rack {
    var name: String
    @Relationship(deleteRule: .deny, inverse: \Bulb.rack) var bulbs: [Bulb] = []
    init(_ name: String) { self.name = name }
  }

  @Model final class Bulb {
    var colour = Colour.red
    var rack: Rack?
    init(_ rack: Rack) { self.rack = rack }
  }
}
