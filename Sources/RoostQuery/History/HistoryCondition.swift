import Foundation
import RoostCore

/// What a predicate over transactions asks for, as far as SQL and the store's tokens are concerned.
///
/// The predicate itself is evaluated here, for each transaction that is not before what it names.
struct HistoryQuestion {
  /// The places behind which the transactions are; each must still be there.
  var after: [DefaultHistoryToken] = []
  /// No transaction has a smaller number.
  var number: Int64 = 0
  /// None has an earlier time, in seconds since 2001.
  var time = -Double.infinity
  /// Whether the changes are asked for, or may be.
  var looksAtChanges = false

  init(_ descriptor: HistoryDescriptor<DefaultHistoryTransaction>) {
    if let predicate = descriptor.predicate { ask(predicate.expression, isConjunct: true) }
    for order in descriptor.sortBy { note(order.keyPath) }
  }

  private mutating func ask(_ expression: any PredicateExpression, isConjunct: Bool) {
    guard let condition = expression as? any HistoryCondition else { return looksAtChanges = true }
    if let path = condition.path { note(path) }
    if isConjunct, let bound = condition.lowerBound { begin(at: bound) }
    for operand in condition.operands { ask(operand, isConjunct: isConjunct && condition.isConjunction) }
  }

  /// Notes that a value is asked for. What another path than these leads to may be made of the changes.
  private mutating func note(_ path: AnyKeyPath?) {
    let others: Set<AnyKeyPath> = [
      \DefaultHistoryTransaction.id, \DefaultHistoryTransaction.transactionIdentifier,
      \DefaultHistoryTransaction.timestamp, \DefaultHistoryTransaction.token, \DefaultHistoryTransaction.author,
      \DefaultHistoryTransaction.storeIdentifier, \DefaultHistoryTransaction.bundleIdentifier,
      \DefaultHistoryTransaction.processIdentifier, \DefaultHistoryTransaction.contextIdentifier,
      \DefaultHistoryTransaction.migration,
    ]
    guard let path, others.contains(path) else { return looksAtChanges = true }
  }

  private mutating func begin(at bound: HistoryBound) {
    let numbers: [AnyKeyPath] = [\DefaultHistoryTransaction.transactionIdentifier, \DefaultHistoryTransaction.id]
    if bound.path == \DefaultHistoryTransaction.token, let token = bound.constant as? DefaultHistoryToken {
      after.append(token)
    } else if numbers.contains(bound.path), let constant = bound.constant as? Int64 {
      number = max(number, constant)
    } else if bound.path == \DefaultHistoryTransaction.timestamp, let date = bound.constant as? Date {
      time = max(time, date.timeIntervalSinceReferenceDate)
    }
  }
}

/// A property and a constant that it is not less than.
private typealias HistoryBound = (path: AnyKeyPath, constant: Any)

/// A node whose meaning for history is known.
private protocol HistoryCondition {
  var operands: [any PredicateExpression] { get }
  /// Whether each operand must be true where the node is.
  var isConjunction: Bool { get }
  /// The transaction's property that the node is.
  var path: AnyKeyPath? { get }
  /// The value that a constant is.
  var constant: Any? { get }
  /// What those which fulfil the node are not before.
  var lowerBound: HistoryBound? { get }
}

extension HistoryCondition {
  fileprivate var operands: [any PredicateExpression] { [] }
  fileprivate var isConjunction: Bool { false }
  fileprivate var path: AnyKeyPath? { nil }
  fileprivate var constant: Any? { nil }
  fileprivate var lowerBound: HistoryBound? { nil }
}

extension PredicateExpressions.Variable: HistoryCondition {}

extension PredicateExpressions.NilLiteral: HistoryCondition {}

extension PredicateExpressions.KeyPath: HistoryCondition {
  fileprivate var operands: [any PredicateExpression] { [root] }
  fileprivate var path: AnyKeyPath? {
    // Not that of another transaction, which the program has.
    guard root is PredicateExpressions.Variable<DefaultHistoryTransaction> else { return nil }
    return keyPath
  }
}

extension PredicateExpressions.Value: HistoryCondition {
  fileprivate var constant: Any? { value }
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

  fileprivate var lowerBound: HistoryBound? {
    let sides: (path: Any, constant: Any)
    switch op {
    case .greaterThan, .greaterThanOrEqual: sides = (lhs, rhs)
    case .lessThan, .lessThanOrEqual: sides = (rhs, lhs)
    @unknown default: return nil
    }
    guard let path = (sides.path as? any HistoryCondition)?.path,
      let constant = (sides.constant as? any HistoryCondition)?.constant
    else { return nil }
    return (path, constant)
  }
}
