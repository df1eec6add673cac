internal import Foundation
import RoostCore
internal import RoostSQL

extension Translator {
  /// `[…].contains(element)` of a captured collection.
  func contains(_ elements: [Any], _ element: Term, _ node: some PredicateExpression) throws -> SQLExpression {
    switch element {
    case .constant(let value):
      return .condition(elements.contains { areEqual($0, value) == true })
    case .optional(let isNil, let wrapped):
      let some = elements.compactMap { ($0 as? any AnyOptional).map(\.wrappedValue) ?? .some($0) }
      let isIn = SQLExpression.conjunction([.negation(isNil), try contains(some, wrapped, node)])
      return some.count == elements.count ? isIn : .disjunction([isNil, isIn])
    case .row(let row):
      return list(row.key, Set(elements.compactMap { key(of: $0, in: row.entity) }))
    case .value(let value): return try contains(elements, value, node)
    default: throw unsupported(node, "Look for single values.")
    }
  }

  private func contains(
    _ elements: [Any], _ value: ValueTerm, _ node: some PredicateExpression
  ) throws -> SQLExpression {
    let encoded = Set(try elements.compactMap { try encode($0, as: value.meaning, node) })
    let isIn: SQLExpression
    switch value.meaning.baseSemantics {
    case .string: isIn = strings(value.sql, encoded)
    case .decimal: isIn = list(.collate(value.sql, .decimal), encoded)
    case .json: isIn = .disjunction(encoded.sorted(by: Self.order).map { JSONTypes.equal(value, .value($0)) })
    default: isIn = list(value.sql, encoded)
    }
    let exact = value.mayBeNaN ? .function(.coalesce, [isIn, .boolean(false)]) : isIn
    if value.indexed == nil || encoded.count > 100 { return exact }
    let near = encoded.sorted(by: Self.order).compactMap { JSONIndexes.equal(value, $0) }
    return near.count == encoded.count ? .conjunction([.disjunction(near), exact]) : exact
  }

  /// Texts that have few spellings are looked for bytewise, which can use an index.
  private func strings(_ sql: SQLExpression, _ values: Set<SQLValue>) -> SQLExpression {
    // No set: to Swift the spellings of a string are one and the same.
    var spellings: [SQLValue] = []
    for case .text(let text) in values {
      guard let variants = SwiftStrings.spellings(of: text) else { return list(.collate(sql, .unicode), values) }
      spellings += variants.map { .text($0) }
    }
    return list(sql, spellings)
  }

  /// The list's order is made the same in every run, so that statements and their plans can be reused.
  private func list(_ sql: SQLExpression, _ values: some Collection<SQLValue>) -> SQLExpression {
    if values.isEmpty { return .false }
    let sorted = values.sorted(by: Self.order)
    if sorted.count <= 500 { return .inList(sql, sorted.map { .value($0) }) }
    return .inSelect(sql, LongLists.select(sorted))
  }

  private static func order(_ left: SQLValue, _ right: SQLValue) -> Bool {
    switch (left, right) {
    case (.integer(let left), .integer(let right)): left < right
    case (.real(let left), .real(let right)): left < right
    case (.text(let left), .text(let right)): left.utf8.lexicographicallyPrecedes(right.utf8)
    case (.blob(let left), .blob(let right)): left.lexicographicallyPrecedes(right)
    default: false
    }
  }
}
