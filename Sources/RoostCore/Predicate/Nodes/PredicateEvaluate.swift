public import Foundation

/// A captured predicate called inside another.
@_documentation(visibility: private)
public struct _PredicateEvaluate<Input: PredicateExpression>: PredicateExpression {
  public typealias Output = Bool
  public let predicate: Foundation.Predicate<Input.Output>
  public let input: Input

  public init(predicate: Foundation.Predicate<Input.Output>, input: Input) {
    self.predicate = predicate
    self.input = input
  }

  public func evaluate(_ bindings: PredicateBindings) throws -> Bool {
    try predicate.evaluate(input.evaluate(bindings))
  }
}

extension _PredicateEvaluate: Sendable where Input: Sendable {}
extension _PredicateEvaluate: Codable where Input: StandardPredicateExpression {}
extension _PredicateEvaluate: StandardPredicateExpression where Input: StandardPredicateExpression {}
extension _PredicateEvaluate: _UnarchivableExpression where Input: StandardPredicateExpression {}

extension _PredicateBuilder {
  public static func evaluate<N: Node>(value predicate: Foundation.Predicate<N.Output>, _ input: N)
    -> _PredicateEvaluate<N>
  { .init(predicate: predicate, input: input) }
}
