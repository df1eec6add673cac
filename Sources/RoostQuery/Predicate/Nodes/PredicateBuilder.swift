public import Foundation

/// What the expansion of `#Predicate` and `#Expression` calls: one function an operator.
///
/// An operand that depends on the model is a node and comes without a label; a captured value or literal comes as
/// `value:`, typed by the node on the other side. So every statement of the expansion is solved on its own.
@_documentation(visibility: private)
public enum _PredicateBuilder {
  public typealias Node = PredicateExpression
  public typealias Value = PredicateExpressions.Value

  public static func predicate<each Input>(
    _ build: (repeat PredicateExpressions.Variable<each Input>) -> any StandardPredicateExpression<Bool>
  ) -> Foundation.Predicate<repeat each Input> {
    Foundation.Predicate<repeat each Input>(build)
  }

  public static func expression<each Input, Output>(
    _ build: (repeat PredicateExpressions.Variable<each Input>) -> any StandardPredicateExpression<Output>
  ) -> Foundation.Expression<repeat each Input, Output> {
    Foundation.Expression<repeat each Input, Output>(build)
  }

  /// A captured value that stands on its own.
  public static func value<T>(_ value: T) -> Value<T> { .init(value) }
  public static func nilLiteral<T>() -> PredicateExpressions.NilLiteral<T> { .init() }
}
