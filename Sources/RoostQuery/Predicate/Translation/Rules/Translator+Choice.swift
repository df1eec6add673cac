internal import Foundation
import RoostCore
internal import RoostSQL

extension Translator {
  /// `test ? yes : no`.
  func choice(
    _ test: SQLExpression, _ yes: Term, _ no: Term, type: Any.Type, _ node: some PredicateExpression
  ) throws -> Term {
    if test == .true { return yes }
    if test == .false { return no }
    if type == Bool.self {
      return .condition(.choice(test, try condition(yes, of: node), try condition(no, of: node)))
    }
    let yes = try shape(yes, like: no, type: type, node)
    let no = try shape(no, like: yes, type: type, node)
    switch (yes, no) {
    case (.value(let one), .value(let other)):
      guard one.meaning.baseSemantics == other.meaning.baseSemantics else {
        throw unsupported(node, "Both branches are kept in different forms.")
      }
      var (branches, last) = ([SQLBranch(when: test, then: one.sql)], other.sql)
      // Side by side: SQLite's parser has no room for some twenty that are inside each other.
      if case .conditional(let others, let otherwise?) = last { (branches, last) = (branches + others, otherwise) }
      let sql = SQLExpression.conditional(branches, otherwise: last)
      return .value(ValueTerm(sql: sql, meaning: one.meaning, mayBeNaN: one.mayBeNaN || other.mayBeNaN))
    case (.optional(let isNil, let one), .optional(let otherIsNil, let other)):
      let wrappedType = (type as? any AnyOptionalType.Type)?.wrappedType ?? type
      return .optional(
        isNil: .choice(test, isNil, otherIsNil), try choice(test, one, other, type: wrappedType, node))
    case (.row(let one), .row(let other)):
      let key = SQLExpression.conditional([SQLBranch(when: test, then: one.key)], otherwise: other.key)
      let scope = one.scope.depth > other.scope.depth ? one.scope : other.scope
      return .row(RowTerm(entity: one.entity, key: key, alias: nil, scope: scope))
    default: throw unsupported(node, "SQL cannot choose between such values.")
    }
  }

  /// A constant in the form of the term beside it.
  private func shape(
    _ term: Term, like other: Term, type: Any.Type, _ node: some PredicateExpression
  ) throws -> Term {
    guard case .constant(let value) = term else { return term }
    switch other {
    case .value(let like): return .value(try lift(value, as: like.meaning, node))
    case .optional(_, let inner):
      let wrappedType = (type as? any AnyOptionalType.Type)?.wrappedType ?? type
      // Of a nil, nothing is looked at: what the other branch has does as well as anything.
      guard let wrapped = (value as? any AnyOptional)?.wrappedValue else { return .optional(isNil: .true, inner) }
      return .optional(isNil: .false, try shape(.constant(wrapped), like: inner, type: wrappedType, node))
    default: return try lift(value, type: type, node)
    }
  }

  /// `left ?? right`, where `right` is not optional, or both are.
  func coalesce(
    _ left: Term, _ right: () throws -> Term, type: Any.Type, keepsOptional: Bool, _ node: some PredicateExpression
  ) throws -> Term {
    switch left {
    case .constant(let value):
      guard let wrapped = (value as? any AnyOptional)?.wrappedValue else { return try right() }
      return .constant(keepsOptional ? value : wrapped)
    case .optional(.false, let wrapped): return keepsOptional ? left : wrapped
    case .optional(.true, _): return try right()
    case .optional(let isNil, let wrapped):
      let other = try guarded(by: isNil, right)
      if !keepsOptional, case .value(let value) = wrapped, isNil == .isNull(value.sql), !value.mayBeNaN,
        type != Bool.self, case .value(let otherValue) = try shape(other, like: wrapped, type: type, node),
        !otherValue.mayBeNaN, otherValue.meaning.baseSemantics == value.meaning.baseSemantics
      {
        return .value(
          ValueTerm(sql: .function(.coalesce, [value.sql, otherValue.sql]), meaning: value.meaning))
      }
      let some = keepsOptional ? Term.optional(isNil: .false, wrapped) : wrapped
      return try choice(.negation(isNil), some, other, type: type, node)
    default: return left
    }
  }

  /// What an optional chain makes of an optional and what its next step makes of what is inside.
  func chained(_ isNil: SQLExpression, _ wrapped: Term, _ step: Term) -> Term {
    guard case .optional(let stepIsNil, let inner) = step else { return .optional(isNil: isNil, step) }
    // A joined row that is missing has NULL in all its columns. A row of another class has them all.
    if case .row(let row) = wrapped, isNil == .isNull(row.key), case .isNull(.column(let table?, _)) = stepIsNil,
      isJoined(table, from: row)
    {
      return .optional(isNil: stepIsNil, inner)
    }
    return .optional(isNil: .disjunction([isNil, stepIsNil]), inner)
  }

  /// Whether a table was joined to have a row's columns, or those of a row that it refers to, and so on.
  private func isJoined(_ alias: String, from row: RowTerm) -> Bool {
    guard joinedAliases.contains(alias), let joined = rows[alias] else { return false }
    if joined.key == row.key { return true }
    guard case .column(let owner?, _) = joined.key else { return false }
    return isJoined(owner, from: row)
  }
}
