import Foundation
import Logging
import Roost
import RoostCore
import RoostEngine
import RoostMigration
import RoostQuery
import RoostTesting
import Synchronization
import Testing

@Model private final class Entry {
  #Index<Entry>([\.day])
  var title: String
  var day: Int
  var stars: Int
  var rank: Int
  var parent: Entry?
  init(_ number: Int) {
    title = "\(number)"
    day = number
    stars = number % 7
    rank = -number
  }
}

/// What a fetch says of itself.
@Suite struct ExplainTests {
  private func context(_ count: Int) throws -> ModelContext {
    let configuration = ModelConfiguration(isStoredInMemoryOnly: true)
    let context = ModelContext(try ModelContainer(for: Entry.self, configurations: configuration))
    for number in 0..<count { context.insert(Entry(number)) }
    try context.save()
    return context
  }

  @Test func `a condition that an index serves has no warning`() throws {
    let found = try context(1_500).explain(FetchDescriptor<Entry>(predicate: #Predicate { $0.day > 1_400 }))
    #expect(found.indexes == ["Entry_day_index"] && found.warnings.isEmpty && found.arguments == ["1400"])
    #expect(found.sqlWithArguments.hasSuffix(#"WHERE "t0"."day" > 1400"#))
    #expect(found.plan.map(\.detail) == ["SEARCH t0 USING INDEX Entry_day_index (day>?)"])
    #expect(
      found.description == """
        \(found.sql)
          arguments: 1400
          plan:
            SEARCH t0 USING INDEX Entry_day_index (day>?)
          indexes: Entry_day_index
        """)
  }

  @Test func `a full scan names the index that would avoid it, and that index does`() throws {
    let context = try context(1_500)
    let byStars = FetchDescriptor<Entry>(predicate: #Predicate { $0.stars == 3 }, sortBy: [SortDescriptor(\.rank)])
    let found = try context.explain(byStars)
    #expect(
      found.warnings == [#"All 1500 rows of Entry are read. #Index<Entry>([\.stars, \.rank]) would avoid that."#])
    try context.execute(sql: "CREATE INDEX advice ON \(Entry.self) (stars, rank)")
    let helped = try context.explain(byStars)
    #expect(helped.indexes == ["advice"] && helped.warnings.isEmpty)
    #expect(!helped.plan.contains { $0.detail.contains("TEMP B-TREE") })
    #expect(try context.fetch(byStars).count == 214)
  }

  @Test func `few rows, all rows, and what no index can serve`() throws {
    let scan = FetchDescriptor<Entry>(predicate: #Predicate { $0.stars == 3 })
    #expect(try context(1_000).explain(scan).warnings.isEmpty)
    let context = try context(1_001)
    #expect(try context.explain(FetchDescriptor<Entry>(sortBy: [SortDescriptor(\.title)])).warnings.isEmpty)
    var first = FetchDescriptor<Entry>(sortBy: [SortDescriptor(\.rank)])
    first.fetchLimit = 3
    #expect(try context.explain(first).warnings.first?.contains(#"#Index<Entry>([\.rank])"#) == true)
    let text = FetchDescriptor<Entry>(predicate: #Predicate { $0.title.contains("7") })
    #expect(try context.explain(text).warnings.first?.contains("No index can avoid that") == true)
    let joined = FetchDescriptor<Entry>(predicate: #Predicate { $0.parent?.stars == 3 })
    #expect(try context.explain(joined).warnings.first?.contains(#"#Index<Entry>([\.stars])"#) == true)
  }

  @Test func `aggregations and groups have plans too, with the advice that fetches have`() throws {
    let context = try context(1_500)
    let days = FetchDescriptor<Entry>(predicate: #Predicate { $0.day > 1_400 })
    let sum = try context.explain(days, .count, .sum(\.day))
    #expect(sum.sql == #"SELECT count(*), coalesce(sum("t0"."day"), ?) FROM "Entry" AS "t0" WHERE "t0"."day" > ?"#)
    #expect(sum.indexes == ["Entry_day_index"] && sum.warnings.isEmpty)
    let groups = try context.explain(
      FetchDescriptor<Entry>(predicate: #Predicate { $0.rank < 0 }), groupBy: .value(\.stars), select: .count,
      having: .count > 3, orderBy: [.descending(.count)], limit: 2)
    #expect(groups.sql.contains(#"GROUP BY "t0"."stars" HAVING "#) && groups.sql.hasSuffix("LIMIT ?"))
    #expect(groups.plan.map(\.detail).contains("USE TEMP B-TREE FOR ORDER BY"))
    #expect(groups.warnings == [#"All 1500 rows of Entry are read. #Index<Entry>([\.rank]) would avoid that."#])
  }

  @Test func `SQL and rows are checked in one assertion`() throws {
    let context = try makeLibrary()
    context.insert(Tag(name: "bird's"))
    context.insert(Tag(name: "other"))
    let descriptor = FetchDescriptor<Tag>(predicate: #Predicate { $0.name == "bird's" })
    let sql = #"SELECT "t0"."_pk", "t0"."name" FROM "Tag" AS "t0" WHERE "t0"."name" = 'bird''s'"#
    try assertQuery(descriptor, in: context, sql: sql, rows: ["bird's"]) { $0.name }
    withKnownIssue { try assertQuery(descriptor, in: context, sql: sql, rows: ["else"]) { $0.name } }
    withKnownIssue { try assertQuery(descriptor, in: context, sql: "SELECT", rows: ["bird's"]) { $0.name } }
    try assertQuery(
      sql: "SELECT name, '?' AS mark FROM \(Tag.self) WHERE name < \("c?")", in: context,
      is: """
        SELECT name, '?' AS mark
        FROM "Tag" WHERE name < 'c?'
        """,
      rows: ["name: 'bird''s', mark: '?'"])
  }

  // MARK: - The log

  private final class Lines: Sendable {
    let lines = Mutex<[String]>([])
  }

  private struct Handler: LogHandler {
    let lines: Lines
    var metadata: Logger.Metadata = [:]
    var logLevel: Logger.Level
    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
      get { metadata[key] }
      set { metadata[key] = newValue }
    }
    func log(event: LogEvent) {
      lines.lines.withLock { $0.append("\(event.level) \(event.message): \(event.metadata?["sql"] ?? "")") }
    }
  }

  /// What is logged of two statements.
  private func log(_ level: Logger.Level, slow: Duration?) throws -> [String]? {
    let lines = Lines()
    let logger = Logger(label: "test") { _ in Handler(lines: lines, logLevel: level) }
    guard let trace = StatementLog(logger, .init(slowQueryThreshold: slow)).trace else { return nil }
    let connection = try Connection(ConnectionOptions(location: .memory(name: UUID().uuidString), trace: trace))
    lines.lines.withLock { $0 = [] }
    try connection.execute("CREATE TABLE t (x)")
    try connection.execute("SELECT * FROM t")
    return lines.lines.withLock { $0 }
  }

  @Test func `statements are logged at trace, slow ones as warnings, and nothing costs when neither is asked`() throws {
    #expect(try log(.info, slow: nil) == nil)
    #expect(try log(.trace, slow: nil) == ["trace Statement: CREATE TABLE t (x)", "trace Statement: SELECT * FROM t"])
    #expect(
      try log(.info, slow: .zero)
        == ["warning Slow query: CREATE TABLE t (x)", "warning Slow query: SELECT * FROM t"])
    #expect(try log(.info, slow: .seconds(3_600)) == [])
  }
}
