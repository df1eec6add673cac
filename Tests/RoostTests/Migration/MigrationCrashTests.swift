import FaultyDisk
import Foundation
import Roost
import RoostCore
import RoostMigration
import RoostQuery
import Synchronization
import Testing

/// A migration with every kind of stage that something cuts off leaves the old version or the new one, complete.
@Suite struct MigrationCrashTests {
  private let store: Migrated

  init() throws { store = try Migrated() }

  private func makeTasks() throws -> StoreImage {
    try store.open(TasksV1.Task.self, TasksV1.Tag.self) { context in
      let tags = (0..<6).map { TasksV1.Tag(name: "tag \($0 / 2)") }
      tags.forEach(context.insert)
      for number in 0..<30 {
        let task = TasksV1.Task(title: "task \(number)", minutes: number)
        context.insert(task)
        task.tags = [tags[number % 6], tags[(number + 1) % 6]]
      }
    }
    return try StoreImage(of: store.url)
  }

  private func migrate(_ configuration: ModelConfiguration) throws { try Self.migrate(configuration) }

  private static func migrate(_ configuration: ModelConfiguration) throws {
    try ModelContainer(for: TasksV4.Item.self, migrationPlan: TasksPlan.self, configurations: configuration).close()
  }

  /// Whether a store has the new version. Either is whole, and the old one can be migrated again.
  private func check(_ url: URL) throws -> Bool {
    let names = try Migrated.strings(url, "SELECT name FROM _roost_entity ORDER BY 1")
    let isNew = names == ["Item", "Tag"]
    #expect(isNew || names == ["Tag", "Task"])
    let tables = try Migrated.strings(
      url, "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT GLOB '_roost_[metcfr]*' ORDER BY 1")
    #expect(tables == (isNew ? ["Item", "Item_tags", "Tag"] : ["Tag", "Tag_tasks", "Task"]))
    #expect(try Migrated.strings(url, "PRAGMA integrity_check") == ["ok"])
    try migrate(ModelConfiguration(url: url))
    let container = try ModelContainer(
      for: TasksV4.Item.self, migrationPlan: TasksPlan.self, configurations: ModelConfiguration(url: url))
    let context = ModelContext(container)
    let items = try context.fetch(FetchDescriptor<TasksV4.Item>(sortBy: [SortDescriptor(\.persistentModelID)]))
    #expect(items.map(\.duration) == (0..<30).map { "\($0) min" })
    #expect(items.allSatisfy { $0.tags.count == 2 && $0.heading == $0.title })
    #expect(try context.fetchCount(FetchDescriptor<TasksV4.Tag>()) == 7)
    try container.close()
    return isNew
  }

  @Test func `a process that ends at any moment leaves the old version or the new one`() throws {
    _ = try makeTasks()
    let images = try everyMoment(of: store.url) { try migrate($0) }
    #expect(images.count > 5)
    var isThere = false
    for (number, image) in images.enumerated() {
      let isNew = try image.unpacked { try check($0) }
      #expect(isNew || !isThere, "gone again at \(number)")
      isThere = isNew
    }
    #expect(isThere)
  }

  @Test(arguments: [(FaultyDisk.Fault.full, true), (.broken, false)])
  func `a disk that fails at any moment leaves the old version or the new one`(
    _ fault: (kind: FaultyDisk.Fault, isLasting: Bool)
  ) throws {
    let count = try everyFault(fault.kind, isLasting: fault.isLasting, of: makeTasks()) { configuration in
      try migrate(configuration)
    } check: { url, succeeded in
      let isNew = try check(url)
      #expect(isNew || !succeeded)
    }
    #expect(count > 5)
  }

  #if os(Linux) || os(macOS)
    @Test(arguments: [5, 15, 40, 80]) func `a process that is killed leaves the old version or the new one`(
      _ statement: Int
    ) async throws {
      _ = try makeTasks()
      await #expect(processExitsWith: .signal(SIGKILL)) {
        [path = store.url.path as String, statement = statement as Int] in
        let count = Mutex(0)
        var configuration = ModelConfiguration(url: URL(filePath: path))
        configuration.storeOptions.recorder = StatementRecorder { _ in
          let number = count.withLock { count in
            count += 1
            return count
          }
          if number == statement { kill(getpid(), SIGKILL) }
        }
        try Self.migrate(configuration)
      }
      #expect(try !check(store.url))
    }
  #endif

  @Test func `a backup precedes a migration and goes with the next opening`() throws {
    _ = try makeTasks()
    try migrate(ModelConfiguration(url: store.url))
    let backups = try ModelContainer.backups(of: ModelConfiguration(url: store.url))
    #expect(backups.count == 1)
    let backup = try #require(backups.first)
    #expect(try Migrated.strings(backup.url, "SELECT count(*) FROM Task") == ["30"])
    try migrate(ModelConfiguration(url: store.url))
    #expect(try ModelContainer.backups(of: ModelConfiguration(url: store.url)) == [])
  }

  @Test func `a migration that fails leaves no backup, one without changed tables makes none`() throws {
    _ = try makeTasks()
    #expect(try store.obstacles(TasksV2.Task.self).map(\.property) == ["name"])
    #expect(throws: SwiftDataError.self) { try store.open(TasksV3.Task.self, plan: BadPlan.Lacking.self) { _ in } }
    #expect(try ModelContainer.backups(of: ModelConfiguration(url: store.url)) == [])
    try store.open(Versions.Original.Note.self, mayDrop: ["Task", "Tag"]) { _ in }
    #expect(try ModelContainer.backups(of: ModelConfiguration(url: store.url)).count == 1)
    try store.open(Versions.Original.Note.self) { _ in }
    try store.open(Versions.Indexed.Note.self) { _ in }
    #expect(try ModelContainer.backups(of: ModelConfiguration(url: store.url)) == [])
  }

  @Test func `of several that open a store at once one migrates it, and the others wait`() async throws {
    _ = try makeTasks()
    let url = store.url
    try await withThrowingTaskGroup(of: Int.self) { group in
      for _ in 0..<4 {
        group.addTask {
          let container = try ModelContainer(
            for: TasksV4.Item.self, migrationPlan: TasksPlan.self, configurations: ModelConfiguration(url: url))
          return try ModelContext(container).fetchCount(FetchDescriptor<TasksV4.Tag>())
        }
      }
      // Each stage's code has run once: it adds a tag.
      for try await count in group { #expect(count == 7) }
    }
    #expect(try check(url))
  }

  @Test func `containers one after the other migrate a store in memory`() throws {
    let configuration = ModelConfiguration("tasks", isStoredInMemoryOnly: true)
    let older = try ModelContainer(for: TasksV1.Task.self, configurations: configuration)
    let context = ModelContext(older)
    context.insert(TasksV1.Task(title: "a", minutes: 3))
    try context.save()
    let newer = try ModelContainer(
      for: TasksV4.Item.self, migrationPlan: TasksPlan.self, configurations: configuration)
    #expect(try ModelContext(newer).fetch(FetchDescriptor<TasksV4.Item>()).map(\.duration) == ["3 min"])
  }
}
