import Foundation
import Roost
import Testing

/// Code of stages that fetches while it has unsaved changes: all contexts of a migration use one connection.
@Suite struct StageCodeTests {
  private let store: Migrated

  init() throws {
    store = try Migrated()
    try store.open(TasksV1.Task.self, TasksV1.Tag.self) { context in
      for (number, name) in ["a", "b", "c"].enumerated() {
        let tag = TasksV1.Tag(name: name)
        context.insert(tag)
        let task = TasksV1.Task(title: "task \(name)", minutes: number)
        context.insert(task)
        task.tags = [tag]
      }
    }
  }

  @Test func `code fetches, counts and enumerates over unsaved changes, and saves in between`() throws {
    enum Plan: SchemaMigrationPlan {
      static let schemas = Array(TasksPlan.schemas.prefix(2))
      static let stages: [MigrationStage] = [
        .custom(
          fromVersion: TasksV1.self, toVersion: TasksV2.self,
          willMigrate: { context in
            let tags = try context.fetch(FetchDescriptor<TasksV1.Tag>(sortBy: [SortDescriptor(\.name)]))
            for round in 1...3 {
              for tag in tags { tag.name += "'" }
              context.insert(TasksV1.Tag(name: "new \(round)"))
              let names = try context.fetch(FetchDescriptor<TasksV1.Tag>(sortBy: [SortDescriptor(\.name)])).map(\.name)
              #expect(names.count == 3 + round && names[0] == "a" + String(repeating: "'", count: round))
              let primes = FetchDescriptor<TasksV1.Tag>(predicate: #Predicate { $0.name.hasSuffix("'") })
              #expect(try context.fetchCount(primes) == 3)
              var seen = 0
              try context.enumerate(primes, batchSize: 2, allowEscapingMutations: true) { _ in seen += 1 }
              #expect(seen == 3)
              #expect(try context.fetch(primes, batchSize: 2).map(\.name).allSatisfy { $0.hasSuffix("'") })
              try context.save()
              #expect(try context.fetchCount(FetchDescriptor<TasksV1.Tag>()) == 3 + round)
            }
          },
          didMigrate: { context in
            let task = try #require(try context.fetch(FetchDescriptor<TasksV2.Task>()).first)
            task.tags.append(TasksV2.Tag(name: "more"))
            task.title = "changed"
            // Lists are read while the changed rows are known, and after a query has shown them.
            let others = try context.fetch(
              FetchDescriptor<TasksV2.Task>(predicate: #Predicate { $0.title != "changed" }))
            #expect(others.map { $0.tags.count } == [1, 1])
            #expect(
              try context.fetchCount(FetchDescriptor<TasksV2.Tag>(predicate: #Predicate { $0.tasks.count > 0 })) == 4)
            try context.save()
            try context.update(model: TasksV2.Task.self, set: .set(\.subtitle, to: "all"))
            task.title += "!"
            #expect(
              try context.fetchCount(FetchDescriptor<TasksV2.Task>(predicate: #Predicate { $0.title == "changed!" }))
                == 1)
          })
      ]
    }
    try store.open(TasksV2.Task.self, plan: Plan.self) { context in
      let tags = try context.fetch(FetchDescriptor<TasksV2.Tag>(sortBy: [SortDescriptor(\.name)]))
      #expect(tags.map(\.name) == ["a'''", "b'''", "c'''", "more", "new 1", "new 2", "new 3"])
      let tasks = try context.fetch(FetchDescriptor<TasksV2.Task>(sortBy: [SortDescriptor(\.title)]))
      #expect(tasks.map(\.title) == ["changed!", "task b", "task c"])
      #expect(tasks.map(\.tags.count) == [2, 1, 1] && tasks.allSatisfy { $0.subtitle == "all" })
    }
    try store.checkFile(TasksV2.Task.self)
  }

  @Test func `code exchanges the unique values of many rows that a query has looked at`() throws {
    enum Plan: SchemaMigrationPlan {
      static let schemas: [any VersionedSchema.Type] = [TasksV1.self, TasksV2.self]
      static let stages: [MigrationStage] = [
        .custom(
          fromVersion: TasksV1.self, toVersion: TasksV2.self, willMigrate: nil,
          didMigrate: { context in
            for number in 0..<40 { context.insert(TasksV2.Tag(name: "\(number)")) }
            try context.save()
            let tags = try context.fetch(FetchDescriptor<TasksV2.Tag>())
            let names = tags.map(\.name)
            for (place, tag) in tags.enumerated() { tag.name = names[(place + 1) % names.count] }
            let count = try context.fetchCount(FetchDescriptor<TasksV2.Tag>())
            #expect(count == 43)
            try context.save()
          })
      ]
    }
    try store.open(TasksV2.Task.self, plan: Plan.self) { context in
      let count = try context.fetchCount(FetchDescriptor<TasksV2.Tag>())
      #expect(count == 43)
    }
    try store.checkFile(TasksV2.Task.self)
  }

  @Test func `contexts of both versions have unsaved changes, which each sees alone`() throws {
    enum Plan: SchemaMigrationPlan {
      static let schemas: [any VersionedSchema.Type] = [TasksV1.self, TasksV2.self]
      static let stages: [MigrationStage] = [
        .custom(from: TasksV1.self, to: TasksV2.self) { old, new in
          let before = try old.fetch(FetchDescriptor<TasksV1.Tag>(sortBy: [SortDescriptor(\.name)]))
          let after = try new.fetch(FetchDescriptor<TasksV2.Tag>(sortBy: [SortDescriptor(\.name)]))
          for (place, tag) in before.enumerated() {
            tag.name = "old \(place)"
            after[place].name = "new \(place)"
            #expect(try old.fetch(FetchDescriptor<TasksV1.Tag>()).count { $0.name.hasPrefix("old") } == place + 1)
            #expect(try new.fetch(FetchDescriptor<TasksV2.Tag>()).count { $0.name.hasPrefix("new") } == place + 1)
            let both = FetchDescriptor<TasksV2.Tag>(predicate: #Predicate { $0.name.starts(with: "old") })
            #expect(try new.fetchCount(both) == 0)
            // Another context of the same version, with changes of its own.
            let other = ModelContext(new.container)
            other.insert(TasksV2.Tag(name: "other"))
            let names = try other.fetch(FetchDescriptor<TasksV2.Tag>()).map(\.name)
            #expect(names.count { $0.hasPrefix("new") } == (place == 2 ? 2 : 0) && names.contains("other"))
            if place == 1 {
              try old.save()
              try new.save()
            }
          }
          // A list that is read first while both contexts' changed rows are shown.
          #expect(try new.fetch(FetchDescriptor<TasksV2.Task>()).map(\.tags.count) == [1, 1, 1])
          #expect(try old.fetch(FetchDescriptor<TasksV1.Task>()).map(\.tags.count) == [1, 1, 1])
        }
      ]
    }
    try store.open(TasksV2.Task.self, plan: Plan.self) { context in
      let tags = try context.fetch(FetchDescriptor<TasksV2.Tag>(sortBy: [SortDescriptor(\.name)]))
      #expect(tags.map(\.name) == ["new 0", "new 1", "new 2"])
    }
    try store.checkFile(TasksV2.Task.self)
  }

  @Test func `what a context shows that code has kept is in no later stage's way`() throws {
    enum Plan: SchemaMigrationPlan {
      nonisolated(unsafe) static var kept: ModelContext?  // SAFETY: this test's thread alone uses it.
      static let schemas = Array(TasksPlan.schemas.prefix(3))
      static let stages: [MigrationStage] = [
        .custom(
          fromVersion: TasksV1.self, toVersion: TasksV2.self, willMigrate: nil,
          didMigrate: { context in
            context.insert(TasksV2.Task(title: "kept", minutes: 3))
            #expect(try context.fetchCount(FetchDescriptor<TasksV2.Task>()) == 4)
            try context.save()
            context.insert(TasksV2.Task(title: "late", minutes: 4))
            #expect(try context.fetchCount(FetchDescriptor<TasksV2.Task>()) == 5)
            kept = context
          }),
        .custom(
          from: TasksV2.self, to: TasksV3.self,
          steps: [
            .transform(\TasksV2.Task.minutes, to: \TasksV3.Task.duration) { "\($0)" }, .fill(\TasksV3.Task.heading),
          ]
        ) { old, new in
          old.insert(TasksV2.Task(title: "lost", minutes: 0))
          #expect(try old.fetchCount(FetchDescriptor<TasksV2.Task>()) == 6)
          for task in try new.fetch(FetchDescriptor<TasksV3.Task>()) {
            task.heading = task.title
            #expect(try new.fetch(FetchDescriptor<TasksV3.Task>()).count == 5)
          }
        },
      ]
    }
    defer { Plan.kept = nil }
    try store.open(TasksV3.Task.self, plan: Plan.self) { context in
      let tasks = try context.fetch(FetchDescriptor<TasksV3.Task>(sortBy: [SortDescriptor(\.title)]))
      #expect(tasks.map(\.heading) == ["kept", "late", "task a", "task b", "task c"])
    }
    try store.checkFile(TasksV3.Task.self)
  }
}
