import Foundation
import Roost
import RoostCore
import RoostEngine
import RoostMigration
import RoostQuery
import Testing

/// Properties that old rows get when somebody asks for them, or by and by.
@Suite struct BackfillTests {
  typealias Essay = EssaysV2.Essay

  private let store: Migrated

  init() throws { store = try Migrated() }

  private func makeEssays(_ texts: [String] = ["one", "one two", "", "one two three"]) throws {
    try store.open(EssaysV1.Essay.self) { context in
      for (number, text) in texts.enumerated() {
        context.insert(EssaysV1.Essay(title: number == 0 ? "" : "🪺\(number)", text: text))
      }
    }
  }

  /// Opens the store without its background work, so that what is there stays as it is.
  private func container(isOnItsOwn: Bool = false) throws -> ModelContainer {
    var configuration = store.configuration()
    configuration.storeOptions.migration.backfillsInBackground = isOnItsOwn
    return try ModelContainer(for: Essay.self, migrationPlan: EssaysPlan.self, configurations: configuration)
  }

  private func stored() throws -> [String] {
    try store.strings("SELECT words || ' ' || ifnull(heading, '-') FROM Essay ORDER BY _pk")
  }

  private let emptyOnes = ["0 -", "0 -", "0 -", "0 -"]
  private let values = ["1 -", "2 🪺1: one", "0 🪺2: ", "3 🪺3: one"]

