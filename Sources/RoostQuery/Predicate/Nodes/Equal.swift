public import Foundation
public import RoostCore

extension _PredicateBuilder {
  public typealias Equal = PredicateExpressions.Equal
  public typealias NilLiteral = PredicateExpressions.NilLiteral

  // Two nodes.
  public static func equal<L: Node, R: Node>(_ lhs: L, _ rhs: R) -> Equal<L, R>
  where L.Output == R.Output, L.Output: Equatable { .init(lhs: lhs, rhs: rhs) }
  public static func equal<L: Node, R: Node>(_ lhs: L, _ rhs: R) -> Equal<L, _OptionalPromotion<R>>
  where L.Output == R.Output?, R.Output: Equatable { .init(lhs: lhs, rhs: .init(rhs)) }
  public static func equal<L: Node, R: Node>(_ lhs: L, _ rhs: R) -> Equal<_OptionalPromotion<L>, R>
  where R.Output == L.Output?, L.Output: Equatable { .init(lhs: .init(lhs), rhs: rhs) }

  // A captured value on the right: what most lookups ask, so in code that the program's compiler specialises.
  @inlinable
  public static func equal<L: Node>(_ lhs: L, value: L.Output) -> Equal<L, Value<L.Output>>
  where L.Output: Equatable { .init(lhs: lhs, rhs: .init(value)) }
  @_disfavoredOverload
  public static func equal<L: Node>(_ lhs: L, value: L.Output?) -> Equal<_OptionalPromotion<L>, Value<L.Output?>>
  where L.Output: Equatable { .init(lhs: .init(lhs), rhs: .init(value)) }
  public static func equal<L: Node, M: PersistentModel>(_ lhs: L, value: M?) -> Equal<L, _ModelConstant<M>>
  where L.Output == M? { .init(lhs: lhs, rhs: .init(value)) }
  public static func equal<L: Node, M: PersistentModel>(_ lhs: L, value: M?)
    -> Equal<_OptionalPromotion<L>, _ModelConstant<M>>
  where L.Output == M { .init(lhs: .init(lhs), rhs: .init(value)) }

  // A captured value on the left.
  public static func equal<R: Node>(value: R.Output, _ rhs: R) -> Equal<Value<R.Output>, R>
  where R.Output: Equatable { .init(lhs: .init(value), rhs: rhs) }
  @_disfavoredOverload
  public static func equal<R: Node>(value: R.Output?, _ rhs: R) -> Equal<Value<R.Output?>, _OptionalPromotion<R>>
  where R.Output: Equatable { .init(lhs: .init(value), rhs: .init(rhs)) }
  public static func equal<R: Node, M: PersistentModel>(value: M?, _ rhs: R) -> Equal<_ModelConstant<M>, R>
  where R.Output == M? { .init(lhs: .init(value), rhs: rhs) }
  public static func equal<R: Node, M: PersistentModel>(value: M?, _ rhs: R)
    -> Equal<_ModelConstant<M>, _OptionalPromotion<R>>
  where R.Output == M { .init(lhs: .init(value), rhs: .init(rhs)) }

  // nil, written as such.
  public static func isNil<N: Node, T: Equatable>(_ node: N) -> Equal<N, NilLiteral<T>>
  where N.Output == T? { .init(lhs: node, rhs: .init()) }
}
