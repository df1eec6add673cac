public import Foundation

/// A value where an optional is wanted: Swift's implicit `T` to `T?`.
@_documentation(visibility: private)
public struct _OptionalPromotion<Wrapped: PredicateExpression>: PredicateExpression {
  public typealias Output = Wrapped.Output?
  public let wrapped: Wrapped

  public init(_ wrapped: Wrapped) { self.wrapped = wrapped }

  public func evaluate(_ bindings: PredicateBindings) throws -> Wrapped.Output? {
    try wrapped.evaluate(bindings)
  }
}

extension _OptionalPromotion: Sendable where Wrapped: Sendable {}
extension _OptionalPromotion: Codable where Wrapped: StandardPredicateExpression {}
extension _OptionalPromotion: StandardPredicateExpression where Wrapped: StandardPredicateExpression {}
extension _OptionalPromotion: _UnarchivableExpression where Wrapped: StandardPredicateExpression {}

extension _PredicateBuilder {
  /// The result of a step of an optional chain: already optional, or promoted.
  public static func optional<N: Node, T>(_ node: N) -> N where N.Output == T? { node }
  @_disfavoredOverload
  public static func optional<N: Node>(_ node: N) -> _OptionalPromotion<N> { .init(node) }

  /// Promotes even what is optional already, so that `nil` of a branch is told from `nil` of its condition.
  public static func some<N: Node>(_ node: N) -> _OptionalPromotion<N> { .init(node) }
  public static func some<T>(value: T) -> _OptionalPromotion<Value<T>> { .init(.init(value)) }
}
