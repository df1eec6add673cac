internal import Foundation
import RoostCore
internal import RoostSQL

extension Translator {
  /// `left < right` and the like.
  func compare(
    _ left: Term, _ operator: SQLBinaryOperator, _ right: Term, _ node: some PredicateExpression
  ) throws -> SQLExpression {
    switch (left, right) {
    case (.constant(let value), .constant(let other)):
      guard let result = compare(value, `operator`, other) else {
        throw unsupported(node, "The constants cannot be compared.")
      }
      return .condition(result)
    case (.value(let value), .value(let other)): return try compare(value, `operator`, other, node)
    case (.value(let value), .constant(let constant)):
      if let list = try casesInOrder(value, `operator`, constant) { return list }
      return try compare(value, `operator`, lift(constant, as: value.meaning, node), node)
    case (.constant, .value): return try compare(right, `operator`.mirrored, left, node)
    case (.row, _), (_, .row): throw unsupported(node, "Compare a property of the model.")
    default: throw unsupported(node, "Compare single values.")
    }
  }

  /// The comparison of Swift values whose type is not known; nil if they have no order.
  private func compare(_ left: Any, _ operator: SQLBinaryOperator, _ right: Any) -> Bool? {
    guard let left = left as? any Comparable else { return nil }
    func open<Value: Comparable>(_ left: Value) -> Bool? {
      guard let right = right as? Value else { return nil }
      return switch `operator` {
      case .less: left < right
      case .lessOrEqual: left <= right
      case .greater: left > right
      case .greaterOrEqual: left >= right
      default: nil
      }
    }
    return open(left)
  }

  private func compare(
    _ left: ValueTerm, _ operator: SQLBinaryOperator, _ right: ValueTerm, _ node: some PredicateExpression
  ) throws -> SQLExpression {
    if left.sql == .null || right.sql == .null { return .false }  // NaN
    if left.meaning.semantics == .string, right.meaning.semantics == .string {
      // The collation's order is total, which that of Swift is not quite: a condition asks Swift.
      let isMirrored = `operator` == .greater || `operator` == .lessOrEqual
      let less = SQLExpression.function(.less, isMirrored ? [right.sql, left.sql] : [left.sql, right.sql])
      return `operator` == .less || `operator` == .greater ? less : .negation(less)
    }
    let keys = try sortKeys(left, node)
    let others = try sortKeys(right, node)
    let comparison: SQLExpression =
      keys.count == 1
      ? .binary(`operator`, keys[0], others[0]) : .binary(`operator`, .row(keys), .row(others))
    let exact =
      left.mayBeNaN || right.mayBeNaN ? .function(.coalesce, [comparison, .boolean(false)]) : comparison
    guard let constant = right.sql.constant, let near = JSONIndexes.compare(left, `operator`, constant) else {
      return exact
    }
    return .conjunction([near, exact])
  }

  /// What SQL compares, in turn, to order values as Swift does.
  func sortKeys(_ value: ValueTerm, _ node: some PredicateExpression) throws -> [SQLExpression] {
    if let keys = try sortKeys(value) { return keys }
    throw unsupported(node, "SQL cannot put `\(value.meaning.codec)` in order.")
  }

  /// The same, or nil where SQL knows no order.
  func sortKeys(_ value: ValueTerm) throws -> [SQLExpression]? {
    switch value.meaning.semantics {
    case .boolean, .integer, .real, .date, .uuid: [value.sql]
    case .unsigned: [.binary(.less, value.sql, .integer(0)), value.sql]
    case .string: [.collate(value.sql, .unicode)]
    case .decimal: [.collate(value.sql, .decimal)]
    case .rawValue: try EnumCases(value.meaning)?.ranks(of: value.sql).map { [$0] }
    case .data, .url, .json, .opaque, .transformed: nil
    }
  }

  /// The cases of an enum that compare so with a constant, as a list that can use an index.
  private func casesInOrder(
    _ value: ValueTerm, _ operator: SQLBinaryOperator, _ constant: Any
  ) throws -> SQLExpression? {
    guard case .rawValue = value.meaning.semantics, let cases = try EnumCases(value.meaning) else { return nil }
    return try cases.list { compare($0, `operator`, constant) }.map { SQLExpression.inList(value.sql, $0) }
  }
}

extension SQLBinaryOperator {
  var mirrored: SQLBinaryOperator {
    switch self {
    case .less: .greater
    case .lessOrEqual: .greaterOrEqual
    case .greater: .less
    case .greaterOrEqual: .lessOrEqual
    default: self
    }
  }
}
