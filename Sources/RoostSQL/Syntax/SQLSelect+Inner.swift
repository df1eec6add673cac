extension SQLSelect {
  /// This query and all those inside it.
  package var selfAndInner: [SQLSelect] {
    var inner = with.map(\.select) + compounds.map(\.select)
    for table in [from].compactMap({ $0 }) + joins.map(\.table) {
      switch table {
      case .select(let select, _): inner.append(select)
      case .function(_, let arguments, _): inner += arguments.flatMap(\.selects)
      case .table: break
      }
    }
    let expressions =
      columns.map(\.expression) + joins.compactMap(\.condition) + [filter, having].compactMap { $0 } + groups
      + orders.map(\.expression)
    inner += expressions.flatMap(\.selects)
    return [self] + inner.flatMap(\.selfAndInner)
  }
}

extension SQLExpression {
  /// The queries in an expression, without those inside them.
  fileprivate var selects: [SQLSelect] {
    switch self {
    case .inSelect(let value, let select): value.selects + [select]
    case .exists(let select), .subquery(let select): [select]
    case .unary(_, let operand), .isNull(let operand), .isNotNull(let operand), .cast(let operand, _),
      .collate(let operand, _), .aggregate(_, let operand, _):
      operand.selects
    case .binary(_, let left, let right): left.selects + right.selects
    case .all(let operands), .any(let operands), .row(let operands), .function(_, let operands):
      operands.flatMap(\.selects)
    case .between(let value, let lower, let upper): [value, lower, upper].flatMap(\.selects)
    case .inList(let value, let list): value.selects + list.flatMap(\.selects)
    case .conditional(let branches, let otherwise):
      branches.flatMap { $0.condition.selects + $0.result.selects } + (otherwise?.selects ?? [])
    case .value, .parameter, .column, .countAll, .jsonPath, .literal: []
    }
  }
}
