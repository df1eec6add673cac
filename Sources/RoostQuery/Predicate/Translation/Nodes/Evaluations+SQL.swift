internal import Foundation

extension _PredicateEvaluate: TranslatableExpression {
  func term(_ translator: Translator) throws -> Term {
    var terms: [Term] = []
    for node in repeat each input { terms.append(try translator.term(node)) }
    return try translator.binding(repeat each predicate.variable, to: terms) {
      .condition(try translator.condition(predicate.expression))
    }
  }

  func source(_ translator: Translator) -> String {
    var inputs: [String] = []
    for node in repeat each input { inputs.append(translator.source(node)) }
    return "predicate.evaluate(\(inputs.joined(separator: ", ")))"
  }
}

extension _ExpressionConstant: TranslatableExpression {
  func term(_ translator: Translator) throws -> Term { .constant(expression) }
  func source(_ translator: Translator) -> String { "expression" }
}

extension PredicateExpressions.ExpressionEvaluate: TranslatableExpression {
  func term(_ translator: Translator) throws -> Term {
    try translator.evaluate(translator.term(expression), as: Output.self, input: repeat each input, of: self)
  }

  func source(_ translator: Translator) -> String { "expression.evaluate(…)" }
}

extension Translator {
  /// A captured expression of several variables, applied.
  fileprivate func evaluate<each Input: PredicateExpression, Output>(
    _ expression: Term, as type: Output.Type, input: repeat each Input, of node: some PredicateExpression
  ) throws -> Term {
    guard case .constant(let value) = expression,
      let expression = value as? Expression<repeat (each Input).Output, Output>
    else { throw unsupported(node, "The expression must be a captured constant.") }
    var terms: [Term] = []
    for node in repeat each input { terms.append(try term(node)) }
    return try binding(repeat each expression.variable, to: terms) { try term(expression.expression) }
  }
}
