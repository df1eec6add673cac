internal import Foundation

/// A node that was decoded: the nodes around it know no more of it than what it results in.
struct _AnyExpression<Output>: StandardPredicateExpression, _UnarchivableExpression {
  let node: any StandardPredicateExpression<Output>

  init(_ node: any StandardPredicateExpression<Output>) { self.node = node }

  func evaluate(_ bindings: PredicateBindings) throws -> Output { try node.evaluate(bindings) }
}

/// `_AnyExpression` of any type.
protocol AnyExpression {
  var wrapped: any PredicateExpression { get }
}

extension _AnyExpression: AnyExpression {
  var wrapped: any PredicateExpression { node }
}

extension _AnyExpression: TranslatableExpression {
  func term(_ translator: Translator) throws -> Term { try translator.term(node) }
  func source(_ translator: Translator) -> String { translator.source(node) }
}