  @Test func `fetches, predicates, sorts and aggregates have the values before any row has them`() throws {
    try makeEssays()
    let container = try container()
    let context = ModelContext(container)
    let essays = try context.fetch(FetchDescriptor<Essay>(sortBy: [SortDescriptor(\.words, order: .reverse)]))
    #expect(essays.map(\.words) == [3, 2, 1, 0])
    #expect(essays.map(\.heading) == ["🪺3: one", "🪺1: one", nil, "🪺2: "])
    try #expect(context.fetchCount(FetchDescriptor<Essay>(predicate: #Predicate { $0.words > 1 })) == 2)
    try #expect(context.fetch(FetchDescriptor<Essay>(predicate: #Predicate { $0.heading == nil })).map(\.words) == [1])
    let second = essays[1].persistentModelID
    let plan = try context.explain(
      FetchDescriptor<Essay>(predicate: #Predicate { $0.persistentModelID == second })
    ).description
    #expect(plan.contains("SEARCH stored USING INTEGER PRIMARY KEY") && !plan.contains("LIST SUBQUERY"))
    try #expect(context.aggregate(FetchDescriptor<Essay>(), .sum(\.words)) == 6)
    try #expect(context.rows(sql: "SELECT sum(words) AS sum FROM \(Essay.self)").map(\.description) == ["sum: 6"])
    #expect(try stored() == emptyOnes)
    #expect(try container.pendingBackfills == 8)
    try container.close()
  }

  @Test func `fetches have the values after backups, too`() throws {
    try makeEssays()
    let container = try container()
    let folder = store.url.deletingLastPathComponent()
    for name in ["first", "second"] { try container.backup(to: folder.appending(path: name)) }
    let essays = try ModelContext(container).fetch(FetchDescriptor<Essay>(sortBy: [SortDescriptor(\.words)]))
    #expect(essays.map(\.words) == [0, 1, 2, 3])
    try container.close()
  }

  @Test func `the migration adds columns and touches no row`() throws {
    try makeEssays()
    let report = try ModelContainer.dryRun(
      for: Essay.self, migrationPlan: EssaysPlan.self, configurations: store.configuration())
    let statements = report.statements.map(\.sql)
    #expect(statements.filter { $0.hasPrefix("ALTER TABLE \"Essay\" ADD COLUMN") }.count == 2)
    #expect(!statements.contains { $0.hasPrefix("UPDATE \"Essay\"") || $0.hasPrefix("INSERT INTO \"_roost_new") })
  }

  @Test func `unsaved changes show among computed values`() throws {
    try makeEssays()
    let container = try container()
    let context = ModelContext(container)
    let first = try #require(context.fetch(FetchDescriptor<Essay>(sortBy: [SortDescriptor(\.persistentModelID)])).first)
    first.title = "changed"
    context.insert(Essay(title: "new", text: "", words: 9))
    let descriptor = FetchDescriptor<Essay>(
      predicate: #Predicate { $0.words != 2 }, sortBy: [SortDescriptor(\.words, order: .reverse)])
    try #expect(context.fetch(descriptor).map(\.words) == [9, 3, 1, 0])
    context.rollback()
    try #expect(context.fetch(descriptor).map(\.words) == [3, 1, 0])
    #expect(try stored() == emptyOnes)
    try container.close()
  }

  @Test func `a row that changes keeps what was computed of its old values`() throws {
    try makeEssays()
    let container = try container()
    let context = ModelContext(container)
    let essays = try context.fetch(FetchDescriptor<Essay>(sortBy: [SortDescriptor(\.persistentModelID)]))
    essays[1].text = "four words it has"
    essays[3].words = 33
    try context.save()
    #expect(try stored() == ["0 -", "2 🪺1: one", "0 -", "33 🪺3: one"])
    #expect(try container.pendingBackfills == 4)
    let other = ModelContext(container)
    try #expect(other.fetch(FetchDescriptor<Essay>(sortBy: [SortDescriptor(\.words)])).map(\.words) == [0, 1, 2, 33])
    try container.finishBackfills()
    #expect(try stored() == ["1 -", "2 🪺1: one", "0 🪺2: ", "33 🪺3: one"])
    try container.close()
  }

  @Test func `a bulk update and SQL of the program's own see and leave computed values`() throws {
    try makeEssays()
    let first = try container()
    let context = ModelContext(first)
    try #expect(context.update(model: Essay.self, where: #Predicate { $0.words == 2 }, set: .set(\.text, to: "")) == 1)
    #expect(try stored() == values)
    try first.close()
  }

  @Test func `what another program sets stays`() throws {
    try makeEssays()
    try container().close()
    let connection = try store.connection()
    try connection.execute("UPDATE Essay SET words = 77 WHERE _pk = 2")
    connection.close()
    let container = try container()
    try container.finishBackfills()
    #expect(try stored() == ["1 -", "77 🪺1: one", "0 🪺2: ", "3 🪺3: one"])
    try container.close()
  }

  @Test func `what a row that is made again was given stays`() throws {
    try makeEssays()
    let container = try container()
    let context = ModelContext(container)
    context.undoManager = UndoManager()
    let essay = try #require(context.fetch(FetchDescriptor<Essay>(predicate: #Predicate { $0.words == 2 })).first)
    context.delete(essay)
    try context.save()
    context.undoManager?.undo()
    essay.words = 22
    try context.save()
    try container.finishBackfills()
    try container.close()
    #expect(try stored() == ["1 -", "22 🪺1: one", "0 🪺2: ", "3 🪺3: one"])
  }

  @Test func `a store whose last rows others have set needs no plan`() throws {
    try makeEssays()
    try container().close()
    let connection = try store.connection()
    try connection.execute("UPDATE Essay SET words = 5, heading = 'h'")
    connection.close()
    try store.open(Essay.self) { context in
      try #expect(context.fetchCount(FetchDescriptor<Essay>(predicate: #Predicate { $0.words == 5 })) == 4)
    }
  }

  @Test func `a store whose rows are all done is like any other of its version`() async throws {
    try makeEssays(["a b"] + Array(repeating: "one two", count: 1_200))
    let container = try container(isOnItsOwn: true)
    while try container.pendingBackfills > 0 { await Task.yield() }
    try container.finishBackfills()
    try container.close()
    #expect(try store.strings("SELECT sum(words) FROM Essay") == ["2402"])
    #expect(try store.strings(Self.triggers) == [])
    try store.open(Essay.self) { context in
      try #expect(context.fetchCount(FetchDescriptor<Essay>(predicate: #Predicate { $0.words == 2 })) == 1_201)
    }
  }

  @Test func `a container finishes what another one began, and only with the plan that computes it`() throws {
    try makeEssays()
    try container().close()
    let error = #expect(throws: SwiftDataError.self) { try store.open(Essay.self) { _ in } }
    #expect(error == .unknownSchema)
    #expect("\(error.map { "\($0)" } ?? "")".contains("2.0.0 Essay.heading"))
    let container = try container()
    try container.finishBackfills()
    #expect(try container.pendingBackfills == 0)
    try container.close()
    #expect(try stored() == values)
    try store.open(Essay.self) { context in
      try #expect(context.fetchCount(FetchDescriptor<Essay>()) == 4)
    }
  }

  @Test func `a later stage sees all values`() throws {
    try makeEssays()
    try container().close()
    try store.open(EssaysV3.Essay.self, plan: EssaysPlan.self) { context in
      let essays = try context.fetch(FetchDescriptor<EssaysV3.Essay>(sortBy: [SortDescriptor(\.length)]))
      #expect(essays.map(\.length) == ["0 words", "1 words", "2 words", "3 words"])
      #expect(essays.map(\.heading) == ["🪺2: ", nil, "🪺1: one", "🪺3: one"])
    }
    try makeSureNothingIsLeft()
  }

  @Test func `both stages at once do the same`() throws {
    try makeEssays()
    try store.open(EssaysV3.Essay.self, plan: EssaysPlan.self) { context in
      let essays = try context.fetch(FetchDescriptor<EssaysV3.Essay>(sortBy: [SortDescriptor(\.length)]))
      #expect(essays.map(\.heading) == ["🪺2: ", nil, "🪺1: one", "🪺3: one"])
    }
    try makeSureNothingIsLeft()
  }

  /// The triggers that are there, but for those of history.
  private static let triggers =
    "SELECT name FROM sqlite_schema WHERE type = 'trigger' AND name NOT GLOB '_roost_history_*'"

  private func makeSureNothingIsLeft() throws {
    #expect(try store.strings("SELECT count(*) FROM _roost_backfill") == ["0"])
    #expect(try store.strings("SELECT key FROM _roost_meta WHERE key GLOB 'backfill*'") == [])
    #expect(try store.strings(Self.triggers) == [])
  }

  @Test func `a value that cannot be computed hides no other row`() throws {
    try makeEssays(["one", "refused", "two words"])
    let container = try container()
    let context = ModelContext(container)
    let descriptor = FetchDescriptor<Essay>(predicate: #Predicate { $0.text != "refused" })
    try #expect(context.fetch(descriptor).map(\.words).sorted() == [1, 2])
    let error = #expect(throws: SwiftDataError.self) { try context.fetch(FetchDescriptor<Essay>()) }
    #expect("\(error.map { "\($0)" } ?? "")".contains("computes Essay.words failed at row 2: NoWords()"))
    #expect(throws: SwiftDataError.self) { try container.finishBackfills() }
    try container.close()
  }

  @Test func `rows of a subclass wait alone, for what is made of inherited properties, too`() throws {
    try store.open(ComicsV1.Book.self, ComicsV1.Comic.self) { context in
      context.insert(ComicsV1.Book(title: "plain"))
      context.insert(ComicsV1.Comic(title: "a", panels: 4))
      context.insert(ComicsV1.Comic(title: "b", panels: 2))
    }
    var configuration = store.configuration()
    configuration.storeOptions.migration.backfillsInBackground = false
    let container = try ModelContainer(
      for: ComicsV2.Book.self, ComicsV2.Comic.self, migrationPlan: ComicsPlan.self, configurations: configuration)
    let context = ModelContext(container)
    #expect(try container.pendingBackfills == 2)
    let comics = try context.fetch(
      FetchDescriptor<ComicsV2.Comic>(
        predicate: #Predicate { $0.label != "b (4)" }, sortBy: [SortDescriptor(\.label, order: .reverse)]))
    #expect(comics.map(\.label) == ["b (2)", "a (4)"])
    try #expect(context.fetchCount(FetchDescriptor<ComicsV2.Book>()) == 3)
    try container.finishBackfills()
    try container.close()
    #expect(try store.strings("SELECT label FROM Book WHERE panels > 0 ORDER BY _pk") == ["a (4)", "b (2)"])
  }

  @Test func `a unique property cannot wait`() throws {
    enum Plan: SchemaMigrationPlan {
      static let schemas: [any VersionedSchema.Type] = [NamesV1.self, NamesV2.self]
      static let stages: [MigrationStage] = [
        .custom(
          from: NamesV1.self, to: NamesV2.self,
          steps: [.backfill(\Versions.Unique.Name.last, from: \Versions.Unique.Name.first) { $0 }])
      ]
    }
    try store.open(Versions.Pair.Name.self) { $0.insert(Versions.Pair.Name(first: "a", last: "b")) }
    let error = #expect(throws: SwiftDataError.self) {
      try store.open(Versions.Unique.Name.self, plan: Plan.self) { _ in }
    }
    #expect("\(error.map { "\($0)" } ?? "")".contains("all rows must have it at once"))
  }
}
