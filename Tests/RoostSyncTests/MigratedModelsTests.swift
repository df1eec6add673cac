import Foundation
import Roost
import RoostCore
import RoostEngine
import RoostSync
import SyncMerge
import SyncSimulation
import TestSupport
import Testing

/// Models that a migration removes the rows of.
@Suite struct MigratedModelsTests {
  private let folder: Folder
  private var zone = SyncZone(MemoryZone(SyncRegistry()))

  init() throws { folder = try Folder() }

  private func drafts(_ machine: Machine) throws -> [String] {
    try machine.container.store.pool.read { try $0.strings("SELECT text FROM Draft ORDER BY text") }
  }

  private func insert(_ models: [any PersistentModel], into machine: Machine) throws {
    for model in models { machine.context.insert(model) }
    try machine.context.save()
  }

  /// What the program does that does not have a model.
  enum Without: CaseIterable { case session, capture, nothing }

  @Test(arguments: Without.allCases)
  mutating func `rows of a model that is gone for one version of the program are there again with the next`(
    without: Without
  ) throws {
    var first = try Machine(1, Drafts.self, at: folder.store("first"))
    let second = try Machine(2, Drafts.self, at: folder.store("second"))
    try insert([Drafts.Draft("A"), Drafts.Draft("B")], into: first)
    for machine in [first, second] { try machine.sync(&zone) }
    first = try first.reopened(random: 1, NoDrafts.self)
    try insert([NoDrafts.Note("N")], into: first)
    switch without {
    case .session: try first.sync(&zone)
    case .capture: try first.synced.noteChanges(now: first.now)
    case .nothing: break
    }
    first = try first.reopened(random: 2, LaterDrafts.self)
    // The new table gives the same keys again.
    try insert([LaterDrafts.Draft("C")], into: first)
    for _ in 0..<2 { for machine in [first, second] { try machine.sync(&zone) } }
    for machine in [first, second] {
      #expect(try drafts(machine) == ["A", "B", "C"])
      #expect(try machine.isDone(zone) && machine.synced.differences(from: zone.digest()) == [])
    }
  }

