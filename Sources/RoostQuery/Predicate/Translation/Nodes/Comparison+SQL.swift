internal import Foundation
internal import RoostSQL

extension PredicateExpressions.Comparison: TranslatableExpression {
  func term(_ translator: Translator) throws -> Term {
    guard let sqlOperator else { throw translator.unsupported(self, "Roost does not know the operator \(op) yet.") }
    return .condition(try translator.compare(translator.term(lhs), sqlOperator, translator.term(rhs), self))
  }

  /// nil for an operator of a later Foundation.
  private var sqlOperator: SQLBinaryOperator? {
    switch op {
    case .lessThan: .less
    case .lessThanOrEqual: .lessOrEqual
    case .greaterThan: .greater
    case .greaterThanOrEqual: .greaterOrEqual
    @unknown default: nil
    }
  }

  func source(_ translator: Translator) -> String {
    "\(translator.operand(lhs)) \(sqlOperator?.rawValue ?? "\(op)") \(translator.operand(rhs))"
  }
}
