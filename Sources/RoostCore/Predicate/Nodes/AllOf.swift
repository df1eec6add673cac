public import Foundation

/// `Predicate(all:)`: true when every one of the predicates is.
///
/// A list, not a chain of conjunctions, so that thousands of terms need no deep recursion.
@_documentation(visibility: private)
public struct _AllOf<each Input>: StandardPredicateExpression, _UnarchivableExpression {
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
    try predicates.allSatisfy { try $0.evaluate(repeat (each variable).evaluate(bindings)) }
  }
}

extension Foundation.Predicate {
  /// True for what every one of the predicates accepts; without predicates, for everything.
  public init(all predicates: some Sequence<Foundation.Predicate<repeat each Input>>) {
    // A conjunction of conjunctions is one, so that conditions added one by one stay flat.
    let terms = predicates.flatMap { predicate in
      (predicate.expression as? _AllOf<repeat each Input>)?.predicates ?? [predicate]
    }
    self.init { (variable: repeat PredicateExpressions.Variable<each Input>) in
      _AllOf(terms, variable: (repeat each variable))
    }
  }
}
