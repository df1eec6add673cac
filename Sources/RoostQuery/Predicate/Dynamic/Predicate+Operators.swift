public import Foundation

/// What `&&`, `||` and `!` combine besides Booleans: predicates, and the conditions of groups.
///
/// One protocol, as the compiler tries every overload of `&&` in every clause of a long predicate (`make
/// compile-time`); disfavoured for the same reason.
@_documentation(visibility: private)
public protocol _Condition {
  static func _all(_ conditions: [Self]) -> Self
  static func _any(_ conditions: [Self]) -> Self
  static func _not(_ condition: Self) -> Self
}

extension _Condition {
  /// True for what both conditions accept.
  @_disfavoredOverload
  public static func && (lhs: Self, rhs: Self) -> Self { _all([lhs, rhs]) }

  /// True for what at least one of the conditions accepts.
  @_disfavoredOverload
  public static func || (lhs: Self, rhs: Self) -> Self { _any([lhs, rhs]) }

  /// True for what the condition does not accept.
  @_disfavoredOverload
  public static prefix func ! (condition: Self) -> Self { _not(condition) }
}

extension Foundation.Predicate: _Condition {
  @_documentation(visibility: private)
  public static func _all(_ predicates: [Self]) -> Self { Self(all: predicates) }

  @_documentation(visibility: private)
  public static func _any(_ predicates: [Self]) -> Self { Self(any: predicates) }

  @_documentation(visibility: private)
  public static func _not(_ predicate: Self) -> Self {
    Self { (variable: repeat PredicateExpressions.Variable<each Input>) in
      PredicateExpressions.Negation(_AllOf([predicate], variable: (repeat each variable)))
    }
  }
}
