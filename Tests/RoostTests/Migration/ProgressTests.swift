import Foundation
import Roost
import RoostCore
import RoostMigration
import RoostQuery
import Synchronization
import Testing

/// Migrations that somebody waits for.
@Suite struct ProgressTests {
  private let store: Migrated

  init() throws {
    store = try Migrated()
    try store.open(TasksV1.Task.self, TasksV1.Tag.self) { context in
      for number in 0..<60_000 { context.insert(TasksV1.Task(title: "task \(number)", minutes: number)) }
    }
  }

  private func migrate(_ progress: @escaping @Sendable (MigrationProgress) -> Void) async throws -> ModelContainer {
    try await ModelContainer.migrate(
      for: TasksV4.Item.self, migrationPlan: TasksPlan.self, configurations: store.configuration(), progress: progress)
  }

  @Test func `each phase tells how far it is, on another thread`() async throws {
    let reports = Mutex<[MigrationProgress]>([])
    let container = try await migrate { progress in
      #expect(!Thread.isMainThread)
      reports.withLock { $0.append(progress) }
    }
    #expect(try ModelContext(container).fetchCount(FetchDescriptor<TasksV4.Item>()) == 60_000)
    try container.close()
    let all = reports.withLock { $0 }
    #expect(all.first?.phase == .backup && all.first?.stage == nil)
    let copied = try #require(all.last { $0.phase == .backup })
    #expect(copied.completed == copied.total && copied.total > 100)
    let stages = all.compactMap(\.stage).reduce(into: [String]()) { if $0.last != $1 { $0.append($1) } }
    #expect(stages == ["TasksV1 → TasksV2", "TasksV2 → TasksV3", "TasksV3 → TasksV4"])
    let rows = all.filter { $0.stage == stages[1] && $0.phase == .rows(of: "Task") }
    #expect(rows.map(\.completed) == [0, 50_000, 60_000])
    #expect(rows.allSatisfy { $0.total == 60_000 } && rows.last?.remaining == .zero)
    #expect(all.filter { $0.phase == .code }.count == 2)
    #expect(all.last?.phase == .indexes)
  }

  @Test func `a cancelled migration leaves the old version`() async throws {
    let task = Mutex<Task<ModelContainer, any Error>?>(nil)
    let (starts, start) = AsyncStream<Void>.makeStream()
    let migration = Task {
      for await _ in starts { break }
      return try await migrate { progress in
        if progress.phase == .rows(of: "Task") && progress.completed > 0 { task.withLock { $0?.cancel() } }
      }
    }
    task.withLock { $0 = migration }
    start.yield()
    await #expect(throws: CancellationError.self) { try await migration.value }
    try store.checkFile(TasksV1.Task.self)
    try store.open(TasksV1.Task.self) { context in
      try #expect(context.fetchCount(FetchDescriptor<TasksV1.Task>()) == 60_000)
    }
    #expect(try ModelContainer.backups(of: store.configuration()) == [])
  }

  @Test func `a store that needs no migration is opened without a word`() async throws {
    let container = try await ModelContainer.migrate(
      for: TasksV1.Task.self, configurations: store.configuration()
    ) { progress in Issue.record("\(progress)") }
    #expect(try ModelContext(container).fetchCount(FetchDescriptor<TasksV1.Task>()) == 60_000)
  }
}
