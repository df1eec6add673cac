internal import Foundation
internal import RoostSQL

extension PredicateExpressions.ConditionalCast: TranslatableExpression {
  func term(_ translator: Translator) throws -> Term {
    if Input.Output.self == Desired.self {
      return switch try translator.term(input) {
      case .constant(let value): .constant((value as? Desired) as Any)
      case let term: .optional(isNil: .false, term)
      }
    }
    if Input.Output.self == Output.self { return try translator.term(input) }
    return try translator.constantOrUnsupported(self, "A column has one type.")
  }

  func source(_ translator: Translator) -> String { "\(translator.operand(input)) as? \(Desired.self)" }
}

extension PredicateExpressions.ForceCast: TranslatableExpression {
  func term(_ translator: Translator) throws -> Term {
    if Input.Output.self == Desired.self { return try translator.term(input) }
    return try translator.constantOrUnsupported(self, "A column has one type.")
  }

  func source(_ translator: Translator) -> String { "\(translator.operand(input)) as! \(Desired.self)" }
}

extension PredicateExpressions.TypeCheck: TranslatableExpression {
  func term(_ translator: Translator) throws -> Term {
    if Input.Output.self == Desired.self { return .constant(true) }
    return try translator.constantOrUnsupported(self, "A column has one type.")
  }

  func source(_ translator: Translator) -> String { "\(translator.operand(input)) is \(Desired.self)" }
}
