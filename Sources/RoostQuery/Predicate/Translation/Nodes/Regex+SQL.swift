internal import Foundation
import RoostCore
internal import RoostSQL

extension PredicateExpressions.StringContainsRegex: TranslatableExpression {
  func term(_ translator: Translator) throws -> Term {
    guard case .constant(let regex) = try translator.term(regex) else {
      throw translator.unsupported(self, "Capture the regular expression in a constant outside the predicate.")
    }
    guard let text = translator.string(try translator.term(subject)),
      let pattern = (regex as? PredicateExpressions.PredicateRegex)?.stringRepresentation
    else { return try translator.constantOrUnsupported(self, "SQL can search strings with a pattern.") }
    return .condition(.function(.containsRegex, [text, .text(pattern)]))
  }

  func source(_ translator: Translator) -> String {
    "\(translator.operand(subject)).contains(\(translator.source(regex)))"
  }
}

extension _RegexConstant: TranslatableExpression {
  func term(_ translator: Translator) throws -> Term { .constant(try evaluate(translator.constants)) }
  func source(_ translator: Translator) -> String {
    "/\(translator.tellsValues ? regex?.stringRepresentation ?? "…" : "…")/"
  }
}
