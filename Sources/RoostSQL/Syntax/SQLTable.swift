/// Where rows come from.
package indirect enum SQLTable: Hashable, Sendable {
  case table(String, alias: String?)
  case select(SQLSelect, alias: String)
  /// A table-valued function such as `json_each`.
  case function(SQLFunction, [SQLExpression], alias: String?)

  /// A table under its own name.
  package static func table(_ name: String) -> SQLTable { .table(name, alias: nil) }
}

/// A table joined to those before it.
package struct SQLJoin: Hashable, Sendable {
  package enum Kind: String, Hashable, Sendable {
    case inner = "JOIN"
    case left = "LEFT JOIN"
    /// An inner join that SQLite does not reorder.
    case cross = "CROSS JOIN"
  }

  package var kind: Kind
  package var table: SQLTable
  package var condition: SQLExpression?

  package init(_ kind: Kind, _ table: SQLTable, on condition: SQLExpression?) {
    self.kind = kind
    self.table = table
    self.condition = condition
  }
}

/// A query that a statement names in front of itself: `WITH name AS (…)`.
package struct SQLCommonTable: Hashable, Sendable {
  package var name: String
  package var columns: [String]
  package var isRecursive: Bool
  package var select: SQLSelect

  package init(_ name: String, columns: [String] = [], isRecursive: Bool = false, as select: SQLSelect) {
    self.name = name
    self.columns = columns
    self.isRecursive = isRecursive
    self.select = select
  }
}
