import Foundation
import Roost
import RoostCore
import RoostEngine
import RoostMigration
import RoostQuery
import Testing

/// Migrations of a copy, which tell what the real one would do.
@Suite struct DryRunTests {
  private let store: Migrated

  init() throws { store = try Migrated() }

  private func makeTasks() throws {
    try store.open(TasksV1.Task.self, TasksV1.Tag.self) { context in
      for name in ["a", "b", "a"] { context.insert(TasksV1.Tag(name: name)) }
      for minutes in 1...4 {
        let task = TasksV1.Task(title: "task", minutes: minutes)
        context.insert(task)
        task.tags = try context.fetch(FetchDescriptor<TasksV1.Tag>())
      }
    }
  }

  /// Everything that the folder of the store holds, byte by byte.
  private func files() throws -> [String: Data] {
    let folder = store.url.deletingLastPathComponent()
    var files: [String: Data] = [:]
    for name in try FileManager.default.contentsOfDirectory(atPath: folder.path) {
      files[name] = try? Data(contentsOf: folder.appending(path: name))
    }
    return files
  }

  @Test func `a dry run tells stages, statements and rows, and leaves the store as it was`() throws {
    try makeTasks()
    let before = try files()
    let report = try ModelContainer.dryRun(
      for: TasksV4.Item.self, migrationPlan: TasksPlan.self, configurations: store.configuration())
    #expect(try files() == before)
    #expect(report.succeeded && report.isNeeded)
    #expect(report.stages == ["TasksV1 → TasksV2", "TasksV2 → TasksV3", "TasksV3 → TasksV4"])
    #expect(report.rowsBefore == ["Task": 4, "Tag": 3, "Tag_tasks": 12])
    #expect(report.rowsAfter == ["Item": 4, "Tag": 4, "Item_tags": 12])
    #expect(report.statements.contains { $0.sql.contains("ADD COLUMN \"isDone\"") && $0.count == 1 })
    #expect(report.statements.allSatisfy { !$0.sql.hasPrefix("SELECT") && !$0.sql.contains("PRAGMA") })
    for line in ["Tag: 3, then 4", "Item: new, 4", "Task: gone, 4 before", "TasksV3 → TasksV4", "ALTER TABLE"] {
      #expect(report.description.contains(line))
    }
    try store.checkFile(TasksV1.Task.self)
  }

  @Test func `a dry run tells all obstacles`() throws {
    try makeTasks()
    let report = try ModelContainer.dryRun(for: TasksV2.Task.self, configurations: store.configuration())
    #expect(!report.succeeded && report.rowsAfter.isEmpty)
    #expect(report.obstacles.map(\.property) == ["name"])
    #expect(report.description.contains("Unique name"))
    try store.checkFile(TasksV1.Task.self)
  }

  @Test func `what the code of a stage throws is in the report`() throws {
    struct Refusal: Error {}
    enum Failing: SchemaMigrationPlan {
      static let schemas = Array(TasksPlan.schemas.prefix(2))
      static let stages: [MigrationStage] = [
        .custom(
          fromVersion: TasksV1.self, toVersion: TasksV2.self, willMigrate: { _ in throw Refusal() }, didMigrate: nil)
      ]
    }
    try makeTasks()
    let report = try ModelContainer.dryRun(
      for: TasksV2.Task.self, migrationPlan: Failing.self, configurations: store.configuration())
    #expect(report.failure is Refusal && !report.succeeded && report.obstacles.isEmpty)
  }

  @Test func `a store of the program's own models, and one that is not there, need nothing`() throws {
    let missing = try ModelContainer.dryRun(for: TasksV1.Task.self, configurations: store.configuration())
    #expect(missing.succeeded && !missing.isNeeded && missing.rowsBefore == [:])
    #expect(!FileManager.default.fileExists(atPath: store.url.path))
    try makeTasks()
    let same = try ModelContainer.dryRun(for: TasksV1.Task.self, configurations: store.configuration())
    #expect(same.succeeded && !same.isNeeded && same.statements == [])
    #expect(same.description == "The store needs no migration.")
  }

  @Test func `large values are there for the code of a dry run, and stay where they are`() throws {
    let bytes = Data(repeating: 7, count: 200_000)
    try store.open(Versions.Outside.Photo.self) { $0.insert(Versions.Outside.Photo(bytes: bytes, caption: "a")) }
    let before = try files()
    let report = try ModelContainer.dryRun(for: Versions.Inline.Photo.self, configurations: store.configuration())
    #expect(report.succeeded && report.isNeeded)
    #expect(try files() == before)
    try store.open(Versions.Outside.Photo.self) { context in
      try #expect(context.fetch(FetchDescriptor<Versions.Outside.Photo>()).map(\.bytes) == [bytes])
    }
  }

  @Test func `a file of another program is an error in the report`() throws {
    try Data("no database at all, but a text that is long enough".utf8).write(to: store.url)
    #expect(throws: SwiftDataError.self) {
      try ModelContainer.dryRun(for: TasksV1.Task.self, configurations: store.configuration())
    }
    try FileManager.default.removeItem(at: store.url)
    let connection = try store.connection()
    try connection.execute("CREATE TABLE other (a)")
    connection.close()
    let report = try ModelContainer.dryRun(for: TasksV1.Task.self, configurations: store.configuration())
    #expect("\(report)".contains("database of another program"))
  }
}
