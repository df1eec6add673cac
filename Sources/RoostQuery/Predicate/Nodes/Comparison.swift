public import Foundation

extension _PredicateBuilder {
  public typealias Comparison = PredicateExpressions.Comparison

  public static func compare<L: Node, R: Node>(
    _ lhs: L, _ rhs: R, _ op: PredicateExpressions.ComparisonOperator
  ) -> Comparison<L, R> where L.Output == R.Output, L.Output: Comparable {
    .init(lhs: lhs, rhs: rhs, op: op)
  }

  public static func compare<L: Node>(
    _ lhs: L, value: L.Output, _ op: PredicateExpressions.ComparisonOperator
  ) -> Comparison<L, Value<L.Output>> where L.Output: Comparable {
    .init(lhs: lhs, rhs: .init(value), op: op)
  }

  public static func compare<R: Node>(
    value: R.Output, _ rhs: R, _ op: PredicateExpressions.ComparisonOperator
  ) -> Comparison<Value<R.Output>, R> where R.Output: Comparable {
    .init(lhs: .init(value), rhs: rhs, op: op)
  }
}
