import Foundation
import Roost
import Testing

/// Plans whose `schemas` do not have all that their stages name.
@Suite struct PlanSchemasTests {
  private let store: Migrated

  init() throws { store = try Migrated() }

  @Test(arguments: Unlisted.all)
  func `a version that only a stage names belongs to the plan`(_ plan: Unlisted) throws {
    try store.open(TasksV1.Task.self) { $0.insert(TasksV1.Task(title: "🪺", minutes: 5)) }
    try store.open(TasksV4.Item.self, plan: plan.plan) { context in
      try #expect(context.fetch(FetchDescriptor<TasksV4.Item>()).map(\.duration) == ["5 min"])
    }
    try store.checkFile(TasksV4.Item.self)
    #expect(try store.strings("SELECT value FROM _roost_meta WHERE key = 'version'") == ["4.0.0"])
  }

  @Test func `a version that only a stage names has a number of its own`() throws {
    enum Twin: VersionedSchema {
      static let models: [any PersistentModel.Type] = [TasksV2.Task.self, TasksV2.Tag.self]
      static let versionIdentifier = Schema.Version(1, 0, 0)
    }
    enum Plan: SchemaMigrationPlan {
      static let schemas: [any VersionedSchema.Type] = [TasksV1.self]
      static let stages: [MigrationStage] = [.lightweight(fromVersion: TasksV1.self, toVersion: Twin.self)]
    }
    let error = #expect(throws: SwiftDataError.unknownSchema) {
      try store.open(TasksV2.Task.self, plan: Plan.self) { _ in }
    }
    #expect(error?.message.contains("Twin has the number 1.0.0, and TasksV1, before it, 1.0.0") ?? false)
  }
}

struct Unlisted: Sendable, CustomTestStringConvertible {
  let plan: any SchemaMigrationPlan.Type

  var testDescription: String { "\(plan)" }

  static let all = [
    Unlisted(plan: None.self), Unlisted(plan: Newest.self), Unlisted(plan: Oldest.self), Unlisted(plan: Ends.self),
    Unlisted(plan: Middle.self),
  ]

  enum None: SchemaMigrationPlan {
    static let schemas: [any VersionedSchema.Type] = []
    static let stages = TasksPlan.stages
  }

  enum Newest: SchemaMigrationPlan {
    static let schemas: [any VersionedSchema.Type] = [TasksV4.self]
    static let stages = TasksPlan.stages
  }

  enum Oldest: SchemaMigrationPlan {
    static let schemas: [any VersionedSchema.Type] = [TasksV1.self]
    static let stages = TasksPlan.stages
  }

  enum Ends: SchemaMigrationPlan {
    static let schemas: [any VersionedSchema.Type] = [TasksV1.self, TasksV4.self]
    static let stages = TasksPlan.stages
  }

  enum Middle: SchemaMigrationPlan {
    static let schemas: [any VersionedSchema.Type] = [TasksV2.self, TasksV3.self]
    static let stages = TasksPlan.stages
  }
}
