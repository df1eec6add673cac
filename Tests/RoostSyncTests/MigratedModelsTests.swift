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
