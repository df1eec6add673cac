internal import Foundation
internal import RoostSQL

extension PredicateExpressions.Equal: TranslatableExpression {
  func term(_ translator: Translator) throws -> Term {
    .condition(try translator.equal(translator.term(lhs), translator.term(rhs), self))
  }

  func source(_ translator: Translator) -> String { "\(translator.operand(lhs)) == \(translator.operand(rhs))" }
}

extension PredicateExpressions.NotEqual: TranslatableExpression {
  func term(_ translator: Translator) throws -> Term {
    .condition(.negation(try translator.equal(translator.term(lhs), translator.term(rhs), self)))
  }

  func source(_ translator: Translator) -> String { "\(translator.operand(lhs)) != \(translator.operand(rhs))" }
}
