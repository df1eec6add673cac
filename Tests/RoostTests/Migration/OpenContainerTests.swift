import Foundation
import Roost
import RoostCore
import RoostEngine
import RoostMigration
import RoostQuery
import Testing

/// Containers that have a store open while somebody else migrates it.
@Suite struct OpenContainerTests {
  private let store: Migrated

  init() throws { store = try Migrated() }

  private func openOld() throws -> (ModelContainer, ModelContext, TasksV3.Task) {
    let container = try ModelContainer(for: TasksV3.Task.self, configurations: store.configuration())
    let context = ModelContext(container)
    let task = TasksV3.Task(title: "one", duration: "5 min", heading: "one")
    context.insert(task)
    try context.save()
    return (container, context, task)
  }

  private func migrate() throws {
    try store.open(TasksV4.Item.self, plan: TasksPlan.self) { context in
      try #expect(context.fetch(FetchDescriptor<TasksV4.Item>()).map(\.title) == ["one"])
    }
  }

  private func expectMigrated(_ body: () throws -> Void) {
    let error = #expect(throws: SwiftDataError.self) { try body() }
    #expect(error == .storeMigrated)
    #expect("\(error.map { "\($0)" } ?? "")".contains("Make a new ModelContainer"))
  }

  @Test func `a context of the old models neither reads nor writes any more, and says why`() throws {
    let (container, context, task) = try openOld()
    try migrate()
    task.title = "two"
    expectMigrated { try context.save() }
    expectMigrated { _ = try context.fetch(FetchDescriptor<TasksV3.Task>(sortBy: [SortDescriptor(\.duration)])) }
    expectMigrated { _ = try ModelContext(container).fetch(FetchDescriptor<TasksV3.Task>()) }
    expectMigrated { _ = try container.withDatabase { try $0.execute(sql: "DELETE FROM Tag") } }
    #expect(context.hasChanges, "what was not saved is still there")
    try container.close()
    #expect(try store.strings("SELECT title FROM Item") == ["one"])
    try store.checkFile(TasksV4.Item.self)
  }

  @Test func `tables that only got an index, or a table of another program, stay in use`() throws {
    let (container, context, task) = try openOld()
    let connection = try store.connection()
    try connection.execute("CREATE TABLE other (a); CREATE INDEX other_index ON Task (title)")
    connection.close()
    task.title = "two"
    try context.save()
    try #expect(context.fetch(FetchDescriptor<TasksV3.Task>()).map(\.title) == ["two"])
    try container.close()
  }

  @Test func `whoever waits too long for a migration is told what may be going on`() throws {
    let (container, _, _) = try openOld()
    try container.close()
    let connection = try store.connection()
    try connection.begin()
    var configuration = store.configuration()
    configuration.storeOptions.busyTimeout = .zero
    let error = #expect(throws: SwiftDataError.self) {
      try ModelContainer(for: TasksV4.Item.self, migrationPlan: TasksPlan.self, configurations: configuration)
    }
    #expect("\(error.map { "\($0)" } ?? "")".contains("such as a program that migrates it"))
    connection.close()
    try migrate()
  }
}
