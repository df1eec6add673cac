import EncryptionSupport
import Foundation
import Roost
import RoostCore
import RoostEngine
import RoostMigration
import RoostQuery
import RoostTesting
import Testing

/// The stores of seven releases of a logbook, as they were written, and all ways from one to another.
///
/// The files are checked in: they show that this release of Roost reads what older ones wrote. Those of a new version
/// are written by `ROOST_RECORD=1 swift test --filter LogFixtureTests`.
@Suite(.plainFiles) struct LogFixtureTests {
  private static let fixtures = MigrationFixtures(
    LogPlan.self, in: URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Stores"),
    storeOptions: ModelConfiguration.StoreOptions(externalStorageThreshold: 1_000),
    isRecording: ProcessInfo.processInfo.environment["ROOST_RECORD"] != nil)

  /// The pairs of versions, by their places, of which stages lead from the older to the newer.
  private static let pairs = (0..<7).flatMap { from in (from..<7).map { [from, $0] } }

  private static func types(_ version: Int) -> [any PersistentModel.Type] { LogPlan.schemas[version].models }

  private static func configuration(_ url: URL) -> ModelConfiguration {
    var configuration = ModelConfiguration(url: url)
    configuration.storeOptions = fixtures.storeOptions
    configuration.storeOptions.migration.backups = .none
    configuration.storeOptions.migration.backfillsInBackground = false
    return configuration
  }

  private static func open<Result>(
    _ store: Migrated, _ version: Int, _ body: (ModelContext) throws -> Result
  ) throws -> Result {
    let container = try ModelContainer(
      for: Schema(versionedSchema: LogPlan.schemas[version]), migrationPlan: LogPlan.self,
      configurations: configuration(store.url))
    let result = try body(ModelContext(container))
    try container.close()
    return result
  }

  /// A copy of a fixture.
  private static func copy(_ version: Int) throws -> Migrated {
    let store = try Migrated()
    let fixture = fixtures.folder.appending(path: "\(version + 1).0.0.store")
    try FileManager.default.copyItem(atPath: fixture.path, toPath: store.url.path)
    if FileManager.default.fileExists(atPath: fixture.path + "-files") {
      try FileManager.default.copyItem(atPath: fixture.path + "-files", toPath: store.url.path + "-files")
    }
    return store
  }

  private static func content(_ version: Int) throws -> StoreContent {
    try open(try copy(version), version) { try StoreContent($0) }
  }

  @Test func `what this release writes is what older ones wrote`() throws {
    for (version, fill) in zip(LogPlan.schemas, LogPlan.fillings) { try Self.fixtures.record(version, insert: fill) }
    for (version, fill) in LogPlan.fillings.enumerated() {
      let fresh = try Migrated()
      let written = try Self.open(fresh, version) { context in
        try fill(context)
        try context.save()
        return try StoreContent(ModelContext(context.container))
      }
      #expect(written.differences(from: try Self.content(version)) == [], "\(LogPlan.schemas[version])")
      #expect(written.rows.count >= 15)
    }
  }

  @Test func `every pair of versions has what is expected of the rows`() throws {
    let contents = try LogPlan.schemas.indices.map { try Self.content($0) }
    var ways: [String] = []
    try Self.fixtures.verify(to: .every, changingCountsOf: ["Tally"]) { fixture in
      let (from, to) = (fixture.from.major, fixture.to.major)
      let releases = min(from, to)
      let lost: Set<String> =
        switch (from, to) {
        case (2, 1): ["summary", "place"]
        case (7, 6): ["marks", "name", "pages", "items"]
        default: []
        }
      var found = try StoreContent(fixture.new).of(releases: releases, without: lost)
      let expected = contents[to - 1].of(releases: releases, without: lost)
      // The stage to the newest version has given it what it lacked.
      if from > to { found.remove(unreadableOf: expected) }
      #expect(found.rows.count > 10)
      #expect(found.readable.differences(from: expected.readable) == [], "\(fixture)")
      ways.append("\(from)\(to)")
    }
    #expect(ways.count == Self.pairs.count + 3)
    #expect(Set(["21", "43", "76"]).isSubset(of: ways))
  }

  @Test func `a row that lacks a value stays, as it was, until a stage gives it one`() throws {
    try #expect(Self.content(5).unreadable == ["16.pages", "17.grade"])
    try Self.open(try Self.copy(5), 6) { context in
      try #expect(StoreContent(context).unreadable == ["17.grade"])
    }
  }

