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
    switch random.below(8) {
    case 4: return within(PredicateExpressions.Value(...bounds[1]), element)
    case 5: return within(PredicateExpressions.Value(..<bounds[1]), element)
    case 6: return open(PredicateExpressions.Value(bounds[0]), PredicateExpressions.Value(bounds[1]), element)
    case 7:
      // Foundation traps on bounds that are the wrong way round.
      let bound = scalar(type, subject, 0)
      return closed(bound, bound, element)
    case 0: return within(PredicateExpressions.Value(bounds[0]...bounds[1]), element)
    case 1: return within(PredicateExpressions.Value(bounds[0]..<bounds[1]), element)
    case 2: return within(PredicateExpressions.Value(bounds[0]...), element)
    default: return closed(PredicateExpressions.Value(bounds[0]), PredicateExpressions.Value(bounds[1]), element)
    }
  }

  private func within<R: RangeExpression>(
    _ range: some StandardPredicateExpression<R>, _ element: some StandardPredicateExpression<R.Bound>
  ) -> Node<Bool> { PredicateExpressions.RangeExpressionContains(range: range, element: element) }

  private func closed<Value: Asked & Comparable>(
    _ lower: some StandardPredicateExpression<Value>, _ upper: some StandardPredicateExpression<Value>,
    _ element: some StandardPredicateExpression<Value>
  ) -> Node<Bool> {
    let range = PredicateExpressions.ClosedRange(lower: lower, upper: upper)
    return PredicateExpressions.RangeExpressionContains(range: range, element: element)
  }

  private func open<Value: Asked & Comparable>(
    _ lower: some StandardPredicateExpression<Value>, _ upper: some StandardPredicateExpression<Value>,
    _ element: some StandardPredicateExpression<Value>
  ) -> Node<Bool> {
    let range = PredicateExpressions.Range(lower: lower, upper: upper)
    return PredicateExpressions.RangeExpressionContains(range: range, element: element)
  }

  func strings(_ subject: Node<Subject>, _ depth: Int) -> Node<Bool> {
    test(scalar(String.self, subject, depth - 1), scalar(String.self, subject, depth - 1))
  }

  private func test(
    _ left: some StandardPredicateExpression<String>, _ right: some StandardPredicateExpression<String>
  ) -> Node<Bool> {
    switch random.below(12) {
    case 9: PredicateExpressions.StringContainsRegex(subject: left, regex: _RegexConstant(random.pick(regexes)))
    case 10: equal(_LocalizedCompare(base: left, other: right), comparisonResult())
    case 11: equal(left, right)
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

  /// Some with options, classes and marks that mean something only beyond ASCII.
  private var regexes: [Regex<Substring>] {
    [/a/, /^a/, /b$/, /[a-z]+/, /(?i)K/, /./, /e./, /é/, /\w\W/, /\r\n|\n/, /^$/, /\p{L}{2}/, /(?s)a.b/]
  }

  /// The operators that put predicates together.
  func combined(_ subject: Node<Subject>, _ depth: Int) -> Node<Bool> {
    let one = predicate(depth: min(depth - 1, 1))
    let other = predicate(depth: min(depth - 1, 1))
    return evaluate(random.pick([one && other, one || other, !one]), of: subject)
  }

  /// A comparison whose operator is chosen while the program runs.
  func dynamic<Value: Asked>(_ type: Value.Type, _ subject: Node<Subject>, orderedOnly: Bool) -> Node<Bool> {
    let operators = orderedOnly ? PredicateOperator.allCases : [.equal, .notEqual]
    let chosen = random.pick(operators)
    if !Value.maybeProperties.isEmpty, random.once(in: 2) {
      let path = random.pick(Value.maybeProperties)
      return evaluate(Predicate<Subject>.comparing(path, chosen, Value?.sample(&random)), of: subject)
    }
    return evaluate(Predicate<Subject>.comparing(random.pick(Value.properties), chosen, .sample(&random)), of: subject)
  }

  private func evaluate(_ predicate: Predicate<Subject>, of subject: Node<Subject>) -> Node<Bool> {
    func open(_ subject: some StandardPredicateExpression<Subject>) -> Node<Bool> {
      _PredicateBuilder.evaluate(value: predicate, subject)
    }
    return open(subject)
  }
}
