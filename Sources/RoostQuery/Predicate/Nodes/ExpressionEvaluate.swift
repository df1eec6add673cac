public import Foundation

/// A captured expression, which is called inside a predicate or another expression.
///
/// Foundation's node for a captured value wants it `Codable`, which its expressions are not off Apple platforms.
@_documentation(visibility: private)
public struct _ExpressionConstant<each Input, Result>: StandardPredicateExpression, _UnarchivableExpression {
  public typealias Output = Foundation.Expression<repeat each Input, Result>
  public let expression: Foundation.Expression<repeat each Input, Result>

  public init(_ expression: Foundation.Expression<repeat each Input, Result>) { self.expression = expression }

  public func evaluate(_ bindings: PredicateBindings) throws -> Foundation.Expression<repeat each Input, Result> {
    expression
  }
}

extension _PredicateBuilder {
  public static func evaluate<each N: StandardPredicateExpression, T>(
    value expression: Foundation.Expression<repeat (each N).Output, T>, _ input: repeat each N
  ) -> PredicateExpressions.ExpressionEvaluate<_ExpressionConstant<repeat (each N).Output, T>, repeat each N, T> {
    .init(expression: .init(expression), input: repeat each input)
  }
}
