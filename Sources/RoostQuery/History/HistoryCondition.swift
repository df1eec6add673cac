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

  fileprivate mutating func ask(_ expression: any PredicateExpression, isConjunct: Bool) {
    guard let condition = expression as? any HistoryCondition else { return looksAtChanges = true }
    condition.ask(&self, isConjunct: isConjunct)
  }
}

/// A node whose meaning for history is known.
private protocol HistoryCondition {
  /// `isConjunct`: whether the whole predicate is false where the node is.
  func ask(_ question: inout HistoryQuestion, isConjunct: Bool)
}

private protocol HistoryPath {
  var path: AnyKeyPath { get }
}

private protocol HistoryConstant {
  var token: DefaultHistoryToken? { get }
}

extension PredicateExpressions.Variable: HistoryCondition {
  fileprivate func ask(_ question: inout HistoryQuestion, isConjunct: Bool) {}
}

extension PredicateExpressions.KeyPath: HistoryCondition, HistoryPath {
  fileprivate var path: AnyKeyPath { keyPath }

  fileprivate func ask(_ question: inout HistoryQuestion, isConjunct: Bool) {
    if path == \DefaultHistoryTransaction.changes { question.looksAtChanges = true }
    question.ask(root, isConjunct: false)
  }
}

extension PredicateExpressions.Value: HistoryCondition, HistoryConstant {
  fileprivate var token: DefaultHistoryToken? { value as? DefaultHistoryToken }

  fileprivate func ask(_ question: inout HistoryQuestion, isConjunct: Bool) {}
}

extension PredicateExpressions.NilLiteral: HistoryCondition {
  fileprivate func ask(_ question: inout HistoryQuestion, isConjunct: Bool) {}
}

extension PredicateExpressions.Equal: HistoryCondition {
  fileprivate func ask(_ question: inout HistoryQuestion, isConjunct: Bool) {
    question.ask(lhs, isConjunct: false)
    question.ask(rhs, isConjunct: false)
  }
}

extension PredicateExpressions.NotEqual: HistoryCondition {
  fileprivate func ask(_ question: inout HistoryQuestion, isConjunct: Bool) {
    question.ask(lhs, isConjunct: false)
    question.ask(rhs, isConjunct: false)
  }
}

extension PredicateExpressions.Negation: HistoryCondition {
  fileprivate func ask(_ question: inout HistoryQuestion, isConjunct: Bool) {
    question.ask(wrapped, isConjunct: false)
  }
}

extension PredicateExpressions.Conjunction: HistoryCondition {
  fileprivate func ask(_ question: inout HistoryQuestion, isConjunct: Bool) {
    question.ask(lhs, isConjunct: isConjunct)
    question.ask(rhs, isConjunct: isConjunct)
  }
}

extension PredicateExpressions.Disjunction: HistoryCondition {
  fileprivate func ask(_ question: inout HistoryQuestion, isConjunct: Bool) {
    question.ask(lhs, isConjunct: false)
    question.ask(rhs, isConjunct: false)
  }
}

extension PredicateExpressions.Comparison: HistoryCondition {
  fileprivate func ask(_ question: inout HistoryQuestion, isConjunct: Bool) {
    question.ask(lhs, isConjunct: false)
    question.ask(rhs, isConjunct: false)
    guard isConjunct else { return }
    let sides: (path: Any, constant: Any)
    switch op {
    case .greaterThan, .greaterThanOrEqual: sides = (lhs, rhs)
    case .lessThan, .lessThanOrEqual: sides = (rhs, lhs)
    @unknown default: return
    }
    guard let path = sides.path as? any HistoryPath, path.path == \DefaultHistoryTransaction.token,
      let token = (sides.constant as? any HistoryConstant)?.token
    else { return }
    question.after.append(token)
  }
}
