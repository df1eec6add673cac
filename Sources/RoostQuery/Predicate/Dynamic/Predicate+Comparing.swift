public import Foundation

/// How two values compare, chosen while the program runs.
///
/// Its raw value is how Swift spells it: `PredicateOperator(rawValue: "<=")`.
public enum PredicateOperator: String, CaseIterable, Codable, Sendable {
  /// Both are equal.
  case equal = "=="
  /// They differ.
  case notEqual = "!="
  /// The first comes before the second.
  case lessThan = "<"
  /// The first comes before the second, or is equal to it.
  case lessThanOrEqual = "<="
  /// The first comes after the second.
  case greaterThan = ">"
  /// The first comes after the second, or is equal to it.
  case greaterThanOrEqual = ">="
}

extension Foundation.Predicate {
  /// A predicate that compares a property with an operator chosen while the program runs.
  ///
  /// The property may be a related model's: `\.folder?.name`.
  ///
  /// ```swift
  /// let cheap = Predicate<Note>.comparing(\.price, .lessThan, 10)
  /// ```
  /// For a predicate about one model, and for values that have the order asked for: others throw when the predicate is
  /// evaluated or fetched with. A `let` that holds the key path is an `any KeyPath<Note, Double> & Sendable`.
  public static func comparing<Value: Equatable & Codable & Sendable>(
    _ keyPath: any KeyPath<(repeat each Input), Value> & Sendable, _ operator: PredicateOperator, _ value: Value
  ) -> Self {
    about(keyPath) { DynamicComparison.required($0, `operator`, value) }
  }

  /// A predicate that compares an optional property. Only nil is equal to nil, which is neither less nor greater.
  public static func comparing<Value: Equatable & Codable & Sendable>(
    _ keyPath: any KeyPath<(repeat each Input), Value?> & Sendable, _ operator: PredicateOperator, _ value: Value?
  ) -> Self {
    about(keyPath) { DynamicComparison.optional($0, `operator`, value) }
  }

  private static func about<Value>(
    _ keyPath: any KeyPath<(repeat each Input), Value> & Sendable,
    _ build: (any StandardPredicateExpression<Value>) -> any StandardPredicateExpression<Bool>
  ) -> Self {
    Self { (variable: repeat PredicateExpressions.Variable<each Input>) in
      var variables: [Any] = []
      for variable in repeat each variable { variables.append(variable) }
      // A tuple of one is its element.
      guard variables.count == 1, let only = variables[0] as? PredicateExpressions.Variable<(repeat each Input)> else {
        return _UnsupportedExpression("A comparison with a key path is about one model, and not \(variables.count).")
      }
      return build(only.followed(by: keyPath))
    }
  }
}

private enum DynamicComparison {
  typealias Node = StandardPredicateExpression
  typealias Constant = PredicateExpressions.Value

  static func required<Value: Equatable & Codable & Sendable>(
    _ node: some Node<Value>, _ operator: PredicateOperator, _ value: Value
  ) -> any Node<Bool> {
    switch `operator` {
    case .equal: return PredicateExpressions.Equal(lhs: node, rhs: Constant(value))
    case .notEqual: return PredicateExpressions.NotEqual(lhs: node, rhs: Constant(value))
    default: break
    }
    func open<Ordered: Comparable & Codable>(_ value: Ordered) -> (any Node<Bool>)? {
      guard let order = `operator`.order, let node = node as? any Node<Ordered> else { return nil }
      return ordered(node, order, value)
    }
    return (value as? any Comparable & Codable).flatMap { open($0) }
      ?? _UnsupportedExpression("`\(Value.self)` has no order: compare it with .equal or .notEqual.")
  }

  static func optional<Value: Equatable & Codable & Sendable>(
    _ node: some Node<Value?>, _ operator: PredicateOperator, _ value: Value?
  ) -> any Node<Bool> {
    switch `operator` {
    case .equal: return PredicateExpressions.Equal(lhs: node, rhs: Constant(value))
    case .notEqual: return PredicateExpressions.NotEqual(lhs: node, rhs: Constant(value))
    default: break
    }
    guard let value else { return Constant(false) }
    func open<Ordered: Comparable & Codable>(_ value: Ordered) -> (any Node<Bool>)? {
      guard let order = `operator`.order, let node = node as? any Node<Ordered?> else { return nil }
      return orderedOptional(node, order, value)
    }
    return (value as? any Comparable & Codable).flatMap { open($0) }
      ?? _UnsupportedExpression("`\(Value.self)` has no order: compare it with .equal or .notEqual.")
  }

  private static func ordered<Value: Comparable & Codable>(
    _ node: some Node<Value>, _ operator: PredicateExpressions.ComparisonOperator, _ value: Value
  ) -> any Node<Bool> { PredicateExpressions.Comparison(lhs: node, rhs: Constant(value), op: `operator`) }

  private static func orderedOptional<Value: Comparable & Codable>(
    _ node: some Node<Value?>, _ operator: PredicateExpressions.ComparisonOperator, _ value: Value
  ) -> any Node<Bool> {
    let comparison = _PredicateBuilder.flatMap(node) {
      _PredicateBuilder.some(PredicateExpressions.Comparison(lhs: $0, rhs: Constant(value), op: `operator`))
    }
    return PredicateExpressions.NilCoalesce(lhs: comparison, rhs: Constant(false))
  }
}

extension PredicateOperator {
  fileprivate var order: PredicateExpressions.ComparisonOperator? {
    switch self {
    case .lessThan: .lessThan
    case .lessThanOrEqual: .lessThanOrEqual
    case .greaterThan: .greaterThan
    case .greaterThanOrEqual: .greaterThanOrEqual
    case .equal, .notEqual: nil
    }
  }
}
