extension SQLSelect {
  /// This query and all those inside it.
  package var selfAndInner: [SQLSelect] {
    var inner = with.map(\.select) + compounds.map(\.select)
    for table in [from].compactMap({ $0 }) + joins.map(\.table) {
      if case .select(let select, _) = table { inner.append(select) }
    }
    inner += expressions.flatMap(\.selects)
    return [self] + inner.flatMap(\.selfAndInner)
  }

  /// What this query is made of, without the queries inside.
  var expressions: [SQLExpression] {
    var arguments: [SQLExpression] = []
    for case .function(_, let values, _) in [from].compactMap({ $0 }) + joins.map(\.table) { arguments += values }
    return arguments + columns.map(\.expression) + joins.compactMap(\.condition) + [filter, having].compactMap { $0 }
      + groups + orders.map(\.expression)
  }
}

extension SQLExpression {
  /// This expression and all it is made of, without the queries inside.
  var selfAndOperands: [SQLExpression] { [self] + operands.flatMap(\.selfAndOperands) }

  /// The queries in an expression, without those inside them.
  fileprivate var selects: [SQLSelect] {
    selfAndOperands.compactMap { expression in
      switch expression {
      case .inSelect(_, let select), .exists(let select), .subquery(let select): select
      default: nil
      }
    }
  }

  private var operands: [SQLExpression] {
    switch self {
    case .not(let operand), .isNull(let operand), .isNotNull(let operand), .cast(let operand, _),
      .collate(let operand, _), .aggregate(_, let operand, _), .inSelect(let operand, _):
      [operand]
    case .binary(_, let left, let right): [left, right]
    case .all(let operands), .any(let operands), .row(let operands), .function(_, let operands): operands
    case .between(let value, let lower, let upper): [value, lower, upper]
    case .inList(let value, let list): [value] + list
    case .conditional(let branches, let otherwise):
      branches.flatMap { [$0.condition, $0.result] } + (otherwise.map { [$0] } ?? [])
    case .value, .parameter, .sameParameter, .column, .countAll, .jsonPath, .literal, .exists, .subquery: []
    }
  }
}
