internal import Foundation
internal import RoostSQL

extension PredicateExpressions.Comparison: TranslatableExpression {
  func term(_ translator: Translator) throws -> Term {
    let left = try translator.term(lhs)
    let right = try translator.term(rhs)
    if case .constant = left, case .constant = right {
      return try translator.constantOrUnsupported(self, "The constants cannot be compared.")
    }
    return .condition(try translator.compare(left, sqlOperator, right, self))
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
