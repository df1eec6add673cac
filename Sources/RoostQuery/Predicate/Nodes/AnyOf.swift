public import Foundation

/// `Predicate(any:)`: true when at least one of the predicates is.
///
/// A list, not a chain of operators, so that thousands of terms need no deep recursion.
@_documentation(visibility: private)
public struct _AnyOf<each Input>: StandardPredicateExpression, _UnarchivableExpression {
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
    try predicates.contains { try $0.evaluate(bindings, repeat (each variable).evaluate(bindings)) }
  }
}

extension Foundation.Predicate {
  /// True for what at least one of the predicates accepts; without predicates, for nothing.
  public init(any predicates: some Sequence<Foundation.Predicate<repeat each Input>>) {
    let (terms, depth) = PredicateDepth.flattened(predicates) { predicate in
      (predicate.expression as? _AnyOf<repeat each Input>).map { ($0.predicates, $0.depth) }
    }
    self.init { (variable: repeat PredicateExpressions.Variable<each Input>) in
      _AnyOf(terms, depth: depth, variable: (repeat each variable))
    }
  }
}
