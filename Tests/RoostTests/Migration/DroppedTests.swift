import Foundation
import Roost
import RoostCore
import RoostEngine
import RoostMigration
import RoostQuery
import Testing

/// What the program does not declare any more, without a plan.
@Suite struct DroppedTests {
  private let store: Migrated

  init() throws { store = try Migrated() }

  private func makeDiary() throws {
    try store.open(Diaries.Full.Entry.self, Diaries.Full.Draft.self) { context in
      let place = Diaries.Full.Place(name: "Oslo")
      for (number, mood) in [3, nil, 5].enumerated() {
        let entry = Diaries.Full.Entry(text: "🐦 \(number)", mood: mood, photo: Data([UInt8(number), 0, 255]))
        context.insert(entry)
        entry.place = number == 1 ? nil : place
      }
      context.insert(Diaries.Full.Draft(words: ["a", "b"]))
    }
  }

  private func checkLean() throws {
    try store.open(Diaries.Lean.Entry.self) { context in
      let entries = try context.fetch(FetchDescriptor<Diaries.Lean.Entry>(sortBy: [SortDescriptor(\.text)]))
      #expect(entries.map(\.text) == ["🐦 0", "🐦 1", "🐦 2"])
      #expect(entries.map(\.photo) == (0..<3).map { Data([$0, 0, 255]) })
      #expect(entries.map { $0.place?.name } == ["Oslo", nil, "Oslo"])
      #expect(entries[0].place?.entries.count == 2)
    }
    try store.checkFile(Diaries.Lean.Entry.self)
  }

  private func backups() throws -> [URL] { try ModelContainer.backups(of: store.configuration()).map(\.url) }

  @Test func `a property and a model go with a warning, and their backup stays until somebody removes it`() throws {
    try makeDiary()
    try store.open(Diaries.Lean.Entry.self) { _ in }
    try checkLean()
    let backup = try store.checkDropped(["Entry.mood 2", "Draft 1"])
    #expect(try Migrated.strings(backup, "SELECT ifnull(mood, 'none') FROM Entry ORDER BY text") == ["3", "none", "5"])
    #expect(try Migrated.strings(backup, "SELECT words FROM Draft") == [#"["a","b"]"#])
    // Openings, and backups of other migrations, leave it there.
    for _ in 1...2 { try checkLean() }
    try store.open(Diaries.Bare.Entry.self, mayDrop: ["Entry.place", "Place"]) { _ in }
    #expect(try backups().count == 2)
    try store.open(Diaries.Bare.Entry.self) { _ in }
    #expect(try backups() == [backup])
    try FileManager.default.removeItem(at: backup)
    try store.open(Diaries.Bare.Entry.self) { _ in }
    #expect(try backups() == [])
  }

  @Test func `a backup that is to be kept stays when another one is restored`() throws {
    try makeDiary()
    let other = store.url.deletingLastPathComponent().appending(path: "copy.store")
    let container = try ModelContainer(
      for: Diaries.Full.Entry.self, Diaries.Full.Draft.self, configurations: store.configuration())
    try container.backup(to: other)
    try container.close()
    try store.open(Diaries.Lean.Entry.self) { _ in }
    let backup = try store.checkDropped(["Entry.mood 2", "Draft 1"])
    try ModelContainer.restore(store.configuration(), from: other)
    for _ in 1...2 { try store.open(Diaries.Full.Entry.self, Diaries.Full.Draft.self) { _ in } }
    #expect(try backups() == [backup])
    try ModelContainer.restore(store.configuration(), from: backup)
    try store.open(Diaries.Full.Entry.self, Diaries.Full.Draft.self) { context in
      try #expect(context.fetchCount(FetchDescriptor<Diaries.Full.Draft>()) == 1)
    }
    #expect(try backups() == [backup])
  }

