import Foundation
import SwiftData
import Testing

/// Stage code as guides to SwiftData write it: it fetches while it has unsaved changes, and saves when it is done.
@Suite struct StageCodeProgramTests {
  @Test func `willMigrate removes duplicates one by one, and looks for others in between`() throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("program-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let configuration = ModelConfiguration(url: folder.appendingPathComponent("trips.store"))
    do {
      let container = try ModelContainer(for: StageCodeV1.StageTrip.self, configurations: configuration)
      let context = ModelContext(container)
      for name in ["Oslo", "Rome", "Oslo", "Oslo"] { context.insert(StageCodeV1.StageTrip(name: name)) }
      try context.save()
    }
    let container = try ModelContainer(
      for: StageCodeV2.StageTrip.self, migrationPlan: StageCodePlan.self, configurations: configuration)
    let context = ModelContext(container)
    let trips = try context.fetch(FetchDescriptor<StageCodeV2.StageTrip>(sortBy: [SortDescriptor(\.name)]))
    #expect(trips.map(\.name) == ["Oslo", "Rome"])
    #expect(trips.map(\.note) == ["checked 1", "checked 2"])
  }
}

enum StageCodeV1: VersionedSchema {
  static var versionIdentifier: Schema.Version { Schema.Version(1, 0, 0) }
  static var models: [any PersistentModel.Type] { [StageTrip.self] }

  @Model final class StageTrip {
    var name: String

    init(name: String) { self.name = name }
  }
}

enum StageCodeV2: VersionedSchema {
  static var versionIdentifier: Schema.Version { Schema.Version(2, 0, 0) }
  static var models: [any PersistentModel.Type] { [StageTrip.self] }

  @Model final class StageTrip {
    @Attribute(.unique) var name: String
    var note: String?

    init(name: String) { self.name = name }
  }
}

enum StageCodePlan: SchemaMigrationPlan {
  static var schemas: [any VersionedSchema.Type] { [StageCodeV1.self, StageCodeV2.self] }
  static var stages: [MigrationStage] { [migrateV1toV2] }

  static let migrateV1toV2 = MigrationStage.custom(
    fromVersion: StageCodeV1.self,
    toVersion: StageCodeV2.self,
    willMigrate: { context in
      let trips = try context.fetch(FetchDescriptor<StageCodeV1.StageTrip>())
      for trip in trips {
        let name = trip.name
        let same = try context.fetch(
          FetchDescriptor<StageCodeV1.StageTrip>(predicate: #Predicate { $0.name == name }))
        if same.count > 1 { context.delete(trip) }
      }
      try context.save()
    },
    didMigrate: { context in
      let trips = try context.fetch(FetchDescriptor<StageCodeV2.StageTrip>(sortBy: [SortDescriptor(\.name)]))
      for trip in trips {
        let checked = try context.fetchCount(
          FetchDescriptor<StageCodeV2.StageTrip>(predicate: #Predicate { $0.note != nil }))
        trip.note = "checked \(checked + 1)"
      }
      try context.save()
    })
}
