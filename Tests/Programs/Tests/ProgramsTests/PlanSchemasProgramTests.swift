import Foundation
import SwiftData
import Testing

/// A plan whose list of schemas nobody has kept up to date: its stages name what is missing.
@Suite struct PlanSchemasProgramTests {
  @Test func `a plan that lists the newest version alone migrates the store`() throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("program-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let configuration = ModelConfiguration(url: folder.appendingPathComponent("plans.store"))
    do {
      let container = try ModelContainer(for: PlanSchemasV1.PlannedTask.self, configurations: configuration)
      let context = ModelContext(container)
      context.insert(PlanSchemasV1.PlannedTask(title: "a"))
      try context.save()
    }
    let container = try ModelContainer(
      for: PlanSchemasV3.PlannedTask.self, migrationPlan: PlanSchemasPlan.self, configurations: configuration)
    let tasks = try ModelContext(container).fetch(FetchDescriptor<PlanSchemasV3.PlannedTask>())
    #expect(tasks.map(\.title) == ["a"] && tasks.map(\.isDone) == [false] && tasks.map(\.due) == [nil])
  }
}

enum PlanSchemasV1: VersionedSchema {
  static var versionIdentifier: Schema.Version { .init(1, 0, 0) }
  static var models: [any PersistentModel.Type] { [PlannedTask.self] }

  @Model final class PlannedTask {
    var title: String

    init(title: String) { self.title = title }
  }
}

enum PlanSchemasV2: VersionedSchema {
  static var versionIdentifier: Schema.Version { .init(2, 0, 0) }
  static var models: [any PersistentModel.Type] { [PlannedTask.self] }

  @Model final class PlannedTask {
    var title: String
    var isDone = false

    init(title: String) { self.title = title }
  }
}

enum PlanSchemasV3: VersionedSchema {
  static var versionIdentifier: Schema.Version { .init(3, 0, 0) }
  static var models: [any PersistentModel.Type] { [PlannedTask.self] }

  @Model final class PlannedTask {
    var title: String
    var isDone = false
    var due: Date?

    init(title: String) { self.title = title }
  }
}

enum PlanSchemasPlan: SchemaMigrationPlan {
  static var schemas: [any VersionedSchema.Type] { [PlanSchemasV3.self] }

  static var stages: [MigrationStage] {
    [
      .lightweight(fromVersion: PlanSchemasV1.self, toVersion: PlanSchemasV2.self),
      .lightweight(fromVersion: PlanSchemasV2.self, toVersion: PlanSchemasV3.self),
    ]
  }
}
