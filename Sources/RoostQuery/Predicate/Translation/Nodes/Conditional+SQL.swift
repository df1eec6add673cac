internal import Foundation
internal import RoostSQL

extension PredicateExpressions.Conditional: TranslatableExpression {
  func term(_ translator: Translator) throws -> Term {
    let test = try translator.condition(test)
    if test == .true { return try translator.term(trueBranch) }
    if test == .false { return try translator.term(falseBranch) }
    let yes = try translator.guarded(by: test) { try translator.term(trueBranch) }
    let no = try translator.guarded(by: .negation(test)) { try translator.term(falseBranch) }
    return try translator.choice(test, yes, no, type: Output.self, self)
  }

  func source(_ translator: Translator) -> String {
    "\(translator.operand(test)) ? \(translator.operand(trueBranch)) : \(translator.operand(falseBranch))"
  }
}
