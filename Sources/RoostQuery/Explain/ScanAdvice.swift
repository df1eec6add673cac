import RoostCore
import RoostEngine
import RoostSQL

/// Which index would keep a query from reading all rows of a table.
struct ScanAdvice {
  /// From how many rows on it is worth a warning.
  static let threshold = 1_000

  private let select: SQLSelect
  private let schema: SchemaInfo

  init(_ select: SQLSelect, _ schema: SchemaInfo) {
    self.select = select
    self.schema = schema
  }

  func warnings(for explanation: QueryExplanation, _ connection: Connection) throws -> [String] {
    let sorts = explanation.steps.contains { $0.detail.contains("TEMP B-TREE FOR") && $0.detail.contains("ORDER BY") }
    // The few rows with a NUL have an index of their own, of which all is read.
    let indexesOfSome = schema.fullTextIndexes.flatMap { index in index.columns.map { index.truncatedRows($0).name } }
    let steps = explanation.steps.filter { !indexesOfSome.contains($0.index ?? "") }
    return try Set(steps.compactMap(\.scanned)).sorted().compactMap { alias in
      for inner in select.selfAndInner {
        guard let table = inner.tables.first(where: { $0.alias == alias }) else { continue }
        let needs = Needs(inner, alias, sorts: sorts)
        guard needs.isSelective else { return nil }
        let count = try rowCount(of: table.name, connection)
        guard count > Self.threshold else { return nil }
        // A condition on a joined table may refer to the rows of this one.
        let others = inner.tables.filter { $0.alias != alias }
        let all = [(table.name, needs)] + others.map { ($0.name, Needs(inner, $0.alias, sorts: false)) }
        return "All \(count) rows of \(table.name) are read. \(advice(all))"
      }
      return nil
    }
  }

  /// The first index that would help and is not there.
  private func advice(_ tables: [(name: String, needs: Needs)]) -> String {
    var known: String?
    for table in tables {
      let columns = table.needs.columns
      let entities = schema.entities.filter { $0.table == table.name }
      guard !columns.isEmpty, let root = entities.first(where: { $0.superentity == nil }) else { continue }
      // The class that has all of the properties: in a table of several the root, if it can be.
      for entity in entities {
        let names = columns.compactMap { column in entity.properties.first { $0.column == column }?.name }
        guard names.count == columns.count else { continue }
        let list = "[" + names.map { "\\.\($0)" }.joined(separator: ", ") + "]"
        let keys = columns.map { SQLOrder(.column($0)) }
        guard TableDefinitions.indexes(for: root).contains(where: { $0.keys.starts(with: keys) && $0.filter == nil })
        else { return "#Index<\(entity.name)>(\(list)) would avoid that." }
        known = known ?? "SQLite takes that for faster than to use the index of \(list)."
      }
    }
    return known ?? "No index can avoid that: the query compares no property itself by ==, <, > or the like."
  }

  private func rowCount(of table: String, _ connection: Connection) throws -> Int64 {
    let text = SQLitePrinter.print(SQLSelect([SQLResultColumn(.countAll)], from: .table(table)))
    let statement = try connection.statement(text.sql)
    defer { statement.reset() }
    return try statement.step() ? statement.int64(0) : 0
  }
}

extension ScanAdvice {
  /// What a query asks of the columns of one of its tables.
  fileprivate struct Needs {
    private var equal: [String] = []
    private var ranges: [String] = []
    private var sorted: [String] = []
    private let alias: String
    private var hasConditions = false

    init(_ select: SQLSelect, _ alias: String, sorts: Bool) {
      self.alias = alias
      let own = select.joins.filter { $0.table.name?.alias == alias }.compactMap(\.condition)
      for condition in [select.filter].compactMap({ $0 }) + own { add(condition) }
      hasConditions = select.filter != nil
      if sorts, let first = select.orders.first {
        // The key, by which ties are sorted, is in every index anyway.
        let same = select.orders.prefix { $0.isAscending == first.isAscending }
        sorted = same.compactMap { column($0.expression) }.filter { $0 != primaryKeyColumn }
        isLimited = select.limit != nil
      }
    }

    private var isLimited = false

    /// Whether it needs less than all rows, in any order.
    var isSelective: Bool { hasConditions || !equal.isEmpty || (isLimited && !sorted.isEmpty) }

    /// In the order that serves an index best: those with one value, then one with a range, or those sorted by.
    var columns: [String] {
      var columns = equal
      if let range = ranges.first(where: { !equal.contains($0) }) {
        columns.append(range)
      } else if !equal.isEmpty || isLimited {
        columns += sorted.filter { !equal.contains($0) }
      }
      var seen: Set<String> = [primaryKeyColumn]
      return columns.filter { seen.insert($0).inserted }
    }

    private mutating func add(_ condition: SQLExpression) {
      switch condition {
      case .all(let conditions): for condition in conditions { add(condition) }
      case .binary(.equal, let left, let right), .binary(.is, let left, let right):
        if let column = column(left) ?? column(right) { equal.append(column) }
      case .inList(let value, _), .inSelect(let value, _), .isNull(let value):
        if let column = column(value) { equal.append(column) }
      case .binary(.less, let left, let right), .binary(.lessOrEqual, let left, let right),
        .binary(.greater, let left, let right), .binary(.greaterOrEqual, let left, let right):
        if let column = column(left) ?? column(right) { ranges.append(column) }
      case .between(let value, _, _):
        if let column = column(value) { ranges.append(column) }
      default: break
      }
    }

    private func column(_ expression: SQLExpression) -> String? {
      if case .column(alias, let name) = expression { name } else { nil }
    }
  }
}

extension SQLSelect {
  /// The tables of this very query.
  fileprivate var tables: [(name: String, alias: String)] {
    ([from].compactMap { $0 } + joins.map(\.table)).compactMap(\.name)
  }
}

extension SQLTable {
  fileprivate var name: (name: String, alias: String)? {
    if case .table(let name, let alias) = self { (name, alias ?? name) } else { nil }
  }
}
