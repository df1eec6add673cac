extension SQLSelect {
  /// Makes inner joins of the left ones whose added rows of NULLs the filter drops anyway.
  ///
  /// The planner may begin at a table that is joined so. SQLite sees `=` and the like by itself, but not `IN` or `OR`.
  package mutating func tightenJoins() {
    var required = [filter].compactMap { $0 }
    // From the last on: what an inner join compares is required of those before it.
    for index in joins.indices.reversed() where joins[index].kind == .left {
      guard case .table(let name, let alias) = joins[index].table,
        required.contains(where: { $0.rejectsNulls(of: alias ?? name) })
      else { continue }
      joins[index].kind = .inner
      if let condition = joins[index].condition { required.append(condition) }
    }
  }
}

extension SQLExpression {
  /// Whether this cannot be true of a row whose columns of that table are all NULL. False where that is not known.
  fileprivate func rejectsNulls(of table: String) -> Bool {
    switch self {
    case .all(let operands): operands.contains { $0.rejectsNulls(of: table) }
    case .any(let operands): !operands.isEmpty && operands.allSatisfy { $0.rejectsNulls(of: table) }
    case .isNotNull(let operand): operand.isColumn(of: table)
    case .binary(.equal, let left, let right), .binary(.notEqual, let left, let right),
      .binary(.less, let left, let right), .binary(.lessOrEqual, let left, let right),
      .binary(.greater, let left, let right), .binary(.greaterOrEqual, let left, let right):
      left.isColumn(of: table) || right.isColumn(of: table)
    case .binary(.is, let left, .value(let value)) where value != .null: left.isColumn(of: table)
    case .inList(let value, _), .inSelect(let value, _), .between(let value, _, _): value.isColumn(of: table)
    default: false
    }
  }

  private func isColumn(of table: String) -> Bool {
    switch self {
    case .column(let owner, _): owner == table
    case .collate(let value, _): value.isColumn(of: table)
    default: false
    }
  }
}
