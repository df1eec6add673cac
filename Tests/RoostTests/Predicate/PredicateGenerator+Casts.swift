import Foundation
import Roost

/// Nodes that cast, and that evaluate captured expressions and dictionaries.
extension PredicateGenerator {
  func casted<Value, Other>(_ node: some StandardPredicateExpression<Value>, to type: Other.Type) -> Node<Other?> {
    PredicateExpressions.ConditionalCast(node)
  }

  func forced<Value, Other>(_ node: some StandardPredicateExpression<Value>, to type: Other.Type) -> Node<Other> {
    PredicateExpressions.ForceCast(node)
  }

  /// `$0 is Owner`, of what is one, perhaps.
  func kindCheck(_ subject: Node<Subject>) -> Node<Bool> {
    let owner: Node<Owner?> = property(subject, \Subject.owner)
    func open<Value>(_ node: some StandardPredicateExpression<Value>) -> Node<Bool> {
      random.once(in: 2)
        ? PredicateExpressions.TypeCheck<_, Owner>(node) : PredicateExpressions.TypeCheck<_, Subject>(node)
    }
    if random.once(in: 4) { return open(subject) }
    if random.once(in: 2) { return open(owner) }
    let cast = casted(owner, to: Owner.self)
    return equal(flatMap(cast) { self.promotion(self.property($0, \Owner.rank)) }, PredicateExpressions.Value(Int?(0)))
  }

  /// A captured expression, of one variable or of two.
  func evaluatedExpression(_ subject: some StandardPredicateExpression<Subject>, _ depth: Int) -> Node<Int> {
    if random.once(in: 2) {
      let expression = Expression<Subject, Int> { self.scalar(Int.self, $0, min(depth - 1, 1)) }
      return _PredicateBuilder.evaluate(value: expression, subject)
    }
    let least = Expression<Int, Int, Int> {
      PredicateExpressions.Conditional(
        test: PredicateExpressions.Comparison(lhs: $0, rhs: $1, op: .lessThan), trueBranch: $0, falseBranch: $1)
    }
    let small: Node<Int> = property(subject, \Subject.small)
    return applied(least, small, scalar(Int.self, subject, depth - 1))
  }

  private func applied(
    _ expression: Expression<Int, Int, Int>, _ first: some StandardPredicateExpression<Int>,
    _ second: some StandardPredicateExpression<Int>
  ) -> Node<Int> {
    _PredicateBuilder.evaluate(value: expression, first, second)
  }

  /// A captured dictionary looked into by what the model has.
  func found<Value: Asked>(_ key: Node<String?>, _ type: Value.Type) -> Node<Value?> {
    let keys = (0..<3).map { _ in String.sample(&random) }
    let dictionary = Dictionary(keys.map { ($0, Value.sample(&random)) }) { $1 }
    return flatMap(key) { self.entry(PredicateExpressions.Value(dictionary), $0) }
  }

  private func entry<Value: Asked>(
    _ dictionary: PredicateExpressions.Value<[String: Value]>, _ key: some StandardPredicateExpression<String>
  ) -> Node<Value?> { PredicateExpressions.DictionaryKeySubscript(wrapped: dictionary, key: key) }
}
