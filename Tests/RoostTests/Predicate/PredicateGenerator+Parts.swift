import Foundation
import Roost

/// Nodes about parts of arrays.
extension PredicateGenerator {
  func sampleWords(_ bound: Int) -> PredicateExpressions.Value<[String]> {
    .init((0..<random.below(bound + 1)).map { _ in String.sample(&random) })
  }

  func sampleDigits(_ bound: Int) -> PredicateExpressions.Value<[Int]> {
    .init((0..<random.below(bound + 1)).map { _ in Int.sample(&random) })
  }

  func startsWith<Element: Equatable>(
    _ elements: some StandardPredicateExpression<[Element]>, _ part: some StandardPredicateExpression<[Element]>
  ) -> Node<Bool> { PredicateExpressions.SequenceStartsWith(base: elements, prefix: part) }

  func hasPart<Element: Equatable>(
    _ elements: some StandardPredicateExpression<[Element]>, _ part: some StandardPredicateExpression<[Element]>
  ) -> Node<Bool> { PredicateExpressions.CollectionContainsCollection(base: elements, other: part) }

  func isAmong(_ set: Set<String>, _ element: some StandardPredicateExpression<String>) -> Node<Bool> {
    PredicateExpressions.SequenceContains(sequence: PredicateExpressions.Value(set), element: element)
  }

  /// A question about some of the elements.
  func sliced<Element>(
    _ elements: some StandardPredicateExpression<[Element]>, where body: (Node<Element>) -> Node<Bool>
  ) -> Node<Bool> {
    let lower = random.below(3)
    let slice = PredicateExpressions.CollectionRangeSubscript(
      wrapped: elements, range: PredicateExpressions.Value(lower..<(lower + random.below(3))))
    if random.once(in: 3) { return property(slice, \ArraySlice<Element>.isEmpty) }
    if random.once(in: 3) {
      return compare(property(slice, \ArraySlice<Element>.count), PredicateExpressions.Value(random.below(3)))
    }
    return contains(slice, where: body)
  }

  /// The greatest or least of some of an array's elements.
  func extreme(_ subject: Node<Subject>) -> Node<Int> {
    let digits: Node<[Int]> = property(subject, \Subject.digits)
    let some = safely { filter(digits) { self.compare($0, self.scalar(Int.self, subject, 0)) } }
    return coalesce(greatest(some), PredicateExpressions.Value(0))
  }
}
