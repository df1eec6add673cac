public import Foundation

extension Foundation.Predicate {
  /// True for what both predicates accept.
  @_disfavoredOverload
  public static func && (lhs: Self, rhs: Self) -> Self { Self(all: [lhs, rhs]) }

  /// True for what at least one of the predicates accepts.
  @_disfavoredOverload
  public static func || (lhs: Self, rhs: Self) -> Self { Self(any: [lhs, rhs]) }

  /// True for what the predicate does not accept.
  @_disfavoredOverload
  public static prefix func ! (predicate: Self) -> Self {
    Self { (variable: repeat PredicateExpressions.Variable<each Input>) in
      PredicateExpressions.Negation(_AllOf([predicate], variable: (repeat each variable)))
    }
  }
}
