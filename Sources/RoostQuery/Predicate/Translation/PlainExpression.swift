internal import Foundation
import RoostCore
internal import RoostSQL

/// A node whose SQL is the same text for all values in it, each bound once, in the order in which they are written.
///
/// Nodes that are none, and values for which it is not so, are translated each time. That a text binds the values noted
/// here is checked when it is kept.
protocol PlainExpression: PredicateExpression {
  /// Notes what tells the node's SQL from that of others, and its values. False when it must be translated.
  func note(in shape: inout QueryShape) -> Bool
  /// The same of a node that is a condition.
  func noteCondition(in shape: inout QueryShape) -> Bool
}

extension PlainExpression {
  func noteCondition(in shape: inout QueryShape) -> Bool { note(in: &shape) }
}

/// A path from a predicate's model to one of its values.
protocol PlainPath: PlainExpression {}

/// A type of values that a column has as they are.
protocol PlainValue {
  /// nil when a query says it in another way.
  func note(in shape: inout QueryShape) -> Bool
}

extension QueryShape {
  /// Notes a whole condition; false when it must be translated.
  mutating func noteAll<Expression: PredicateExpression>(_ expression: Expression) -> Bool {
    // Each level has a value of its own, so that what is small is not deep: the runtime looks at each.
    guard MemoryLayout<Expression>.size <= 512, let plain = expression as? any PlainExpression else { return false }
    note(Expression.self)
    return plain.noteCondition(in: &self)
  }
}

// MARK: - Nodes

extension PredicateExpressions.Variable: PlainPath {
  func note(in shape: inout QueryShape) -> Bool { true }
}

extension PredicateExpressions.KeyPath: PlainExpression, PlainPath where Root: PlainPath {
  func note(in shape: inout QueryShape) -> Bool {
    shape.note(keyPath)
    return root.note(in: &shape)
  }

  /// `column = 1`.
  func noteCondition(in shape: inout QueryShape) -> Bool {
    shape.bind(.integer(1), isConstant: true)
    return note(in: &shape)
  }
}

extension PredicateExpressions.Value: PlainExpression where Output: PlainValue {
  func note(in shape: inout QueryShape) -> Bool { value.note(in: &shape) }
}

extension PredicateExpressions.NilLiteral: PlainExpression {
  func note(in shape: inout QueryShape) -> Bool { true }
}

extension PredicateExpressions.Equal: PlainExpression where LHS: PlainExpression, RHS: PlainExpression {
  func note(in shape: inout QueryShape) -> Bool { lhs.note(in: &shape) && rhs.note(in: &shape) }
}

extension PredicateExpressions.NotEqual: PlainExpression where LHS: PlainExpression, RHS: PlainExpression {
  func note(in shape: inout QueryShape) -> Bool { lhs.note(in: &shape) && rhs.note(in: &shape) }
}

extension PredicateExpressions.Comparison: PlainExpression where LHS: PlainExpression, RHS: PlainExpression {
  func note(in shape: inout QueryShape) -> Bool {
    let number =
      switch op {
      case .lessThan: 1
      case .lessThanOrEqual: 2
      case .greaterThan: 3
      case .greaterThanOrEqual: 4
      @unknown default: 0
      }
    shape.note(number)
    return number != 0 && lhs.note(in: &shape) && rhs.note(in: &shape)
  }
}

extension PredicateExpressions.Conjunction: PlainExpression where LHS: PlainExpression, RHS: PlainExpression {
  func note(in shape: inout QueryShape) -> Bool {
    lhs.noteCondition(in: &shape) && rhs.noteCondition(in: &shape)
  }
}

extension PredicateExpressions.Disjunction: PlainExpression where LHS: PlainExpression, RHS: PlainExpression {
  func note(in shape: inout QueryShape) -> Bool {
    lhs.noteCondition(in: &shape) && rhs.noteCondition(in: &shape)
  }
}

extension PredicateExpressions.Negation: PlainExpression where Wrapped: PlainPath {
  func note(in shape: inout QueryShape) -> Bool { wrapped.noteCondition(in: &shape) }
}

extension _OptionalPromotion: PlainExpression where Wrapped: PlainPath {
  func note(in shape: inout QueryShape) -> Bool { wrapped.note(in: &shape) }
}

// MARK: - Values

extension Int: PlainValue {
  func note(in shape: inout QueryShape) -> Bool {
    shape.bind(.integer(Int64(self)))
    return true
  }
}

extension Double: PlainValue {
  func note(in shape: inout QueryShape) -> Bool {
    shape.bind(.real(self))
    return isFinite
  }
}

extension Date: PlainValue {
  func note(in shape: inout QueryShape) -> Bool { timeIntervalSinceReferenceDate.note(in: &shape) }
}

extension String: PlainValue {
  func note(in shape: inout QueryShape) -> Bool {
    shape.bind(.text(self))
    return SwiftStrings.hasOneSpelling(self)
  }
}

/// Each of the two has a text of its own, as conditions of constants are decided when they are translated.
extension Bool: PlainValue {
  func note(in shape: inout QueryShape) -> Bool {
    shape.note(self ? 1 : 0)
    shape.bind(.integer(self ? 1 : 0), isConstant: true)
    return true
  }
}

extension Optional: PlainValue where Wrapped: PlainValue {
  func note(in shape: inout QueryShape) -> Bool {
    shape.note(self == nil ? 0 : 1)
    return self?.note(in: &shape) ?? true
  }
}
