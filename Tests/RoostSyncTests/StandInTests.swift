import Foundation
import Roost
import RoostSync
import SyncMerge
import SyncSimulation
import TestSupport
import Testing

/// Values of a later program in place of which an older one shows others: a value for nil, and one row of a list.
@Suite struct StandInTests {
  private let folder: Folder
  private let older: Machine
  private let later: Machine
  private var zone = SyncZone(MemoryZone(SyncRegistry()))

  init() throws {
    folder = try Folder()
    older = try Machine(1, OldJars.self, at: folder.store("older"))
    later = try Machine(2, NewJars.self, at: folder.store("later"))
  }

  private mutating func syncAll(_ machines: Machine...) throws {
    for _ in 0..<2 { for machine in machines { try machine.sync(&zone) } }
  }

  private func jar(_ machine: Machine) throws -> OldJars.Jar {
    try #require(machine.all(OldJars.Jar.self, by: SortDescriptor(\.count)).first)
  }

  private func laterJar(_ machine: Machine) throws -> NewJars.Jar {
    try #require(machine.all(NewJars.Jar.self, by: SortDescriptor(\.count)).first)
  }

  /// How an older program comes to send again what it has.
  enum Again: CaseIterable { case serverIsPutBack, modelIsSyncedAgain }

  @Test(arguments: Again.allCases, [true, false])
  mutating func `what an older program shows in place of a later one's value is not sent as its own`(
    again: Again, isEdited: Bool
  ) throws {
    let jar = NewJars.Jar()
    later.context.insert(jar)
    try later.context.save()
    try syncAll(later, older)
    let backup = zone
    (jar.stars, jar.lids) = (nil, [NewJars.Lid("P"), NewJars.Lid("Q")])
    try later.context.save()
    try syncAll(later, older)
    let shown = try self.jar(older)
    #expect(shown.stars == 1 && shown.lids?.name == "P")
    if isEdited {
      for stars in [2, 1] {
        shown.stars = stars
        try older.context.save()
        try older.sync(&zone)
      }
      shown.lids = try older.all(OldJars.Lid.self, by: SortDescriptor(\.name)).last
      try older.context.save()
      try older.sync(&zone)
    }
    var older = older
    switch again {
    case .serverIsPutBack: zone = backup
    case .modelIsSyncedAgain:
      older = try older.reopened(random: 1, unsynced: ["Jar"])
      try older.sync(&zone)
      older = try older.reopened(random: 1)
    }
    try syncAll(older)
    let new = try Machine(3, NewJars.self, at: folder.store("new"))
    try new.sync(&zone)
    let same = try laterJar(new)
    #expect(same.note == nil && same.stars == (isEdited ? 1 : nil))
    #expect(same.lids.map(\.name).sorted() == (isEdited ? ["Q"] : ["P", "Q"]))
  }

  @Test(arguments: [true, false])
  mutating func `a program that is updated shows what it had others in place of`(isEdited: Bool) throws {
    let jar = NewJars.Jar()
    later.context.insert(jar)
    (jar.stars, jar.lids) = (nil, [NewJars.Lid("P"), NewJars.Lid("Q")])
    try later.context.save()
    try syncAll(later, older)
    if isEdited {
      try self.jar(older).count = 3
      try older.context.save()
    }
    let updated = try older.reopened(random: 1, NewJars.self)
    try syncAll(updated, later)
    for machine in [updated, later] {
      let same = try laterJar(machine)
      #expect(same.note == nil && same.stars == nil && same.count == (isEdited ? 3 : 0))
      #expect(same.lids.map(\.name).sorted() == ["P", "Q"])
    }
  }

  @Test mutating func `of a list in whose place an older program shows a row the others stay when that is deleted`()
    throws
  {
    let jar = NewJars.Jar()
    later.context.insert(jar)
    jar.lids = [NewJars.Lid("P"), NewJars.Lid("Q")]
    try later.context.save()
    try syncAll(later, older)
    let shown = try #require(self.jar(older).lids)
    older.context.delete(shown)
    try older.context.save()
    try syncAll(older, later)
    #expect(try self.jar(older).lids?.name == "Q")
    #expect(try laterJar(later).lids.map(\.name) == ["Q"])
  }

  @Test mutating func `a list that an updated program edits before it has seen all of it keeps what it had`() throws {
    let jar = NewJars.Jar()
    later.context.insert(jar)
    jar.lids = [NewJars.Lid("P"), NewJars.Lid("Q")]
    try later.context.save()
    try syncAll(later, older)
    let updated = try older.reopened(random: 1, NewJars.self)
    try laterJar(updated).lids.append(NewJars.Lid("R"))
    try updated.context.save()
    try syncAll(updated, later)
    for machine in [updated, later] {
      #expect(try laterJar(machine).lids.map(\.name).sorted() == ["P", "Q", "R"])
    }
  }
}

private enum OldJars: VersionedSchema {
  static let versionIdentifier = Schema.Version(1, 0, 0)
  static var models: [any PersistentModel.Type] { [Jar.self, Lid.self] }

  @Model final class Jar {
    var count = 0
    var stars = 1
    var note: String
    var lids: Lid?
    init() { note = "old" }
  }

  @Model final class Lid {
    var name: String
    init(_ name: String) { self.name = name }
  }
}

private enum NewJars: VersionedSchema {
  static let versionIdentifier = Schema.Version(2, 0, 0)
  static var models: [any PersistentModel.Type] { [Jar.self, Lid.self] }

  @Model final class Jar {
    var count = 0
    var stars: Int? = 1
    var note: String?
    var lids: [Lid] = []
    init() {}
  }

  @Model final class Lid {
    var name: String
    init(_ name: String) { self.name = name }
  }
}
