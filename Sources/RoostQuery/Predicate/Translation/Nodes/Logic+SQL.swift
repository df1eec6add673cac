internal import Foundation
internal import RoostSQL

extension PredicateExpressions.Conjunction: TranslatableExpression {
  func term(_ translator: Translator) throws -> Term {
    let left = try translator.condition(lhs)
    // What is never evaluated need not be possible: `captured != nil && $0.date > captured!`.
    if left == .false { return .constant(false) }
    let right = try translator.guarded(by: left) { try translator.condition(rhs) }
    return .condition(.conjunction([left, right]))
  }

  func source(_ translator: Translator) -> String { "\(translator.operand(lhs)) && \(translator.operand(rhs))" }
}

extension PredicateExpressions.Disjunction: TranslatableExpression {
  func term(_ translator: Translator) throws -> Term {
    let left = try translator.condition(lhs)
    if left == .true { return .constant(true) }
    let right = try translator.guarded(by: .negation(left)) { try translator.condition(rhs) }
    return .condition(.disjunction([left, right]))
  }

  func source(_ translator: Translator) -> String { "\(translator.operand(lhs)) || \(translator.operand(rhs))" }
}

extension PredicateExpressions.Negation: TranslatableExpression {
  func term(_ translator: Translator) throws -> Term { .condition(.negation(try translator.condition(wrapped))) }
  func source(_ translator: Translator) -> String { "!\(translator.operand(wrapped))" }
}
