internal import Foundation
import RoostCore

extension PredicateExpressions.Value: TranslatableExpression {
  func term(_ translator: Translator) throws -> Term { .constant(value) }

  func source(_ translator: Translator) -> String {
    let some = value as Any
    guard let value = (some as? any AnyOptional).map(\.wrappedValue) ?? some else {
      return translator.tellsValues ? "nil" : "…"
    }
    return switch value {
    case is Bool: "\(value)"
    case is any PersistentModel, is PersistentIdentifier: "\(Output.self)"
    // It may be a captured one.
    case _ where !translator.tellsValues: "…"
    case let text as String: "\"\(shortened(text))\""
    default: shortened("\(value)")
    }
  }

  private func shortened(_ text: String) -> String { text.count > 40 ? text.prefix(39) + "…" : text }
}

extension PredicateExpressions.NilLiteral: TranslatableExpression {
  func term(_ translator: Translator) throws -> Term { .constant(Output.none as Any) }
  func source(_ translator: Translator) -> String { "nil" }
}

extension _ModelConstant: TranslatableExpression {
  func term(_ translator: Translator) throws -> Term { .constant(model as Any) }
  func source(_ translator: Translator) -> String { model == nil ? "nil" : "\(Model.self)" }
}

extension _UnsupportedExpression: TranslatableExpression {
  func term(_ translator: Translator) throws -> Term { .constant(try evaluate(translator.constants)) }
  func source(_ translator: Translator) -> String { "…" }
}
