internal import Foundation
import RoostCore
internal import RoostSQL

extension PredicateExpressions.OptionalFlatMap: TranslatableExpression {
  func term(_ translator: Translator) throws -> Term {
    switch try translator.term(wrapped) {
    case .optional(let isNil, let inner):
      let next = try translator.guarded(by: .negation(isNil)) { try step(inner, translator) }
      return translator.chained(isNil, inner, next)
    case .constant(let value):
      guard let inner = (value as? any AnyOptional)?.wrappedValue else { return .constant(Output.none as Any) }
      return try step(.constant(inner), translator)
    default: throw translator.unsupported(self, "It is no optional.")
    }
  }

  /// The transformation's result, as the optional that this node is.
  private func step(_ inner: Term, _ translator: Translator) throws -> Term {
    let step = try translator.binding(variable, to: inner) { try translator.term(transform) }
    if RHS.Output.self == Output.self {
      guard case .constant(let value) = step else { return step }
      return try translator.lift(value, type: Output.self, self)
    }
    guard case .constant(let value) = step else { return .optional(isNil: .false, step) }
    return .optional(isNil: .false, try translator.lift(value, type: RHS.Output.self, self))
  }

  func source(_ translator: Translator) -> String {
    let (value, step) = (translator.operand(wrapped), translator.source(transform))
    // A chain's step, unless it has the value in other places, too.
    if step.hasPrefix("$0."), step.count(where: { $0 == "$" }) == 1, !step.contains(" ") {
      return "\(value)?\(step.dropFirst(2))"
    }
    return "\(value).flatMap { \(step) }"
  }
}

extension PredicateExpressions.NilCoalesce: TranslatableExpression {
  func term(_ translator: Translator) throws -> Term {
    try translator.coalesce(
      translator.term(lhs), { try translator.term(rhs) }, type: Output.self, keepsOptional: false, self)
  }

  func source(_ translator: Translator) -> String { "\(translator.operand(lhs)) ?? \(translator.operand(rhs))" }
}

extension _OptionalCoalesce: TranslatableExpression {
  func term(_ translator: Translator) throws -> Term {
    try translator.coalesce(
      translator.term(lhs), { try translator.term(rhs) }, type: Output.self, keepsOptional: true, self)
  }

  func source(_ translator: Translator) -> String { "\(translator.operand(lhs)) ?? \(translator.operand(rhs))" }
}

extension _OptionalPromotion: TranslatableExpression {
  func term(_ translator: Translator) throws -> Term {
    switch try translator.term(wrapped) {
    case .constant(let value):
      guard let value = value as? Wrapped.Output else { throw translator.unsupported(self, "It has another type.") }
      return .constant(Output.some(value) as Any)
    case let term: return .optional(isNil: .false, term)
    }
  }

  func source(_ translator: Translator) -> String { translator.source(wrapped) }
}

extension PredicateExpressions.ForcedUnwrap: TranslatableExpression {
  func term(_ translator: Translator) throws -> Term {
    switch try translator.term(inner) {
    case .optional(let isNil, let wrapped):
      translator.fail(when: isNil)
      return wrapped
    case .constant(let value):
      if let wrapped = (value as? any AnyOptional)?.wrappedValue { return .constant(wrapped) }
      throw translator.unsupported(self, "The captured value is nil.")
    default: throw translator.unsupported(self, "It is no optional.")
    }
  }

  func source(_ translator: Translator) -> String { "\(translator.operand(inner))!" }
}
