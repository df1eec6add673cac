public import Foundation

extension _PredicateBuilder {
  public typealias Arithmetic = PredicateExpressions.Arithmetic

  public static func add<L: Node, R: Node>(_ lhs: L, _ rhs: R) -> Arithmetic<L, R>
  where L.Output == R.Output, L.Output: Numeric { .init(lhs: lhs, rhs: rhs, op: .add) }
  public static func add<L: Node>(_ lhs: L, value: L.Output) -> Arithmetic<L, Value<L.Output>>
  where L.Output: Numeric { .init(lhs: lhs, rhs: .init(value), op: .add) }
  public static func add<R: Node>(value: R.Output, _ rhs: R) -> Arithmetic<Value<R.Output>, R>
  where R.Output: Numeric { .init(lhs: .init(value), rhs: rhs, op: .add) }

  public static func subtract<L: Node, R: Node>(_ lhs: L, _ rhs: R) -> Arithmetic<L, R>
  where L.Output == R.Output, L.Output: Numeric { .init(lhs: lhs, rhs: rhs, op: .subtract) }
  public static func subtract<L: Node>(_ lhs: L, value: L.Output) -> Arithmetic<L, Value<L.Output>>
  where L.Output: Numeric { .init(lhs: lhs, rhs: .init(value), op: .subtract) }
  public static func subtract<R: Node>(value: R.Output, _ rhs: R) -> Arithmetic<Value<R.Output>, R>
  where R.Output: Numeric { .init(lhs: .init(value), rhs: rhs, op: .subtract) }

  public static func multiply<L: Node, R: Node>(_ lhs: L, _ rhs: R) -> Arithmetic<L, R>
  where L.Output == R.Output, L.Output: Numeric { .init(lhs: lhs, rhs: rhs, op: .multiply) }
  public static func multiply<L: Node>(_ lhs: L, value: L.Output) -> Arithmetic<L, Value<L.Output>>
  where L.Output: Numeric { .init(lhs: lhs, rhs: .init(value), op: .multiply) }
  public static func multiply<R: Node>(value: R.Output, _ rhs: R) -> Arithmetic<Value<R.Output>, R>
  where R.Output: Numeric { .init(lhs: .init(value), rhs: rhs, op: .multiply) }

  public static func negate<N: Node>(_ node: N) -> PredicateExpressions.UnaryMinus<N>
  where N.Output: SignedNumeric { .init(node) }
}
