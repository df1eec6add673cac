import RoostCore
internal import RoostSQL

extension QueryBuilder {
  /// The query for what one row has in the columns that rows are sorted by.
  func selectPosition(key: Int64) -> SQLSelect {
    var query = self
    query.restrict(.binary(.equal, root.key, .integer(key)))
    return query.select(orders.map { SQLResultColumn($0.expression) })
  }

  /// The query for the keys of all rows, and for what each has in the columns that rows are sorted by; in their order.
  var selectPositions: SQLSelect {
    var select = select([SQLResultColumn(root.key)] + orders.map { SQLResultColumn($0.expression) })
    select.orders = orders
    return select
  }

  /// Whether one row, whose key is the only parameter that is not a value, comes behind the one with these values.
  func selectIsBehind(_ values: [SQLValue]) -> SQLSelect {
    var query = self
    query.replaceConditions(by: .true)
    query.limit = nil
    query.begin(behind: values)
    let isBehind = query.condition
    query.replaceConditions(by: .binary(.equal, root.key, .parameter))
    return query.select([SQLResultColumn(isBehind)])
  }

  /// Keeps the rows that come behind the one that has these values in the columns that rows are sorted by.
  mutating func begin(behind values: [SQLValue]) {
    var runs: [SortRun] = []
    for (order, value) in zip(orders, values) {
      let next = SortRun(order, value, mayBeNull: mayBeNull(order.expression))
      if runs.isEmpty || !runs[runs.count - 1].append(next) { runs.append(next) }
      // No two rows have the same key.
      if order.expression == root.key { break }
    }
    guard let limit, limit >= 0, let parts = SortRun.parts(runs) else { return restrict(SortRun.isBehind(runs[...])) }
    // SQLite seeks for each by itself, and not for one or the other.
    let selects = parts.map { part in
      var query = self
      query.restrict(part)
      // SQLite takes an offset below 0 for 0.
      let (rows, overflow) = limit.addingReportingOverflow(max(offset ?? 0, 0))
      query.limit = overflow ? nil : rows
      query.offset = nil
      return query.select([primaryKeyColumn])
    }
    var keys = SQLSelect([SQLResultColumn(.column(primaryKeyColumn))], from: .select(selects[0], alias: "behind"))
    keys.compounds = [SQLCompound(.unionAll, selects[1])]
    replaceConditions(by: .inSelect(root.key, keys))
  }

  /// Whether a row may have nothing to be sorted by. A subclass's column is empty in the rows of other classes.
  private func mayBeNull(_ key: SQLExpression) -> Bool {
    switch key {
    case root.key: false
    case .collate(let key, _), .binary(.less, let key, _): mayBeNull(key)
    case .column(root.alias, let name):
      !root.entity.properties.contains {
        $0.column == name && $0.relationship == nil && !$0.isOptional && $0.owner.superentity == nil
      }
    default: true
    }
  }
}

/// Sort keys that follow each other, and the values to begin behind.
private struct SortRun {
  var keys: [SQLExpression]
  var values: [SQLExpression]
  let isAscending: Bool
  /// Whether one comparison of all keys tells which rows come behind.
  ///
  /// Comparisons are never true of NULL, which sorts before all values: ascending rows without a value were before.
  private var isComparable: Bool

  init(_ order: SQLOrder, _ value: SQLValue, mayBeNull: Bool) {
    keys = [order.expression]
    values = [.value(value)]
    isAscending = order.isAscending
    isComparable = value != .null && (isAscending || !mayBeNull)
  }

  /// Takes another run in, if the two can be compared as one.
  mutating func append(_ next: SortRun) -> Bool {
    guard isComparable, next.isComparable, isAscending == next.isAscending else { return false }
    keys += next.keys
    values += next.values
    return true
  }

  private func compare(_ operator: SQLBinaryOperator) -> SQLExpression {
    keys.count == 1 ? .binary(`operator`, keys[0], values[0]) : .binary(`operator`, .row(keys), .row(values))
  }

  private var isBehind: SQLExpression {
    if isComparable { return compare(isAscending ? .greater : .less) }
    return switch (values[0], isAscending) {
    case (.null, true): .isNotNull(keys[0])
    case (.null, false): .false
    default: .disjunction([compare(.less), .isNull(keys[0])])
    }
  }

  private var isSame: SQLExpression { values[0] == .null ? .isNull(keys[0]) : compare(.equal) }

  /// The rows behind in two parts: those with and without a value to be sorted by first. nil where they are not apart.
  static func parts(_ runs: [SortRun]) -> [SQLExpression]? {
    guard var first = runs.first, !first.isComparable else { return nil }
    switch (first.values[0], first.isAscending) {
    case (.null, true):
      return [.conjunction([first.isSame, isBehind(runs.dropFirst())]), .isNotNull(first.keys[0])]
    case (.null, false): return nil
    default:
      first.isComparable = true
      return [isBehind(([first] + runs.dropFirst())[...]), .isNull(first.keys[0])]
    }
  }

  /// `isOuter`: whether it is a condition of its own, which SQLite may look for in an index.
  static func isBehind(_ runs: ArraySlice<SortRun>, isOuter: Bool = true) -> SQLExpression {
    guard let first = runs.first else { return .false }
    let behind = first.isBehind
    let rest = isBehind(runs.dropFirst(), isOuter: isOuter && behind == .false)
    let condition = SQLExpression.disjunction([behind, .conjunction([first.isSame, rest])])
    // Follows from the others, but SQLite does not see where rows begin that one or another condition selects.
    guard isOuter, first.isComparable, runs.count > 1 else { return condition }
    return .conjunction([first.compare(first.isAscending ? .greaterOrEqual : .lessOrEqual), condition])
  }
}
