public import RoostCore
import RoostEngine
import RoostSQL

extension ModelContext {
  /// How a fetch finds its models: the SQL, SQLite's plan, and the index that would spare it reading a whole table.
  ///
  /// Nothing is fetched. The plan is that for the stored rows; pending changes are shown to queries by other means.
  /// - Returns: a value to print, or to check in a test: `#expect(explanation.warnings.isEmpty)`.
  /// - Throws: what ``fetch(_:)`` does before it reads rows.
  public func explain<T: PersistentModel>(_ descriptor: FetchDescriptor<T>) throws -> QueryExplanation {
    let (entity, query) = try storedRows(descriptor)
    return try explain(query.select(store.statements(entity).columns), query)
  }

  /// The query for what is stored alone, of which there is a plan.
  func storedRows<T: PersistentModel>(_ descriptor: FetchDescriptor<T>) throws -> (EntityInfo, QueryBuilder) {
    var descriptor = descriptor
    descriptor.includePendingChanges = false
    return try query(descriptor)
  }

  func explain(_ select: SQLSelect, _ query: QueryBuilder) throws -> QueryExplanation {
    let text = SQLitePrinter.print(select)
    store.ensureIndexes(of: query.usesTables)
    return try SwiftDataError.translating {
      try store.pool.read { connection in
        let plan = try Self.plan(text, connection)
        var explanation = QueryExplanation(text, plan)
        explanation.warnings = try ScanAdvice(select, store.schema).warnings(for: explanation, connection)
        return explanation
      }
    }
  }

  private static func plan(_ text: SQLText, _ connection: Connection) throws -> [QueryExplanation.Step] {
    let statement = try connection.freshStatement("EXPLAIN QUERY PLAN " + text.sql)
    defer { statement.reset() }
    statement.bind(text.arguments)
    var rows: [(id: Int64, parent: Int64, detail: String)] = []
    while try statement.step() { rows.append((statement.int64(0), statement.int64(1), statement.string(3))) }
    func steps(of parent: Int64) -> [QueryExplanation.Step] {
      // A step comes behind the one it is part of, so this ends whatever SQLite says.
      rows.filter { $0.parent == parent && $0.id > parent }.map {
        QueryExplanation.Step(detail: $0.detail, steps: steps(of: $0.id))
      }
    }
    return steps(of: 0)
  }
}

extension QueryExplanation {
  fileprivate init(_ text: SQLText, _ plan: [Step]) {
    sql = text.sql
    arguments = text.arguments.map(\.literal)
    self.plan = plan
    indexes = []
    warnings = []
    var seen: Set<String> = []
    indexes = steps.compactMap(\.index).filter { seen.insert($0).inserted }
  }
}
