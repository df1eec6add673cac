internal import Foundation
import RoostCore
internal import RoostSQL

extension Translator {
  /// `left == right`, never NULL where both sides mean something.
  func equal(_ left: Term, _ right: Term, _ node: some PredicateExpression) throws -> SQLExpression {
    switch (left, right) {
    case (.optional(let isNil, let wrapped), .optional(let otherIsNil, let otherWrapped)):
      if isNil == .true { return otherIsNil }
      if otherIsNil == .true { return isNil }
      return bothOrNeither(isNil, otherIsNil, try equal(wrapped, otherWrapped, node))
    case (.optional(let isNil, let wrapped), .constant(let value)),
      (.constant(let value), .optional(let isNil, let wrapped)):
      guard let optional = value as? any AnyOptional else {
        return present(isNil, try equal(wrapped, .constant(value), node))
      }
      guard let inner = optional.wrappedValue else { return isNil }
      return present(isNil, try equal(wrapped, .constant(inner), node))
    case (.optional(let isNil, let wrapped), let other), (let other, .optional(let isNil, let wrapped)):
      return present(isNil, try equal(wrapped, other, node))
    case (.external(let property), _), (_, .external(let property)): throw SwiftDataError.externalKeyPath(property)
    case (.constant(let value), .constant(let other)):
      guard let result = areEqual(value, other) else { throw unsupported(node, "The constants cannot be compared.") }
      return .condition(result)
    case (.row(let row), .row(let other)):
      // Identifiers of any two models can be compared, and tables number their rows alike.
      return row.entity.root === other.entity.root ? .binary(.equal, row.key, other.key) : .false
    case (.row(let row), .constant(let value)), (.constant(let value), .row(let row)):
      return key(of: value, in: row.entity).map { .binary(.equal, row.key, .value($0)) } ?? .false
    case (.value(let value), .value(let other)): return try equal(value, other, node)
    case (.value(let value), .constant(let constant)), (.constant(let constant), .value(let value)):
      return try equal(value, constant: constant, node)
    default: throw unsupported(node, "Compare single values, or use contains(where:).")
    }
  }

  /// An optional equals something that is not nil.
  private func present(_ isNil: SQLExpression, _ equality: SQLExpression) -> SQLExpression {
    // `IS` says both in one operator, which can use an index. On a joined table it would hide from SQLite that a
    // missing row is of no interest.
    if case .binary(.equal, let left, let right) = equality, !isJoined(left), !isJoined(right) {
      if isNil == .isNull(left.withoutCollation), right.constant != nil { return .binary(.is, left, right) }
      if isNil == .isNull(right.withoutCollation), left.constant != nil { return .binary(.is, right, left) }
    }
    return .conjunction([.negation(isNil), equality])
  }

  private func isJoined(_ sql: SQLExpression) -> Bool {
    if case .column(let table?, _) = sql.withoutCollation { joinedAliases.contains(table) } else { false }
  }

  private func bothOrNeither(
    _ isNil: SQLExpression, _ otherIsNil: SQLExpression, _ equality: SQLExpression
  ) -> SQLExpression {
    if isNil == .false { return present(otherIsNil, equality) }
    if otherIsNil == .false { return present(isNil, equality) }
    if case .binary(.equal, let left, let right) = equality {
      let sides = [SQLExpression.isNull(left.withoutCollation), .isNull(right.withoutCollation)]
      if sides == [isNil, otherIsNil] || sides == [otherIsNil, isNil] { return .binary(.is, left, right) }
    }
    return .choice(isNil, otherIsNil, .conjunction([.negation(otherIsNil), equality]))
  }

  private func equal(_ left: ValueTerm, _ right: ValueTerm, _ node: some PredicateExpression) throws -> SQLExpression {
    guard left.meaning.baseSemantics == right.meaning.baseSemantics else {
      throw unsupported(node, "Both sides are kept in different forms.")
    }
    let equality: SQLExpression =
      switch left.meaning.baseSemantics {
      case .string: .binary(.equal, .collate(left.sql, .unicode), right.sql)
      case .decimal: .binary(.equal, .collate(left.sql, .decimal), right.sql)
      case .json: JSONTypes.equal(left, right.sql)
      default: .binary(.equal, left.sql, right.sql)
      }
    return left.mayBeNaN || right.mayBeNaN ? .function(.coalesce, [equality, .boolean(false)]) : equality
  }

  private func equal(_ value: ValueTerm, constant: Any, _ node: some PredicateExpression) throws -> SQLExpression {
    guard let encoded = try encode(constant, as: value.meaning, node) else { return .false }
    let equality: SQLExpression
    switch (value.meaning.baseSemantics, encoded) {
    case (.string, .text(let text)): equality = SwiftStrings.equal(value.sql, text)
    case (.decimal, _): equality = .binary(.equal, .collate(value.sql, .decimal), .value(encoded))
    case (.json, _): equality = JSONTypes.equal(value, .value(encoded))
    default: equality = .binary(.equal, value.sql, .value(encoded))
    }
    let exact = value.mayBeNaN ? .function(.coalesce, [equality, .boolean(false)]) : equality
    return JSONIndexes.equal(value, encoded).map { .conjunction([$0, exact]) } ?? exact
  }

  /// Equality of Swift values whose type is not known; nil if they have none.
  func areEqual(_ left: Any, _ right: Any) -> Bool? {
    if let left = left as? any AnyOptional, let right = right as? any AnyOptional {
      guard let one = left.wrappedValue else { return right.wrappedValue == nil }
      guard let other = right.wrappedValue else { return false }
      return areEqual(one, other)
    }
    guard let left = left as? any Equatable else { return nil }
    func open<Value: Equatable>(_ left: Value) -> Bool? { (right as? Value).map { left == $0 } }
    return open(left)
  }
}

extension SQLExpression {
  var withoutCollation: SQLExpression {
    if case .collate(let inner, _) = self { inner } else { self }
  }
}
