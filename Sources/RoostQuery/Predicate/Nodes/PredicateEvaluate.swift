public import Foundation

/// A captured predicate called inside another.
@_documentation(visibility: private)
public struct _PredicateEvaluate<each Input: PredicateExpression>: PredicateExpression {
  public typealias Output = Bool
  public let predicate: Foundation.Predicate<repeat (each Input).Output>
  public let input: (repeat each Input)

  let depth: Int

  public init(predicate: Foundation.Predicate<repeat (each Input).Output>, input: repeat each Input) {
    let bounded = PredicateDepth.bounded([predicate], depth: 1 + predicate.depth)
    self.predicate = bounded.predicates[0]
    self.input = (repeat each input)
    depth = bounded.depth
  }

  public func evaluate(_ bindings: PredicateBindings) throws -> Bool {
    try predicate.evaluate(bindings, repeat (each input).evaluate(bindings))
  }
}

extension _PredicateEvaluate: Sendable where repeat each Input: Sendable {}
extension _PredicateEvaluate: Codable where repeat each Input: StandardPredicateExpression {}
extension _PredicateEvaluate: StandardPredicateExpression where repeat each Input: StandardPredicateExpression {}
extension _PredicateEvaluate: _UnarchivableExpression where repeat each Input: StandardPredicateExpression {}

extension _PredicateBuilder {
  public static func evaluate<each N: StandardPredicateExpression>(
    value predicate: Foundation.Predicate<repeat (each N).Output>, _ input: repeat each N
  ) -> _PredicateEvaluate<repeat each N> { .init(predicate: predicate, input: repeat each input) }
}
