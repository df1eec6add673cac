internal import Foundation

extension PredicateExpressions.Variable: TranslatableExpression {
  func term(_ translator: Translator) throws -> Term {
    if let term = translator.variables[key] { return term }
    throw translator.unsupported(self, "The variable belongs to another predicate.")
  }

  func source(_ translator: Translator) -> String { translator.names[key] ?? "$0" }
}
