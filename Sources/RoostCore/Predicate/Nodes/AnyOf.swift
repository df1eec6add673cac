public import Foundation

/// `Predicate(any:)`: true when at least one of the predicates is.
///
/// A list, not a chain of disjunctions, so that thousands of terms need no deep recursion.
@_documentation(visibility: private)
public struct _AnyOf<each Input>: StandardPredicateExpression, _UnarchivableExpression {
  public typealias Output = Bool
  public let predicates: [Foundation.Predicate<repeat each Input>]
  public let variable: (repeat PredicateExpressions.Variable<each Input>)

  public init(
    _ predicates: [Foundation.Predicate<repeat each Input>],
    variable: (repeat PredicateExpressions.Variable<each Input>)
  ) {
    self.predicates = predicates
    self.variable = variable
  }

  public func evaluate(_ bindings: PredicateBindings) throws -> Bool {
    try predicates.contains { try $0.evaluate(repeat (each variable).evaluate(bindings)) }
  }
}

extension Foundation.Predicate {
  /// True for what at least one of the predicates accepts; without predicates, for nothing.
  public init(any predicates: some Sequence<Foundation.Predicate<repeat each Input>>) {
    // A disjunction of disjunctions is one, so that conditions added one by one stay flat.
    let terms = predicates.flatMap { predicate in
      (predicate.expression as? _AnyOf<repeat each Input>)?.predicates ?? [predicate]
    }
    self.init { (variable: repeat PredicateExpressions.Variable<each Input>) in
      _AnyOf(terms, variable: (repeat each variable))
    }
  }
}
