import Foundation
import Roost

/// Nodes that are conditions.
extension PredicateGenerator {
  func equality<Value: Asked>(_ type: Value.Type, _ subject: Node<Subject>, _ depth: Int) -> Node<Bool> {
    equal(scalar(type, subject, depth - 1), scalar(type, subject, depth - 1))
  }

  func optionalEquality<Value: Asked>(_ type: Value.Type, _ subject: Node<Subject>, _ depth: Int) -> Node<Bool> {
    equal(optional(type, subject, depth - 1), optional(type, subject, depth - 1))
  }

  func order<Value: Asked & Comparable>(_ type: Value.Type, _ subject: Node<Subject>, _ depth: Int) -> Node<Bool> {
    compare(scalar(type, subject, depth - 1), scalar(type, subject, depth - 1))
  }

  func membership<Value: Asked>(_ type: Value.Type, _ subject: Node<Subject>, _ depth: Int) -> Node<Bool> {
    let count = random.once(in: 20) ? 600 : random.below(5)
    if random.once(in: 3) {
      let elements = (0..<count).map { _ in Value?.sample(&random) }
      return element(optional(type, subject, depth - 1), isIn: elements)
    }
    return element(scalar(type, subject, depth - 1), isIn: (0..<count).map { _ in Value.sample(&random) })
  }

  private func element<Value: Codable & Equatable & Sendable>(
    _ node: some StandardPredicateExpression<Value>, isIn elements: [Value]
  ) -> Node<Bool> {
    PredicateExpressions.SequenceContains(sequence: PredicateExpressions.Value(elements), element: node)
  }

  func range<Value: Asked & Comparable>(_ type: Value.Type, _ subject: Node<Subject>, _ depth: Int) -> Node<Bool> {
    let bounds = [Value.sample(&random), Value.sample(&random)].sorted()
    let element = scalar(type, subject, depth - 1)
    switch random.below(4) {
    case 0: return within(PredicateExpressions.Value(bounds[0]...bounds[1]), element)
    case 1: return within(PredicateExpressions.Value(bounds[0]..<bounds[1]), element)
    case 2: return within(PredicateExpressions.Value(bounds[0]...), element)
    default: return closed(bounds[0], bounds[1], element)
    }
  }

  private func within<R: RangeExpression>(
    _ range: some StandardPredicateExpression<R>, _ element: some StandardPredicateExpression<R.Bound>
  ) -> Node<Bool> { PredicateExpressions.RangeExpressionContains(range: range, element: element) }

  private func closed<Value: Asked & Comparable>(
    _ lower: Value, _ upper: Value, _ element: some StandardPredicateExpression<Value>
  ) -> Node<Bool> {
    let range = PredicateExpressions.ClosedRange(
      lower: PredicateExpressions.Value(lower), upper: PredicateExpressions.Value(upper))
    return PredicateExpressions.RangeExpressionContains(range: range, element: element)
  }

  func strings(_ subject: Node<Subject>, _ depth: Int) -> Node<Bool> {
    test(scalar(String.self, subject, depth - 1), scalar(String.self, subject, depth - 1))
  }

  private func test(
    _ left: some StandardPredicateExpression<String>, _ right: some StandardPredicateExpression<String>
  ) -> Node<Bool> {
    switch random.below(9) {
    case 0, 1: PredicateExpressions.CollectionContainsCollection(base: left, other: right)
    case 2: PredicateExpressions.SequenceStartsWith(base: left, prefix: right)
    case 3: _HasPrefix(base: left, other: right)
    case 4: _HasSuffix(base: left, other: right)
    case 5: _LocalizedStandardContains(base: left, other: right)
    case 6: PredicateExpressions.KeyPath(root: left, keyPath: \String.isEmpty)
    case 7: equal(_CaseInsensitiveCompare(base: left, other: right), comparisonResult())
    default:
      equal(
        _StringConcatenation(lhs: left, rhs: right),
        PredicateExpressions.Value(String.sample(&random) + String.sample(&random)))
    }
  }

  private func comparisonResult() -> PredicateExpressions.Value<ComparisonResult> {
    .init(random.pick([.orderedSame, .orderedSame, .orderedAscending, .orderedDescending]))
  }
}
