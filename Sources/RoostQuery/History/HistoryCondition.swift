import Foundation
import RoostCore

/// What a predicate over transactions asks for, as far as SQL and the store's tokens are concerned.
///
/// The predicate itself is evaluated here, for each transaction behind the tokens that it names.
struct HistoryQuestion {
  /// The places behind which the transactions are; each must still be there.
  var after: [DefaultHistoryToken] = []
  /// Whether the changes are asked for, or may be.
  var looksAtChanges = false

  init(_ predicate: Predicate<DefaultHistoryTransaction>?) {
    guard let predicate else { return }
    ask(predicate.expression, isConjunct: true)
  }

  private mutating func ask(_ expression: any PredicateExpression, isConjunct: Bool) {
    guard let condition = expression as? any HistoryCondition else { return looksAtChanges = true }
    if condition.path == \DefaultHistoryTransaction.changes { looksAtChanges = true }
    if isConjunct, let token = condition.lowerBound { after.append(token) }
    for operand in condition.operands { ask(operand, isConjunct: isConjunct && condition.isConjunction) }
  }
}

/// A node whose meaning for history is known.
private protocol HistoryCondition {
  var operands: [any PredicateExpression] { get }
  /// Whether each operand must be true where the node is.
  var isConjunction: Bool { get }
  /// The property that a key path is of.
  var path: AnyKeyPath? { get }
  /// The token that a constant is.
  var token: DefaultHistoryToken? { get }
  /// The token that those which fulfil the node are not before.
  var lowerBound: DefaultHistoryToken? { get }
}

extension HistoryCondition {
  fileprivate var operands: [any PredicateExpression] { [] }
  fileprivate var isConjunction: Bool { false }
  fileprivate var path: AnyKeyPath? { nil }
  fileprivate var token: DefaultHistoryToken? { nil }
  fileprivate var lowerBound: DefaultHistoryToken? { nil }
}

extension PredicateExpressions.Variable: HistoryCondition {}

extension PredicateExpressions.NilLiteral: HistoryCondition {}

extension PredicateExpressions.KeyPath: HistoryCondition {
  fileprivate var operands: [any PredicateExpression] { [root] }
  fileprivate var path: AnyKeyPath? { keyPath }
}

extension PredicateExpressions.Value: HistoryCondition {
  fileprivate var token: DefaultHistoryToken? { value as? DefaultHistoryToken }
}

extension PredicateExpressions.Equal: HistoryCondition {
  fileprivate var operands: [any PredicateExpression] { [lhs, rhs] }
}

extension PredicateExpressions.NotEqual: HistoryCondition {
  fileprivate var operands: [any PredicateExpression] { [lhs, rhs] }
}

extension PredicateExpressions.Negation: HistoryCondition {
  fileprivate var operands: [any PredicateExpression] { [wrapped] }
}

extension PredicateExpressions.Conjunction: HistoryCondition {
  fileprivate var operands: [any PredicateExpression] { [lhs, rhs] }
  fileprivate var isConjunction: Bool { true }
}

extension PredicateExpressions.Disjunction: HistoryCondition {
  fileprivate var operands: [any PredicateExpression] { [lhs, rhs] }
}

extension PredicateExpressions.Comparison: HistoryCondition {
  fileprivate var operands: [any PredicateExpression] { [lhs, rhs] }

  fileprivate var lowerBound: DefaultHistoryToken? {
    let sides: (path: Any, constant: Any)
    switch op {
    case .greaterThan, .greaterThanOrEqual: sides = (lhs, rhs)
    case .lessThan, .lessThanOrEqual: sides = (rhs, lhs)
    @unknown default: return nil
    }
    guard (sides.path as? any HistoryCondition)?.path == \DefaultHistoryTransaction.token else { return nil }
    return (sides.constant as? any HistoryCondition)?.token
  }
}
