import Foundation

/// Whether two predicates have the same expression. Foundation's predicates do not say.
enum PredicateEquality {
  static func areEqual<each Input>(_ lhs: Predicate<repeat each Input>?, _ rhs: Predicate<repeat each Input>?) -> Bool {
    guard let lhs, let rhs else { return lhs == nil && rhs == nil }
    var comparison = Comparison()
    return comparison.areEqual(lhs.expression, rhs.expression)
  }

  private struct Comparison {
    /// Each predicate numbers its variables anew: which of the right one stands for which of the left.
    private var variables: [PredicateExpressions.VariableID: PredicateExpressions.VariableID] = [:]

    mutating func areEqual(_ lhs: Any, _ rhs: Any) -> Bool {
      if let left = lhs as? PredicateExpressions.VariableID {
        guard let right = rhs as? PredicateExpressions.VariableID else { return false }
        if let known = variables[left] { return known == right }
        guard !variables.values.contains(right) else { return false }
        variables[left] = right
        return true
      }
      guard type(of: lhs) == type(of: rhs) else { return false }
      if let left = lhs as? any Equatable { return isEqual(left, rhs) }
      return hasEqualParts(lhs, rhs)
    }

    private func isEqual<Value: Equatable>(_ lhs: Value, _ rhs: Any) -> Bool { lhs == rhs as? Value }

    private var depth = 0

    private mutating func hasEqualParts(_ lhs: Any, _ rhs: Any) -> Bool {
      depth += 1
      defer { depth -= 1 }
      // Mirrors are deeper than nodes are: a list, its elements, their variables.
      guard PredicateDepth.hasRoom(at: depth) else { return false }
      let left = Mirror(reflecting: lhs)
      let right = Mirror(reflecting: rhs)
      switch left.displayStyle {
      case .class, .foreignReference:
        return (lhs as AnyObject) === (rhs as AnyObject)
      case .struct, .tuple, .optional, .collection, .enum:
        guard left.children.count == right.children.count else { return false }
        // An enum's case is told by its child's label alone, so one without a child cannot be compared.
        if left.displayStyle == .enum, left.children.isEmpty { return false }
        for (one, other) in zip(left.children, right.children) {
          guard one.label == other.label, areEqual(one.value, other.value) else { return false }
        }
        return true
      default:
        return false
      }
    }
  }
}
