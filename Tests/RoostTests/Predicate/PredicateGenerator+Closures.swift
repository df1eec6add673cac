import Foundation
import Roost

/// Nodes with a closure.
///
/// The closure's variable is made by the node, but the type of its body must be known before. So the body is made
/// twice, from the same random numbers: once for its type, and once for real.
extension PredicateGenerator {
  /// `node.flatMap { … }`, whose closure's result is optional.
  func flatMap<Wrapped, Output>(
    _ node: Node<Wrapped?>, _ body: (Node<Wrapped>) -> Node<Output?>
  ) -> Node<Output?> {
    func open<N: StandardPredicateExpression<Wrapped?>, R: StandardPredicateExpression<Output?>>(
      _ node: N, _ type: R
    ) -> Node<Output?> {
      PredicateExpressions.OptionalFlatMap<N, Wrapped, R, Output>(node) { variable in
        again { body(variable) as! R }
      }
    }
    let sample: Node<Output?> = rehearse { body(PredicateExpressions.Variable<Wrapped>()) }
    return open(node, sample)
  }

  func contains<Elements: Sequence>(
    _ node: Node<Elements>, where body: (Node<Elements.Element>) -> Node<Bool>
  ) -> Node<Bool> {
    let isForAll = random.once(in: 2)
    func open<N: StandardPredicateExpression<Elements>, R: StandardPredicateExpression<Bool>>(
      _ node: N, _ type: R
    ) -> Node<Bool> {
      if isForAll {
        return PredicateExpressions.SequenceAllSatisfy<N, R>(node) { variable in again { body(variable) as! R } }
      }
      return PredicateExpressions.SequenceContainsWhere<N, R>(node) { variable in again { body(variable) as! R } }
    }
    let sample: Node<Bool> = rehearse { body(PredicateExpressions.Variable<Elements.Element>()) }
    return open(node, sample)
  }

  func filter<Element>(_ node: Node<[Element]>, where body: (Node<Element>) -> Node<Bool>) -> Node<[Element]> {
    func open<N: StandardPredicateExpression<[Element]>, R: StandardPredicateExpression<Bool>>(
      _ node: N, _ type: R
    ) -> Node<[Element]> {
      PredicateExpressions.Filter<N, R>(node) { variable in again { body(variable) as! R } }
    }
    let sample: Node<Bool> = rehearse { body(PredicateExpressions.Variable<Element>()) }
    return open(node, sample)
  }

  private func rehearse<Result>(_ body: () -> Result) -> Result {
    starts.append(random)
    return body()
  }

  private func again<Result>(_ body: () -> Result) -> Result {
    guard let start = starts.popLast() else { preconditionFailure("nothing was rehearsed") }
    random = start
    return body()
  }
}