  @Test mutating func `rows of a model that was gone are not deleted where the server's data is put back`() throws {
    var first = try Machine(1, Drafts.self, at: folder.store("first"))
    let second = try Machine(2, Drafts.self, at: folder.store("second"))
    try insert([Drafts.Draft("A")], into: first)
    for machine in [first, second] { try machine.sync(&zone) }
    let backup = zone
    try #require(second.all(Drafts.Draft.self, by: SortDescriptor(\.text)).first).text = "A2"
    try second.context.save()
    for machine in [second, first] { try machine.sync(&zone) }
    first = try first.reopened(random: 1, NoDrafts.self)
    try first.sync(&zone)
    zone = backup
    first = try first.reopened(random: 2, LaterDrafts.self)
    for machine in [first, second, first] { try machine.sync(&zone) }
    for machine in [first, second] { #expect(try drafts(machine) == ["A2"]) }
  }

  @Test mutating func `what was edited of a model before it was gone is sent once it is there again`() throws {
    var first = try Machine(1, Drafts.self, at: folder.store("first"))
    let second = try Machine(2, Drafts.self, at: folder.store("second"))
    let draft = Drafts.Draft("A")
    try insert([draft], into: first)
    for machine in [first, second] { try machine.sync(&zone) }
    draft.text = "Mine"
    try insert([Drafts.Draft("New")], into: first)
    try first.synced.noteChanges(now: first.now)
    for version in [NoDrafts.self, LaterDrafts.self] as [any VersionedSchema.Type] {
      first = try first.reopened(random: 1, version)
      try first.sync(&zone)
    }
    try second.sync(&zone)
    for machine in [first, second] { #expect(try drafts(machine) == ["Mine", "New"] && machine.isDone(zone)) }
  }

  @Test mutating func `rows that a migration removed stay on other devices, though history was forgotten too`() throws {
    var first = try Machine(1, Drafts.self, at: folder.store("first"))
    let second = try Machine(2, Drafts.self, at: folder.store("second"))
    try insert([Drafts.Draft("A")], into: first)
    for machine in [first, second] { try machine.sync(&zone) }
    try insert([Drafts.Note("N")], into: first)
    try first.context.deleteHistory(HistoryDescriptor<DefaultHistoryTransaction>())
    first = try first.migrated(random: 1, LaterDrafts.self, by: DraftsPlan.self)
    for _ in 0..<2 { for machine in [first, second] { try machine.sync(&zone) } }
    for machine in [first, second] { #expect(try drafts(machine) == ["A"] && machine.isDone(zone)) }
  }

  @Test
  mutating func `what was changed while nothing was recorded is sent, though a migration came before that was again`()
    throws
  {
    var first = try Machine(1, Drafts.self, at: folder.store("first"))
    let second = try Machine(2, Drafts.self, at: folder.store("second"))
    try insert([Drafts.Note("A"), Drafts.Note("B")], into: first)
    for machine in [first, second] { try machine.sync(&zone) }
    try first.container.close()
    var configuration = ModelConfiguration(url: first.url)
    configuration.storeOptions.history = .off
    let silent = try ModelContainer(for: Schema(versionedSchema: Drafts.self), configurations: configuration)
    let context = ModelContext(silent)
    try #require(try context.fetch(FetchDescriptor<Drafts.Note>(sortBy: [SortDescriptor(\.text)])).first).text = "C"
    try context.save()
    try silent.close()
    configuration.storeOptions.history = .on
    try ModelContainer(
      for: Schema(versionedSchema: LaterDrafts.self), migrationPlan: DraftsPlan.self, configurations: configuration
    ).close()
    first = try first.reopened(random: 1, LaterDrafts.self)
    for _ in 0..<2 { for machine in [first, second] { try machine.sync(&zone) } }
    #expect(try second.all(Drafts.Note.self, by: SortDescriptor(\.text)).map(\.text) == ["B", "C"])
  }

  @Test mutating func `a counter that was not synced for a while counts once`() throws {
    var machines = try [1, 2].map { try Machine($0, Tallies.self, at: folder.store("\($0)")) }
    try insert([Tallies.Tally(50)], into: machines[0])
    for machine in machines { try machine.sync(&zone) }
    for version in [LocalTallies.self, Tallies.self] as [any VersionedSchema.Type] {
      for place in 0..<2 { machines[place] = try machines[place].reopened(random: 1, version) }
      for _ in 0..<2 { for machine in machines { try machine.sync(&zone) } }
    }
    for machine in machines {
      #expect(try machine.all(Tallies.Tally.self, by: SortDescriptor(\.count)).map(\.count) == [50])
    }
  }

  @Test mutating func `a set that comes to be synced has what it had on each device`() throws {
    var machines = try [1, 2].map { try Machine($0, LocalTags.self, at: folder.store("\($0)")) }
    try insert([LocalTags.Item("A")], into: machines[0])
    for machine in machines { try machine.sync(&zone) }
    for (machine, tag) in zip(machines, ["red", "blue"]) {
      try #require(try machine.all(LocalTags.Item.self, by: SortDescriptor(\.name)).first).tags = [tag]
      try machine.context.save()
      try machine.sync(&zone)
    }
    for place in 0..<2 { machines[place] = try machines[place].reopened(random: 1, SyncedTags.self) }
    for _ in 0..<2 { for machine in machines { try machine.sync(&zone) } }
    for machine in machines {
      let items = try machine.all(SyncedTags.Item.self, by: SortDescriptor(\.name))
      #expect(items.map { Set($0.tags) } == [["red", "blue"]])
    }
  }

  @Test(arguments: [true, false])
  mutating func `of what people wrote before a property was synced the values that give way are conflicts`(
    hasMigration: Bool
  ) throws {
    var machines = try [1, 2].map { try Machine($0, LaterDrafts.self, at: folder.store("\($0)")) }
    try insert([LaterDrafts.Note("A")], into: machines[0])
    for machine in machines { try machine.sync(&zone) }
    for (machine, colour) in zip(machines, ["red", "blue"]) {
      try #require(try machine.all(LaterDrafts.Note.self, by: SortDescriptor(\.text)).first).colour = colour
      try machine.context.save()
    }
    for machine in machines { try machine.sync(&zone) }
    for place in 0..<2 {
      machines[place] = try machines[place].reopened(random: 1, hasMigration ? RatedDrafts.self : SyncedDrafts.self)
    }
    for _ in 0..<2 { for machine in machines { try machine.sync(&zone) } }
    let colours = try machines.map { machine in
      try machine.container.store.pool.read { try $0.strings("SELECT coalesce(colour, 'none') FROM Note") }
    }
    #expect(colours[0] == colours[1] && colours[0] != ["none"])
    let conflicts = try machines.flatMap { try $0.synced.conflicts(limit: nil) }
    #expect(conflicts.map(\.property) == ["colour"])
  }

  /// How a version of the program does without a property.
  enum WithoutProperty: CaseIterable { case localOnly, dropped }

  @Test(arguments: WithoutProperty.allCases)
  mutating func `what others wrote of a property while a program did without it is shown once it has it again`(
    way: WithoutProperty
  ) throws {
    var first = try Machine(1, SyncedDrafts.self, at: folder.store("first"))
    let second = try Machine(2, SyncedDrafts.self, at: folder.store("second"))
    func note(_ machine: Machine) throws -> SyncedDrafts.Note {
      try #require(try machine.all(SyncedDrafts.Note.self, by: SortDescriptor(\.text)).first)
    }
    try insert([SyncedDrafts.Note("A")], into: first)
    try note(first).colour = "old"
    try first.context.save()
    for machine in [first, second] { try machine.sync(&zone) }
    first = try first.reopened(random: 1, way == .dropped ? Drafts.self : LaterDrafts.self)
    try first.sync(&zone)
    try note(second).colour = "new"
    try second.context.save()
    for machine in [second, first] { try machine.sync(&zone) }
    first = try first.reopened(random: 1, SyncedDrafts.self)
    for _ in 0..<2 { for machine in [first, second] { try machine.sync(&zone) } }
    for machine in [first, second] { #expect(try note(machine).colour == "new") }
  }

  @Test(arguments: [false, true])
  mutating func `what people write while a property is not synced is sent once it is again, unless others have set it`(
    hasOther: Bool
  ) throws {
    var first = try Machine(1, SyncedDrafts.self, at: folder.store("first"))
    let second = try Machine(2, SyncedDrafts.self, at: folder.store("second"))
    func note(_ machine: Machine) throws -> SyncedDrafts.Note {
      try #require(try machine.all(SyncedDrafts.Note.self, by: SortDescriptor(\.text)).first)
    }
    try insert([SyncedDrafts.Note("A")], into: first)
    for machine in [first, second] { try machine.sync(&zone) }
    try note(second).colour = "old"
    try second.context.save()
    for machine in [second, first] { try machine.sync(&zone) }
    first = try first.reopened(random: 1, LaterDrafts.self)
    try first.sync(&zone)
    try #require(try first.all(LaterDrafts.Note.self, by: SortDescriptor(\.text)).first).colour = "mine"
    try first.context.save()
    if hasOther { try note(second).colour = "new" }
    try second.context.save()
    for machine in [second, first] { try machine.sync(&zone) }
    first = try first.reopened(random: 1, SyncedDrafts.self)
    for _ in 0..<2 { for machine in [first, second] { try machine.sync(&zone) } }
    for machine in [first, second] { #expect(try note(machine).colour == (hasOther ? "new" : "mine")) }
    #expect(try first.synced.conflicts(limit: nil).map(\.outcome) == (hasOther ? [.remote] : []))
  }

  @Test mutating func `a counter counts once also where the server was put back while it was not synced`() throws {
    var machines = try [1, 2].map { try Machine($0, Tallies.self, at: folder.store("\($0)")) }
    try insert([Tallies.Tally(50)], into: machines[0])
    for machine in machines { try machine.sync(&zone) }
    let backup = zone
    try insert([Tallies.Tally(7)], into: machines[1])
    for machine in machines + machines { try machine.sync(&zone) }
    zone = backup
    for version in [LocalTallies.self, Tallies.self] as [any VersionedSchema.Type] {
      for place in 0..<2 { machines[place] = try machines[place].reopened(random: 1, version) }
      for _ in 0..<3 { for machine in machines { try machine.sync(&zone) } }
    }
    for machine in machines {
      #expect(try machine.all(Tallies.Tally.self, by: SortDescriptor(\.count)).map(\.count) == [7, 50])
    }
  }

  @Test(arguments: [false, true])
  mutating func `a largest value that is reached while it is not synced is sent, or in the journal`(hasOther: Bool)
    throws
  {
    var first = try Machine(1, Tallies.self, at: folder.store("first"))
    let second = try Machine(2, Tallies.self, at: folder.store("second"))
    let tally = Tallies.Tally(0)
    tally.best = 100
    try insert([tally], into: first)
    for machine in [first, second] { try machine.sync(&zone) }
    first = try first.reopened(random: 1, LocalTallies.self)
    try first.sync(&zone)
    try #require(try first.all(LocalTallies.Tally.self, by: SortDescriptor(\.best)).first).best = 150
    try first.context.save()
    if hasOther { try #require(try second.all(Tallies.Tally.self, by: SortDescriptor(\.best)).first).best = 120 }
    try second.context.save()
    for machine in [second, first] { try machine.sync(&zone) }
    first = try first.reopened(random: 1, Tallies.self)
    for _ in 0..<2 { for machine in [first, second] { try machine.sync(&zone) } }
    for machine in [first, second] {
      let best = try machine.all(Tallies.Tally.self, by: SortDescriptor(\.best)).map(\.best)
      #expect(best == [hasOther ? 120 : 150])
    }
    #expect(try first.synced.conflicts(limit: nil).map(\.local) == (hasOther ? [.integer(150)] : []))
  }

  @Test mutating func `what others counted while a program did not sync the counter is counted`() throws {
    var first = try Machine(1, Tallies.self, at: folder.store("first"))
    let second = try Machine(2, Tallies.self, at: folder.store("second"))
    try insert([Tallies.Tally(50)], into: first)
    for machine in [first, second] { try machine.sync(&zone) }
    first = try first.reopened(random: 1, LocalTallies.self)
    try first.sync(&zone)
    try #require(try second.all(Tallies.Tally.self, by: SortDescriptor(\.count)).first).count += 10
    try second.context.save()
    for machine in [second, first] { try machine.sync(&zone) }
    first = try first.reopened(random: 1, Tallies.self)
    for _ in 0..<2 { for machine in [first, second] { try machine.sync(&zone) } }
    for machine in [first, second] {
      #expect(try machine.all(Tallies.Tally.self, by: SortDescriptor(\.count)).map(\.count) == [60])
    }
  }

  @Test(arguments: [true, false])
  mutating func `rows that a migration removed while their model was not synced are there again once it is`(
    hasModel: Bool
  ) throws {
    var first = try Machine(1, Drafts.self, at: folder.store("first"))
    let second = try Machine(2, Drafts.self, at: folder.store("second"))
    try insert([Drafts.Draft("A")], into: first)
    for machine in [first, second] { try machine.sync(&zone) }
    first = try first.reopened(random: 1, unsynced: ["Draft"])
    try insert([Drafts.Note("N")], into: first)
    try first.sync(&zone)
    if hasModel {
      first = try first.migrated(random: 1, LaterDrafts.self, by: DraftsPlan.self, unsynced: ["Draft"])
    } else {
      first = try first.reopened(random: 1, NoDrafts.self)
    }
    try first.sync(&zone)
    #expect(try hasModel == false || drafts(first).isEmpty)
    first = try first.reopened(random: 1, LaterDrafts.self)
    for _ in 0..<2 { for machine in [first, second] { try machine.sync(&zone) } }
    for machine in [first, second] { #expect(try drafts(machine) == ["A"] && machine.isDone(zone)) }
  }
}

enum Drafts: VersionedSchema {
  static let versionIdentifier = Schema.Version(1, 0, 0)
  static var models: [any PersistentModel.Type] { [Note.self, Draft.self] }

  @Model final class Note {
    var text: String

    init(_ text: String) { self.text = text }
  }

  @Model final class Draft {
    var text: String

    init(_ text: String) { self.text = text }
  }
}

enum NoDrafts: VersionedSchema {
  static let versionIdentifier = Schema.Version(2, 0, 0)
  static var models: [any PersistentModel.Type] { [Note.self] }

  @Model final class Note {
    var text: String

    init(_ text: String) { self.text = text }
  }
}

enum LaterDrafts: VersionedSchema {
  static let versionIdentifier = Schema.Version(3, 0, 0)
  static var models: [any PersistentModel.Type] { [Note.self, Draft.self] }

  @Model final class Note {
    var text: String
    @Attribute(.localOnly) var colour: String?

    init(_ text: String) { self.text = text }
  }

  @Model final class Draft {
    var text: String

    init(_ text: String) { self.text = text }
  }
}

enum Tallies: VersionedSchema {
  static let versionIdentifier = Schema.Version(1, 0, 0)
  static var models: [any PersistentModel.Type] { [Tally.self] }

  @Model final class Tally {
    @Attribute(.merge(.counter)) var count = 0
    @Attribute(.merge(.max)) var best = 0

    init(_ count: Int) { self.count = count }
  }
}

enum LocalTallies: VersionedSchema {
  static let versionIdentifier = Schema.Version(1, 0, 0)
  static var models: [any PersistentModel.Type] { [Tally.self] }

  @Model final class Tally {
    @Attribute(.localOnly) var count = 0
    @Attribute(.localOnly) var best = 0

    init(_ count: Int) { self.count = count }
  }
}

enum LocalTags: VersionedSchema {
  static let versionIdentifier = Schema.Version(1, 0, 0)
  static var models: [any PersistentModel.Type] { [Item.self] }

  @Model final class Item {
    var name: String
    @Attribute(.localOnly) var tags: [String] = []

    init(_ name: String) { self.name = name }
  }
}

enum SyncedTags: VersionedSchema {
  static let versionIdentifier = Schema.Version(1, 0, 0)
  static var models: [any PersistentModel.Type] { [Item.self] }

  @Model final class Item {
    var name: String
    @Attribute(.merge(.set)) var tags: [String] = []

    init(_ name: String) { self.name = name }
  }
}

/// The same with another property synced.
enum SyncedDrafts: VersionedSchema {
  static let versionIdentifier = Schema.Version(3, 0, 0)
  static var models: [any PersistentModel.Type] { [Note.self, Draft.self] }

  @Model final class Note {
    var text: String
    var colour: String?

    init(_ text: String) { self.text = text }
  }

  @Model final class Draft {
    var text: String

    init(_ text: String) { self.text = text }
  }
}

enum RatedDrafts: VersionedSchema {
  static let versionIdentifier = Schema.Version(4, 0, 0)
  static var models: [any PersistentModel.Type] { [Note.self, Draft.self] }

  @Model final class Note {
    var text: String
    var colour: String?
    var stars = 0

    init(_ text: String) { self.text = text }
  }

  @Model final class Draft {
    var text: String

    init(_ text: String) { self.text = text }
  }
}

/// Removes all drafts.
enum DraftsPlan: SchemaMigrationPlan {
  static let schemas: [any VersionedSchema.Type] = [Drafts.self, LaterDrafts.self]
  static let stages: [MigrationStage] = [
    .custom(
      fromVersion: Drafts.self, toVersion: LaterDrafts.self, willMigrate: nil,
      didMigrate: { context in
        for draft in try context.fetch(FetchDescriptor<LaterDrafts.Draft>()) { context.delete(draft) }
        try context.save()
      })
  ]
}
