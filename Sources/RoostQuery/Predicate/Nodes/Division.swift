public import Foundation

extension _PredicateBuilder {
  public typealias IntDivision = PredicateExpressions.IntDivision
  public typealias FloatDivision = PredicateExpressions.FloatDivision
  public typealias IntRemainder = PredicateExpressions.IntRemainder

  public static func divide<L: Node, R: Node>(_ lhs: L, _ rhs: R) -> IntDivision<L, R>
  where L.Output == R.Output, L.Output: BinaryInteger { .init(lhs: lhs, rhs: rhs) }
  public static func divide<L: Node>(_ lhs: L, value: L.Output) -> IntDivision<L, Value<L.Output>>
  where L.Output: BinaryInteger { .init(lhs: lhs, rhs: .init(value)) }
  public static func divide<R: Node>(value: R.Output, _ rhs: R) -> IntDivision<Value<R.Output>, R>
  where R.Output: BinaryInteger { .init(lhs: .init(value), rhs: rhs) }

  public static func divide<L: Node, R: Node>(_ lhs: L, _ rhs: R) -> FloatDivision<L, R>
  where L.Output == R.Output, L.Output: FloatingPoint { .init(lhs: lhs, rhs: rhs) }
  public static func divide<L: Node>(_ lhs: L, value: L.Output) -> FloatDivision<L, Value<L.Output>>
  where L.Output: FloatingPoint { .init(lhs: lhs, rhs: .init(value)) }
  public static func divide<R: Node>(value: R.Output, _ rhs: R) -> FloatDivision<Value<R.Output>, R>
  where R.Output: FloatingPoint { .init(lhs: .init(value), rhs: rhs) }

  public static func remainder<L: Node, R: Node>(_ lhs: L, _ rhs: R) -> IntRemainder<L, R>
  where L.Output == R.Output, L.Output: BinaryInteger { .init(lhs: lhs, rhs: rhs) }
  public static func remainder<L: Node>(_ lhs: L, value: L.Output) -> IntRemainder<L, Value<L.Output>>
  where L.Output: BinaryInteger { .init(lhs: lhs, rhs: .init(value)) }
  public static func remainder<R: Node>(value: R.Output, _ rhs: R) -> IntRemainder<Value<R.Output>, R>
  where R.Output: BinaryInteger { .init(lhs: .init(value), rhs: rhs) }
}