  @Test func `what a stage left to be computed later is read, and finished by the stages after it`() throws {
    let store = try Self.copy(0)
    try Self.open(store, 2) { context in
      try #expect(context.container.pendingBackfills == 4)
      let letters = try context.fetch(FetchDescriptor<LogV3.Note>(sortBy: [SortDescriptor(\.persistentModelID)]))
      #expect(letters.map(\.letters) == LogRows.first.notes.map(\.body.count))
      try #expect(StoreContent(context).differences(from: Self.content(2).of(releases: 1)) == [])
    }
    try Self.open(store, 3) { context in
      try #expect(context.container.pendingBackfills == 0)
      try #expect(StoreContent(context).differences(from: Self.content(3).of(releases: 1)) == [])
    }
  }

  @Test(arguments: pairs) func `one opening leads to the same file as one of each version`(_ pair: [Int]) throws {
    let (direct, stepwise) = (try Self.copy(pair[0]), try Self.copy(pair[0]))
    try Self.open(direct, pair[1]) { _ in }
    for version in pair[0]...pair[1] { try Self.open(stepwise, version) { _ in } }
    for store in [direct, stepwise] { try Self.open(store, pair[1]) { try $0.container.finishBackfills() } }
    #expect(try FileContent(direct).differences(from: FileContent(stepwise)) == [])
    try direct.checkFile(Self.types(pair[1]))
  }

  @Test(arguments: 0..<6) func `a relationship to rows that another program deleted is nil`(_ version: Int) throws {
    let store = try Self.copy(version)
    let connection = try store.connection()
    // As the sqlite3 shell has it, which looks at no foreign keys.
    try connection.execute(
      "PRAGMA foreign_keys=0; DELETE FROM Person WHERE _pk = 1; DELETE FROM Tag WHERE name = 'sea 🌊'")
    connection.close()
    try Self.open(store, 6) { context in
      let entries = try context.fetch(FetchDescriptor<LogV7.Entry>(sortBy: [SortDescriptor(\.persistentModelID)])) {
        _ in
      }
      #expect(entries.prefix(4).map { $0.author?.name } == [nil, "Bob ", nil, nil])
      #expect(entries.prefix(4).map { $0.tags.map(\.name) } == [["BIRDS"], ["BIRDS"], [], [""]])
      #expect(try context.fetch(FetchDescriptor<LogV7.Tag>()).first { $0.name == "" }?.parent?.name == "BIRDS")
    }
    try store.checkFile(Self.types(6))
  }

  @Test func `new rows have their own defaults, and texts are found`() throws {
    let store = try Self.copy(0)
    try Self.open(store, 6) { context in
      let entries = try context.fetch(FetchDescriptor<LogV7.Entry>())
      #expect(Set(entries.map(\.token)).count == 4)
      let found = try context.fetch(FetchDescriptor<LogV7.Entry>(predicate: #Predicate { $0.body.matches("swifts") }))
      #expect(found.map(\.since) == [1])
    }
  }
}

/// All that a file has: the tables with what other programs see of them, and the files of values.
///
/// Without history, which counts properties in the order in which it came to know them, and
/// has a transaction a migration.
private struct FileContent {
  private var lines: [String] = []

  init(_ store: Migrated) throws {
    lines = try store.strings(
      "SELECT ifnull(sql, '') FROM sqlite_schema WHERE name NOT GLOB '_roost_history_*' ORDER BY type, name")
    // Of full-text indexes, the order of their parts is nobody's business.
    let tables = try store.strings(
      "SELECT name FROM pragma_table_list WHERE type = 'table' AND schema = 'main' AND name NOT GLOB 'sqlite_*'")
    for table in tables.sorted() where !["_roost_change", "_roost_field", "_roost_transaction"].contains(table) {
      let columns = try store.strings("SELECT name FROM pragma_table_info('\(table)') WHERE name <> 'token'")
      let values = columns.map { #"typeof("\#($0)") || ' ' || hex(CAST("\#($0)" AS BLOB))"# }
      lines += try store.strings(#"SELECT \#(values.joined(separator: " || ', ' || ")) FROM "\#(table)" ORDER BY 1"#)
        .map { "\(table): \($0)" }
    }
    let folder = store.url.path + "-files"
    for name in (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? [] {
      let bytes = try Data(contentsOf: URL(filePath: folder).appending(path: name))
      lines.append("\(name): \(bytes.base64EncodedString())")
    }
  }

  func differences(from other: FileContent) -> [String] {
    Set(lines).symmetricDifference(other.lines).sorted() + (lines.count == other.lines.count ? [] : ["other counts"])
  }
}