  @Test func `a restored store that cannot note which backups are to stay is said to be restored`() throws {
    try makeDiary()
    let other = store.url.deletingLastPathComponent().appending(path: "copy.store")
    let container = try ModelContainer(
      for: Diaries.Full.Entry.self, Diaries.Full.Draft.self, configurations: store.configuration())
    try container.backup(to: other)
    try container.close()
    let copy = try Connection(ConnectionOptions(location: .file(path: other.path)))
    try copy.execute(
      "CREATE TRIGGER full BEFORE INSERT ON _roost_meta BEGIN SELECT raise(ABORT, 'no room'); END")
    copy.close()
    try store.open(Diaries.Lean.Entry.self) { _ in }
    let backup = try store.checkDropped(["Entry.mood 2", "Draft 1"])
    let error = #expect(throws: SwiftDataError.self) {
      try ModelContainer.restore(store.configuration(), from: other)
    }
    #expect(error?.message.contains("is restored, and does not know") ?? false)
    #expect(error?.message.contains(backup.lastPathComponent) ?? false)
    #expect(try store.strings("SELECT count(mood) FROM Entry") == ["2"])
  }

  @Test func `a migration that drops and is cut off leaves no backup that is kept`() throws {
    try makeDiary()
    let connection = try store.connection()
    // What does not fit the new table ends the migration after the backup.
    try connection.execute("CREATE INDEX mine ON Entry (mood)")
    connection.close()
    for _ in 1...3 {
      #expect(throws: SwiftDataError.loadIssueModelContainer) { try store.open(Diaries.Lean.Entry.self) { _ in } }
    }
    #expect(CapturedLog.lines(about: store.url).isEmpty)
    #expect(try backups() == [])
    #expect(try store.strings("SELECT key FROM _roost_meta WHERE key GLOB 'kept*'") == [])
    #expect(try store.strings("SELECT count(mood) FROM Entry") == ["2"])
  }

  @Test func `without backups the log says that there is none`() throws {
    try makeDiary()
    var configuration = store.configuration()
    configuration.storeOptions.migration.backups = .none
    try ModelContainer(for: Diaries.Lean.Entry.self, configurations: configuration).close()
    #expect(Set(CapturedLog.lines(about: store.url).map { $0.metadata["backup"] }) == ["none"])
    try checkLean()
  }

  @Test func `nothing goes where the program refuses, and what it names goes all the same`() throws {
    try makeDiary()
    let obstacles = try store.obstacles(Diaries.Lean.Entry.self, drops: .refuse)
    #expect(Set(obstacles.map { "\($0.model) \($0.property ?? "")" }) == ["Entry mood", "Draft "])
    #expect(obstacles.allSatisfy { $0.remedy.contains("mayDrop") })
    try store.checkFile(Diaries.Full.Entry.self, Diaries.Full.Draft.self)
    #expect(
      try store.obstacles(Diaries.Lean.Entry.self, mayDrop: ["Draft"], drops: .refuse).map(\.property) == ["mood"])
    try store.open(Diaries.Lean.Entry.self, mayDrop: ["Draft", "Entry.mood"], drops: .refuse) { _ in }
    try checkLean()
    #expect(CapturedLog.lines(about: store.url).isEmpty)
  }

  @Test func `a model that looks renamed is asked about`() throws {
    try makeDiary()
    let obstacles = try store.obstacles(Diaries.Similar.Entry.self, Diaries.Similar.Sketch.self)
    let remedy = try #require(obstacles.first { $0.model == "Draft" }).remedy
    #expect(remedy.contains(#"@Model(originalName: "Draft") final class Sketch"#))
    #expect(!obstacles.contains { $0.property == "mood" })
    #expect(CapturedLog.lines(about: store.url).isEmpty)
    try store.open(Diaries.Similar.Entry.self, Diaries.Similar.Sketch.self, mayDrop: ["Draft"]) { _ in }
    try store.checkDropped(["Entry.mood 2"])
  }

  // MARK: - Older programs

  @Test func `an older program does not open a store that holds more, whatever may be dropped`() throws {
    try makeDiary()
    try store.open(Diaries.Lean.Entry.self, mayDrop: ["Draft", "Entry.mood"]) { _ in }
    try store.open(Diaries.Full.Entry.self, Diaries.Full.Draft.self) { context in
      context.insert(Diaries.Full.Entry(text: "later", mood: 9))
    }
    let error = #expect(throws: SwiftDataError.backwardMigration) { try store.open(Diaries.Lean.Entry.self) { _ in } }
    #expect(error?.obstacles.map(\.property) == ["mood"] && error?.remedy?.contains("Update the program") ?? false)
    #expect("\(error.map { "\($0)" } ?? "")".contains("mayDrop = [\"Entry.mood\"]"))
    try store.checkFile(Diaries.Full.Entry.self, Diaries.Full.Draft.self)
    // It never was one of these.
    try store.open(Diaries.Bare.Entry.self) { context in
      try #expect(context.fetchCount(FetchDescriptor<Diaries.Bare.Entry>()) == 4)
    }
    try store.checkDropped(["Entry.mood 1", "Entry.place 2", "Place 1"])
  }

  @Test func `an older program opens a store that holds nothing more, and what its user lets go`() throws {
    try store.open(Diaries.Lean.Entry.self) { $0.insert(Diaries.Lean.Entry(text: "a")) }
    try store.open(Diaries.Full.Entry.self, Diaries.Full.Draft.self) {
      $0.insert(Diaries.Full.Entry(text: "b", mood: nil))
    }
    try store.open(Diaries.Lean.Entry.self) { context in
      try #expect(context.fetch(FetchDescriptor<Diaries.Lean.Entry>()).map(\.text) == ["a", "b"])
    }
    try store.open(Diaries.Full.Entry.self, Diaries.Full.Draft.self) {
      $0.insert(Diaries.Full.Entry(text: "c", mood: 1))
    }
    #expect(throws: SwiftDataError.backwardMigration) { try store.open(Diaries.Lean.Entry.self) { _ in } }
    try store.open(Diaries.Lean.Entry.self, mayDrop: ["Entry.mood"]) { context in
      try #expect(context.fetchCount(FetchDescriptor<Diaries.Lean.Entry>()) == 3)
    }
    try store.checkFile(Diaries.Lean.Entry.self)
  }

  @Test func `a plan's versions are remembered as well`() throws {
    try store.open(TasksV1.Task.self) { $0.insert(TasksV1.Task(title: "a", minutes: 5)) }
    try store.open(TasksV4.Item.self, plan: TasksPlan.self) { _ in }
    for program in [TasksV1.self, TasksV2.self, TasksV3.self] as [any VersionedSchema.Type] {
      #expect(throws: SwiftDataError.backwardMigration) {
        try ModelContainer(for: Schema(versionedSchema: program), configurations: [store.configuration()])
      }
    }
    try store.checkFile(TasksV4.Item.self)
  }

  @Test func `a store that remembers nothing lets go what a program does not declare`() throws {
    try store.open(Diaries.Lean.Entry.self) { $0.insert(Diaries.Lean.Entry(text: "a")) }
    try store.open(Diaries.Full.Entry.self, Diaries.Full.Draft.self) {
      $0.insert(Diaries.Full.Entry(text: "b", mood: 1))
    }
    let connection = try store.connection()
    // As an earlier release leaves it.
    try connection.execute("DELETE FROM _roost_meta WHERE key = 'former schemas'")
    connection.close()
    try store.open(Diaries.Lean.Entry.self) { _ in }
    try store.checkDropped(["Entry.mood 1"])
  }

  // MARK: - Trying it first

  @Test func `a dry run tells what is dropped, and nothing is`() throws {
    try makeDiary()
    let report = try ModelContainer.dryRun(for: Diaries.Lean.Entry.self, configurations: store.configuration())
    #expect(report.succeeded && Set(report.drops.map(\.description)) == ["Entry.mood: 2 rows", "Draft: 1 row"])
    #expect(report.description.contains("Dropped") && report.description.contains("Entry.mood: 2 rows"))
    #expect(CapturedLog.lines(about: store.url).isEmpty)
    try store.checkFile(Diaries.Full.Entry.self, Diaries.Full.Draft.self)
    var refusing = store.configuration()
    refusing.storeOptions.migration.drops = .refuse
    let refused = try ModelContainer.dryRun(for: Diaries.Lean.Entry.self, configurations: refusing)
    #expect(!refused.succeeded && refused.drops.isEmpty && refused.obstacles.count == 2)
  }
}
