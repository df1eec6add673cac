public import Foundation

extension _PredicateBuilder {
  public static func and<L: Node, R: Node>(_ lhs: L, _ rhs: R) -> PredicateExpressions.Conjunction<L, R>
  where L.Output == Bool, R.Output == Bool { .init(lhs: lhs, rhs: rhs) }
  public static func and<L: Node>(_ lhs: L, value: Bool) -> PredicateExpressions.Conjunction<L, Value<Bool>>
  where L.Output == Bool { .init(lhs: lhs, rhs: .init(value)) }
  public static func and<R: Node>(value: Bool, _ rhs: R) -> PredicateExpressions.Conjunction<Value<Bool>, R>
  where R.Output == Bool { .init(lhs: .init(value), rhs: rhs) }

  public static func or<L: Node, R: Node>(_ lhs: L, _ rhs: R) -> PredicateExpressions.Disjunction<L, R>
  where L.Output == Bool, R.Output == Bool { .init(lhs: lhs, rhs: rhs) }
  public static func or<L: Node>(_ lhs: L, value: Bool) -> PredicateExpressions.Disjunction<L, Value<Bool>>
  where L.Output == Bool { .init(lhs: lhs, rhs: .init(value)) }
  public static func or<R: Node>(value: Bool, _ rhs: R) -> PredicateExpressions.Disjunction<Value<Bool>, R>
  where R.Output == Bool { .init(lhs: .init(value), rhs: rhs) }

  public static func not<N: Node>(_ node: N) -> PredicateExpressions.Negation<N>
  where N.Output == Bool { .init(node) }
}
