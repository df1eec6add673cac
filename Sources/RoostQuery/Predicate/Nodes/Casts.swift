public import Foundation

extension _PredicateBuilder {
  public static func conditionalCast<N: Node, T>(_ node: N, to type: T.Type)
    -> PredicateExpressions.ConditionalCast<N, T>
  { .init(node) }
  public static func forceCast<N: Node, T>(_ node: N, to type: T.Type) -> PredicateExpressions.ForceCast<N, T> {
    .init(node)
  }
  public static func typeCheck<N: Node, T>(_ node: N, is type: T.Type) -> PredicateExpressions.TypeCheck<N, T> {
    .init(node)
  }

  // `as`: the type itself, or its optional.
  public static func coerce<N: Node, T>(_ node: N, to type: T.Type) -> N where N.Output == T { node }
  public static func coerce<N: Node, T>(_ node: N, to type: T?.Type) -> _OptionalPromotion<N> where N.Output == T {
    .init(node)
  }
}
