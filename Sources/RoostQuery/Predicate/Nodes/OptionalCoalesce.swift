public import Foundation
import RoostCore

/// `a ?? b` where both are optional, and so is the result.
@_documentation(visibility: private)
public struct _OptionalCoalesce<LHS: PredicateExpression, RHS: PredicateExpression>: PredicateExpression
where LHS.Output == RHS.Output {
  public typealias Output = RHS.Output
  public let lhs: LHS
  public let rhs: RHS

  public init<Wrapped>(lhs: LHS, rhs: RHS) where LHS.Output == Wrapped? {
    self.lhs = lhs
    self.rhs = rhs
  }

  public func evaluate(_ bindings: PredicateBindings) throws -> RHS.Output {
    let left = try lhs.evaluate(bindings)
    // `LHS.Output` is optional, which the type parameters alone do not say.
    guard let optional = left as? any AnyOptional, optional.wrappedValue == nil else { return left }
    return try rhs.evaluate(bindings)
  }
}

extension _OptionalCoalesce: Sendable where LHS: Sendable, RHS: Sendable {}
extension _OptionalCoalesce: Codable where LHS: StandardPredicateExpression, RHS: StandardPredicateExpression {}
extension _OptionalCoalesce: StandardPredicateExpression
where LHS: StandardPredicateExpression, RHS: StandardPredicateExpression {}
extension _OptionalCoalesce: _UnarchivableExpression
where LHS: StandardPredicateExpression, RHS: StandardPredicateExpression {}

extension _PredicateBuilder {
  public static func coalesce<L: Node, R: Node>(_ lhs: L, _ rhs: R) -> PredicateExpressions.NilCoalesce<L, R>
  where L.Output == R.Output? { .init(lhs: lhs, rhs: rhs) }
  public static func coalesce<L: Node, R: Node, T>(_ lhs: L, _ rhs: R) -> _OptionalCoalesce<L, R>
  where L.Output == T?, R.Output == T? { .init(lhs: lhs, rhs: rhs) }

  public static func coalesce<L: Node, T>(_ lhs: L, value: T) -> PredicateExpressions.NilCoalesce<L, Value<T>>
  where L.Output == T? { .init(lhs: lhs, rhs: .init(value)) }
  @_disfavoredOverload
  public static func coalesce<L: Node, T>(_ lhs: L, value: T?) -> _OptionalCoalesce<L, Value<T?>>
  where L.Output == T? { .init(lhs: lhs, rhs: .init(value)) }

  public static func coalesce<R: Node>(value: R.Output?, _ rhs: R)
    -> PredicateExpressions.NilCoalesce<Value<R.Output?>, R>
  { .init(lhs: .init(value), rhs: rhs) }
  public static func coalesce<R: Node, T>(value: T?, _ rhs: R) -> _OptionalCoalesce<Value<T?>, R>
  where R.Output == T? { .init(lhs: .init(value), rhs: rhs) }
}
