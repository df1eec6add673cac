internal import RoostSQL

/// Conditions, simplified where that is free: what is left is what SQLite's planner sees.
extension SQLExpression {
  static let `true` = SQLExpression.all([])
  static let `false` = SQLExpression.any([])

  static func condition(_ value: Bool) -> SQLExpression { value ? .true : .false }

  static func conjunction(_ operands: [SQLExpression]) -> SQLExpression {
    var flat: [SQLExpression] = []
    for operand in operands {
      if operand == .false { return .false }
      if case .all(let inner) = operand { flat += inner } else { flat.append(operand) }
    }
    return flat.count == 1 ? flat[0] : .all(flat)
  }

  static func disjunction(_ operands: [SQLExpression]) -> SQLExpression {
    var flat: [SQLExpression] = []
    for operand in operands {
      if operand == .true { return .true }
      if case .any(let inner) = operand { flat += inner } else { flat.append(operand) }
    }
    return flat.count == 1 ? flat[0] : .any(flat)
  }

  /// The opposite, with the operator itself turned where that is the same for NULL, too.
  static func negation(_ operand: SQLExpression) -> SQLExpression {
    switch operand {
    case .true: .false
    case .false: .true
    case .not(let inner): inner
    case .isNull(let inner): .isNotNull(inner)
    case .isNotNull(let inner): .isNull(inner)
    case .any(let operands): conjunction(operands.map(negation))
    case .binary(let `operator`, let left, let right):
      `operator`.opposite.map { .binary($0, left, right) } ?? .not(operand)
    default: .not(operand)
    }
  }

  /// `test ? yes : no` of conditions.
  static func choice(_ test: SQLExpression, _ yes: SQLExpression, _ no: SQLExpression) -> SQLExpression {
    if test == .true || yes == no { return yes }
    if test == .false { return no }
    if no == .false { return conjunction([test, yes]) }
    if yes == .true { return disjunction([test, no]) }
    if no == .true { return disjunction([negation(test), yes]) }
    if yes == .false { return conjunction([negation(test), no]) }
    return .conditional([SQLBranch(when: test, then: yes)], otherwise: no)
  }
}

extension SQLBinaryOperator {
  fileprivate var opposite: SQLBinaryOperator? {
    switch self {
    case .equal: .notEqual
    case .notEqual: .equal
    case .is: .isNot
    case .isNot: .is
    case .less: .greaterOrEqual
    case .greaterOrEqual: .less
    case .greater: .lessOrEqual
    case .lessOrEqual: .greater
    default: nil
    }
  }
}
