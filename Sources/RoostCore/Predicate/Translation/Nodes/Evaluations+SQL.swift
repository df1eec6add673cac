internal import Foundation

extension _PredicateEvaluate: TranslatableExpression {
  func term(_ translator: Translator) throws -> Term {
    let input = try translator.term(input)
    return try translator.binding(predicate.variable, to: input) {
      .condition(try translator.condition(predicate.expression))
    }
  }

  func source(_ translator: Translator) -> String { "predicate.evaluate(\(translator.source(input)))" }
}

extension _ExpressionEvaluate: TranslatableExpression {
  func term(_ translator: Translator) throws -> Term {
    let input = try translator.term(input)
    return try translator.binding(expression.variable, to: input) { try translator.term(expression.expression) }
  }

  func source(_ translator: Translator) -> String { "expression.evaluate(\(translator.source(input)))" }
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
    let outer = variables
    defer { variables = outer }
    bind(expression, to: terms)
    return try term(expression.expression)
  }

  private func bind<each Input, Output>(_ expression: Expression<repeat each Input, Output>, to terms: [Term]) {
    var index = 0
    for variable in repeat each expression.variable {
      variables[variable.key] = terms[index]
      index += 1
    }
  }
}
