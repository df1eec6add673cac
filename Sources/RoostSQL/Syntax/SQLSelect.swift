/// A query.
package struct SQLSelect: Hashable, Sendable {
  /// Named queries in front. Those of inner selects are printed where they stand.
  package var with: [SQLCommonTable] = []
  package var isDistinct = false
  /// Empty selects the constant 1, which is what `EXISTS` wants.
  package var columns: [SQLResultColumn] = []
  package var from: SQLTable?
  package var joins: [SQLJoin] = []
  package var filter: SQLExpression?
  package var groups: [SQLExpression] = []
  package var having: SQLExpression?
  /// Further queries whose rows are combined with this one's, before sorting and limiting.
  package var compounds: [SQLCompound] = []
  package var orders: [SQLOrder] = []
  package var limit: Int?
  package var offset: Int?

  package init(
    _ columns: [SQLResultColumn] = [], from: SQLTable? = nil, joins: [SQLJoin] = [], where filter: SQLExpression? = nil,
    orderBy orders: [SQLOrder] = [], limit: Int? = nil, offset: Int? = nil
  ) {
    self.columns = columns
    self.from = from
    self.joins = joins
    self.filter = filter
    self.orders = orders
    self.limit = limit
    self.offset = offset
  }

  /// Adds a condition that rows must meet as well.
  package mutating func restrict(_ condition: SQLExpression) {
    switch filter {
    case nil: filter = condition
    case .all(let others): filter = .all(others + [condition])
    case .some(let other): filter = .all([other, condition])
    }
  }
}

/// One column of a query's rows.
package struct SQLResultColumn: Hashable, Sendable {
  package var expression: SQLExpression
  package var alias: String?

  package init(_ expression: SQLExpression, as alias: String? = nil) {
    self.expression = expression
    self.alias = alias
  }
}

/// A sort key. Sort by a collation with `.collate`.
package struct SQLOrder: Hashable, Sendable {
  /// Where rows without a value go. SQLite's own habit is first when ascending, last when descending.
  package enum NullPosition: Hashable, Sendable { case first, last }

  package var expression: SQLExpression
  package var isAscending: Bool
  package var nulls: NullPosition?

  package init(_ expression: SQLExpression, ascending isAscending: Bool = true, nulls: NullPosition? = nil) {
    self.expression = expression
    self.isAscending = isAscending
    self.nulls = nulls
  }
}

/// A query whose rows are combined with those of the query before it.
package struct SQLCompound: Hashable, Sendable {
  package enum Operator: String, Hashable, Sendable {
    case union = "UNION"
    case unionAll = "UNION ALL"
  }

  package var `operator`: Operator
  package var select: SQLSelect

  package init(_ operator: Operator, _ select: SQLSelect) {
    self.operator = `operator`
    self.select = select
  }
}
