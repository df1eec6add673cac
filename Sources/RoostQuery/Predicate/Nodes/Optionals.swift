public import Foundation

extension _PredicateBuilder {
  public typealias FlatMap = PredicateExpressions.OptionalFlatMap

  /// A step of an optional chain, or `if let`: the builder's result is always optional, so that there is one overload
  /// and nested closures are type-checked once.
  public static func flatMap<N: Node, Wrapped, R: Node, T>(
    _ node: N, _ build: (PredicateExpressions.Variable<Wrapped>) -> R
  ) -> FlatMap<N, Wrapped, R, T> where N.Output == Wrapped?, R.Output == T? {
    .init(node, build)
  }

  public static func unwrap<N: Node, T>(_ node: N) -> PredicateExpressions.ForcedUnwrap<N, T>
  where N.Output == T? { .init(node) }
}
