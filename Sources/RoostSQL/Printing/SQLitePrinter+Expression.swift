extension SQLitePrinter {
  mutating func append(_ expression: SQLExpression) {
    switch expression {
    case .value(let value): append(value)
    case .parameter: append(argument: .null)
    case .sameParameter(let number): append("?\(number)")
    case .column(let table, let name): appendColumn(table, name)
    case .not(let operand):
      append("NOT ")
      appendOperand(operand)
    case .binary(let `operator`, let left, let right):
      appendOperand(left)
      append(" \(`operator`.rawValue) ")
      appendOperand(right)
    case .all(let operands): appendChain(operands[...], " AND ", empty: 1)
    case .any(let operands): appendChain(operands[...], " OR ", empty: 0)
    case .isNull(let operand): appendSuffixed(operand, " IS NULL")
    case .isNotNull(let operand): appendSuffixed(operand, " IS NOT NULL")
    case .between(let operand, let lower, let upper):
      appendSuffixed(operand, " BETWEEN ")
      appendSuffixed(lower, " AND ")
      appendOperand(upper)
    case .inList(let operand, let elements):
      appendSuffixed(operand, " IN ")
      appendParenthesized(elements)
    case .inSelect(let operand, let select):
      appendSuffixed(operand, " IN ")
      appendParenthesized(select)
    case .exists(let select):
      append("EXISTS ")
      appendParenthesized(select)
    case .subquery(let select): appendParenthesized(select)
    case .function(let function, let arguments):
      append(function.name)
      appendParenthesized(arguments)
    case .aggregate(let function, let argument, let isDistinct):
      append(isDistinct ? "\(function.name)(DISTINCT " : "\(function.name)(")
      append(argument)
      append(")")
    case .countAll: append("count(*)")
    case .cast(let operand, let type):
      append("CAST(")
      append(operand)
      append(" AS \(type.rawValue))")
    case .collate(let operand, let collation): appendSuffixed(operand, " COLLATE \(collation.name)")
    case .conditional(let branches, let otherwise): appendConditional(branches, otherwise)
    case .row(let elements): appendParenthesized(elements)
    case .jsonPath(let steps): append(literal: .text(SQLJSONStep.text(steps)))
    case .literal(let value): append(literal: value)
    }
  }

  /// An operand of something that binds tighter than its own operator may.
  mutating func appendOperand(_ expression: SQLExpression) {
    if expression.isSelfContained {
      append(expression)
    } else {
      append("(")
      append(expression)
      append(")")
    }
  }

  private mutating func appendSuffixed(_ operand: SQLExpression, _ suffix: String) {
    appendOperand(operand)
    append(suffix)
  }

  private mutating func appendColumn(_ table: String?, _ name: String) {
    if let table {
      appendName(table)
      append(".")
    }
    appendName(name)
  }

  mutating func appendParenthesized(_ expressions: [SQLExpression]) {
    append("(")
    appendList(expressions) { $0.append($1) }
    append(")")
  }

  mutating func appendParenthesized(_ select: SQLSelect) {
    append("(")
    append(select)
    append(")")
  }

  /// SQLite parses a chain of n operators n levels deep and refuses more than 1,000: long ones become a tree.
  private mutating func appendChain(_ operands: ArraySlice<SQLExpression>, _ separator: String, empty: Int) {
    guard let first = operands.first else { return append("\(empty)") }
    guard operands.count > 1 else { return append(first) }
    let width = 100
    guard operands.count > width else {
      return appendList(Array(operands), separator: separator) { $0.appendOperand($1) }
    }
    let chunk = (operands.count + width - 1) / width
    let starts = Array(stride(from: operands.startIndex, to: operands.endIndex, by: chunk))
    appendList(starts, separator: separator) { printer, start in
      printer.append("(")
      printer.appendChain(operands[start..<min(start + chunk, operands.endIndex)], separator, empty: empty)
      printer.append(")")
    }
  }

  private mutating func appendConditional(_ branches: [SQLBranch], _ otherwise: SQLExpression?) {
    guard !branches.isEmpty else { return append(otherwise ?? .null) }
    append("CASE")
    for branch in branches {
      append(" WHEN ")
      append(branch.condition)
      append(" THEN ")
      append(branch.result)
    }
    if let otherwise {
      append(" ELSE ")
      append(otherwise)
    }
    append(" END")
  }
}

extension SQLExpression {
  /// Whether it may stand beside any operator without parentheses.
  fileprivate var isSelfContained: Bool {
    switch self {
    case .value, .parameter, .sameParameter, .column, .subquery, .function, .aggregate, .countAll, .cast, .collate,
      .row, .exists,
      .jsonPath, .literal:
      true
    case .conditional: true
    case .all(let operands), .any(let operands): operands.isEmpty || operands.count == 1 && operands[0].isSelfContained
    case .not, .binary, .isNull, .isNotNull, .between, .inList, .inSelect: false
    }
  }
}
