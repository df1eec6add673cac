public import Foundation

/// A captured expression called inside a predicate or another expression.
@_documentation(visibility: private)
public struct _ExpressionEvaluate<Input: PredicateExpression, Output>: PredicateExpression {
  public let expression: Foundation.Expression<Input.Output, Output>
  public let input: Input

  public init(expression: Foundation.Expression<Input.Output, Output>, input: Input) {
    self.expression = expression
    self.input = input
  }

  public func evaluate(_ bindings: PredicateBindings) throws -> Output {
    try expression.evaluate(input.evaluate(bindings))
  }
}

extension _ExpressionEvaluate: Sendable where Input: Sendable {}
extension _ExpressionEvaluate: Codable where Input: StandardPredicateExpression {}
extension _ExpressionEvaluate: StandardPredicateExpression where Input: StandardPredicateExpression {}
extension _ExpressionEvaluate: _UnarchivableExpression where Input: StandardPredicateExpression {}

extension _PredicateBuilder {
  public static func evaluate<N: Node, T>(value expression: Foundation.Expression<N.Output, T>, _ input: N)
    -> _ExpressionEvaluate<N, T>
  { .init(expression: expression, input: input) }
}
