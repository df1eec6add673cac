import Foundation
import Roost

/// Makes random predicates about `Subject` from nodes, each of which is valid Swift.
final class PredicateGenerator {
  var random: SeededRandom
  /// For constants that are models.
  let rows: SubjectRows
  /// Whether evaluation may throw. Inside closures over relationships it must not: there the order of elements counts.
  var mayFail = true
  /// Where the bodies of closures being made began.
  var starts: [SeededRandom] = []

  init(_ random: SeededRandom, _ rows: SubjectRows) {
    self.random = random
    self.rows = rows
  }

  func predicate(depth: Int) -> Predicate<Subject> {
    Predicate<Subject>({ self.condition($0, depth) })
  }

  /// A random node that is a `Bool`.
  func condition(_ subject: Node<Subject>, _ depth: Int) -> Node<Bool> {
    guard depth > 0 else { return leaf(subject) }
    let asked = random.pick(askedTypes)
    let ordered = random.pick(orderedTypes)
    switch random.below(22) {
    case 20: return aboutComputed(subject, depth)
    case 21: return identity(subject)
    case 16: return combined(subject, depth)
    case 17: return dynamic(asked, subject, orderedOnly: false)
    case 18: return dynamic(ordered, subject, orderedOnly: true)
    case 19: return kindCheck(subject)
    case 0, 1: return conjunction(condition(subject, depth - 1), condition(subject, depth - 1))
    case 2, 3: return disjunction(condition(subject, depth - 1), condition(subject, depth - 1))
    case 4: return negation(condition(subject, depth - 1))
    case 5:
      return conditional(
        condition(subject, depth - 1), condition(subject, depth - 1), condition(subject, depth - 1))
    case 6, 7: return equality(asked, subject, depth)
    case 8: return optionalEquality(asked, subject, depth)
    case 9, 10: return order(ordered, subject, depth)
    case 11: return membership(asked, subject, depth)
    case 12: return range(ordered, subject, depth)
    case 13: return strings(subject, depth)
    case 14: return relationship(subject, depth)
    default: return collection(subject, depth)
    }
  }

  func leaf(_ subject: Node<Subject>) -> Node<Bool> {
    let asked = random.pick(askedTypes)
    let ordered = random.pick(orderedTypes)
    switch random.below(6) {
    case 0: return property(subject, \.flag)
    case 1: return PredicateExpressions.Value(random.once(in: 2))
    case 2: return strings(subject, 0)
    case 3: return order(ordered, subject, 0)
    default: return equality(asked, subject, 0)
    }
  }

  // The functions below open existentials: each has one node of a known type to build.

  func property<Root, Value>(_ root: Node<Root>, _ keyPath: any KeyPath<Root, Value> & Sendable) -> Node<Value> {
    func open<R: StandardPredicateExpression<Root>>(_ root: R) -> Node<Value> {
      PredicateExpressions.KeyPath(root: root, keyPath: keyPath)
    }
    return open(root)
  }

  func conjunction(
    _ left: some StandardPredicateExpression<Bool>, _ right: some StandardPredicateExpression<Bool>
  ) -> Node<Bool> { PredicateExpressions.Conjunction(lhs: left, rhs: right) }

  func disjunction(
    _ left: some StandardPredicateExpression<Bool>, _ right: some StandardPredicateExpression<Bool>
  ) -> Node<Bool> { PredicateExpressions.Disjunction(lhs: left, rhs: right) }

  func negation(_ node: some StandardPredicateExpression<Bool>) -> Node<Bool> { PredicateExpressions.Negation(node) }

  func conditional<Output>(
    _ test: some StandardPredicateExpression<Bool>, _ yes: some StandardPredicateExpression<Output>,
    _ no: some StandardPredicateExpression<Output>
  ) -> Node<Output> { PredicateExpressions.Conditional(test: test, trueBranch: yes, falseBranch: no) }

  func equal<Output: Equatable>(
    _ left: some StandardPredicateExpression<Output>, _ right: some StandardPredicateExpression<Output>
  ) -> Node<Bool> {
    random.once(in: 2)
      ? PredicateExpressions.Equal(lhs: left, rhs: right) : PredicateExpressions.NotEqual(lhs: left, rhs: right)
  }

  func compare<Output: Comparable>(
    _ left: some StandardPredicateExpression<Output>, _ right: some StandardPredicateExpression<Output>
  ) -> Node<Bool> {
    let operators: [PredicateExpressions.ComparisonOperator] = [
      .lessThan, .lessThanOrEqual, .greaterThan, .greaterThanOrEqual,
    ]
    return PredicateExpressions.Comparison(lhs: left, rhs: right, op: random.pick(operators))
  }

  func promotion<Output>(_ node: some StandardPredicateExpression<Output>) -> Node<Output?> { _OptionalPromotion(node) }

  func coalesce<Output>(
    _ left: some StandardPredicateExpression<Output?>, _ right: some StandardPredicateExpression<Output>
  ) -> Node<Output> { PredicateExpressions.NilCoalesce(lhs: left, rhs: right) }

  func coalesceOptionals<Output>(
    _ left: some StandardPredicateExpression<Output?>, _ right: some StandardPredicateExpression<Output?>
  ) -> Node<Output?> { _OptionalCoalesce(lhs: left, rhs: right) }

  func unwrapped<Output>(_ node: some StandardPredicateExpression<Output?>) -> Node<Output> {
    PredicateExpressions.ForcedUnwrap(node)
  }
}
