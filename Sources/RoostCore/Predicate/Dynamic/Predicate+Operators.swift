public import Foundation

extension Foundation.Predicate {
  /// True for what both predicates accept.
  public static func && (lhs: Self, rhs: Self) -> Self { Self(all: [lhs, rhs]) }

  /// True for what at least one of the predicates accepts.
  public static func || (lhs: Self, rhs: Self) -> Self { Self(any: [lhs, rhs]) }

  /// True for what the predicate does not accept.
  public static prefix func ! (predicate: Self) -> Self {
    Self { (variable: repeat PredicateExpressions.Variable<each Input>) in
      PredicateExpressions.Negation(_AllOf([predicate], variable: (repeat each variable)))
    }
  }
}
