public import Foundation

/// `Predicate(all:)`: true when every one of the predicates is.
///
/// A list, not a chain of operators, so that thousands of terms need no deep recursion.
@_documentation(visibility: private)
public struct _AllOf<each Input>: StandardPredicateExpression, _UnarchivableExpression {
  public typealias Output = Bool
  public let predicates: [Foundation.Predicate<repeat each Input>]
  public let variable: (repeat PredicateExpressions.Variable<each Input>)

  let depth: Int

  /// `depth`: how deep the predicates are, if that is known.
  init(
    _ predicates: [Foundation.Predicate<repeat each Input>], depth: Int? = nil,
    variable: (repeat PredicateExpressions.Variable<each Input>)
  ) {
    let bounded = PredicateDepth.bounded(predicates, depth: depth ?? 1 + PredicateDepth.greatest(predicates))
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
    let (terms, depth) = PredicateDepth.flattened(predicates) { predicate in
      (predicate.expression as? _AllOf<repeat each Input>).map { ($0.predicates, $0.depth) }
    }
    self.init { (variable: repeat PredicateExpressions.Variable<each Input>) in
      _AllOf(terms, depth: depth, variable: (repeat each variable))
    }
  }
}
