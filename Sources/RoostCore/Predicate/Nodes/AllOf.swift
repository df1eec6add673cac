public import Foundation

/// `Predicate(all:)`: true when every one of the predicates is.
///
/// A list, not a chain of conjunctions, so that thousands of terms need no deep recursion.
@_documentation(visibility: private)
public struct _AllOf<each Input>: StandardPredicateExpression, _UnarchivableExpression {
  public typealias Output = Bool
  public let predicates: [Foundation.Predicate<repeat each Input>]
  public let variable: (repeat PredicateExpressions.Variable<each Input>)

  let depth: Int

  public init(
    _ predicates: [Foundation.Predicate<repeat each Input>],
    variable: (repeat PredicateExpressions.Variable<each Input>)
  ) {
    let bounded = PredicateDepth.bounded(predicates, depth: 1 + PredicateDepth.greatest(predicates))
    self.predicates = bounded.predicates
    depth = bounded.depth
    self.variable = variable
  }

  init(
    _ predicates: [Foundation.Predicate<repeat each Input>], depth: Int,
    variable: (repeat PredicateExpressions.Variable<each Input>)
  ) {
    let bounded = PredicateDepth.bounded(predicates, depth: depth)
    self.predicates = bounded.predicates
    self.depth = bounded.depth
    self.variable = variable
  }

  public func evaluate(_ bindings: PredicateBindings) throws -> Bool {
    try predicates.allSatisfy { try $0.evaluate(bindings, repeat (each variable).evaluate(bindings)) }
  }
}

extension Foundation.Predicate {
  /// True for what every one of the predicates accepts; without predicates, for everything.
  public init(all predicates: some Sequence<Foundation.Predicate<repeat each Input>>) {
    // A conjunction of conjunctions is one, so that conditions added one by one stay flat.
    var terms: [Self] = []
    var depth = 1
    for predicate in predicates {
      let list = predicate.expression as? _AllOf<repeat each Input>
      terms += list?.predicates ?? [predicate]
      depth = max(depth, list?.depth ?? 1 + predicate.depth)
    }
    let (all, deepest) = (terms, depth)
    self.init { (variable: repeat PredicateExpressions.Variable<each Input>) in
      _AllOf(all, depth: deepest, variable: (repeat each variable))
    }
  }
}
