internal import Foundation
internal import RoostSQL

extension PredicateExpressions.Comparison: TranslatableExpression {
  func term(_ translator: Translator) throws -> Term {
    .condition(try translator.compare(translator.term(lhs), sqlOperator, translator.term(rhs), self))
  }

  private var sqlOperator: SQLBinaryOperator {
    switch op {
    case .lessThan: .less
    case .lessThanOrEqual: .lessOrEqual
    case .greaterThan: .greater
    case .greaterThanOrEqual: .greaterOrEqual
    @unknown default: .less
    }
  }

  func source(_ translator: Translator) -> String {
    "\(translator.operand(lhs)) \(sqlOperator.rawValue) \(translator.operand(rhs))"
  }
}
