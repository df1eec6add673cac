internal import Foundation
import RoostCore
internal import RoostSQL

extension Translator {
  /// The elements that a node is, or nil if SQL cannot enumerate them.
  func elements<Node: PredicateExpression>(_ node: Node) throws -> ElementsTerm? where Node.Output: Sequence {
    switch try term(node) {
    case .elements(let elements): elements
    case .value(let value): JSONArrays.elements(Node.Output.self, value)
    default: nil
    }
  }

  /// `sequence.contains { test }`, or with the test negated.
  func contains<Elements: PredicateExpression>(
    _ sequence: Elements, _ variable: PredicateExpressions.Variable<Elements.Output.Element>,
    where test: some PredicateExpression<Bool>, negated: Bool = false, _ node: some PredicateExpression
  ) throws -> SQLExpression where Elements.Output: Sequence {
    func condition(_ element: Term) throws -> SQLExpression {
      try binding(variable, to: element) {
        let (test, failure) = try collectingFailures { try self.condition(test) }
        // An element for which the test fails does not meet it.
        let holds = SQLExpression.conjunction([test, .negation(failure)])
        return negated ? .negation(holds) : holds
      }
    }
    if let elements = try elements(sequence) { return try exists(elements, where: condition) }
    if case .constant(let value) = try term(sequence), let constants = value as? Elements.Output {
      let elements = Array(constants)
      guard elements.count <= 1000 else {
        throw unsupported(node, "The captured collection has \(elements.count) elements, more than 1000.")
      }
      return .disjunction(try elements.map { try condition(.constant($0)) })
    }
    throw unsupported(node, "SQL can enumerate relationships, arrays of plain values and captured collections.")
  }

  /// `elements.min()` or `.max()`.
  func extreme<Elements: PredicateExpression>(
    _ elements: Elements, isMaximum: Bool, _ node: some PredicateExpression
  ) throws -> Term where Elements.Output: Sequence {
    guard let found = try self.elements(elements), case .json = found.source else {
      return try constantOrUnsupported(node, "SQL knows the least and greatest of arrays of plain values only.")
    }
    var (values, element) = try select(found)
    guard case .value(let value) = element else { throw unsupported(node, "It is no array.") }
    values.columns = [SQLResultColumn(value.sql, as: "value")]
    // A select of its own: SQLite does not find an outer query's columns in ORDER BY.
    let alias = newAlias()
    let column = ValueTerm(sql: .column(alias, "value"), meaning: value.meaning)
    var result = SQLSelect([SQLResultColumn(column.sql)], from: .select(values, alias: alias))
    result.orders = try sortKeys(column, node).map { SQLOrder($0, ascending: !isMaximum) }
    result.limit = 1
    let sql = SQLExpression.subquery(result)
    return .optional(isNil: .isNull(sql), .value(ValueTerm(sql: sql, meaning: value.meaning)))
  }
}

/// Attributes that are arrays or sets, kept as JSON.
enum JSONArrays {
  /// The elements, if SQL can tell them apart.
  static func elements(_ type: (some Sequence).Type, _ value: ValueTerm) -> ElementsTerm? {
    guard value.meaning.semantics == .json else { return nil }
    func element<Elements: Sequence>(_ type: Elements.Type) -> Any.Type { Elements.Element.self }
    let elementType = element(type)
    guard type is any JSONArray.Type, ColumnMeaning.inJSON(CompositeFields.unwrapped(elementType)) != nil else {
      return nil
    }
    return ElementsTerm(source: .json(value.sql, element: elementType, slice: nil))
  }

  /// The current element of a JSON array that `json_each` enumerates.
  static func element(of array: SQLExpression, _ alias: String, _ type: Any.Type) throws -> Term {
    // Most elements are read as they are; a fraction or a large number SQLite does not read exactly.
    if type == String.self || type == Bool.self || type is any _NativeInteger.Type,
      let meaning = ColumnMeaning(type: type)
    {
      return .value(ValueTerm(sql: element(of: array, alias, meaning), meaning: meaning))
    }
    let place = JSONPlace(text: array, start: .column(alias, "fullkey"))
    if let term = JSONValues.term(type, isOptional: isOptionalType(type), at: place) { return term }
    throw SwiftDataError.unsupportedPredicate("SQL cannot compare `\(type)`, of which an array has elements.")
  }

  private static func element(of array: SQLExpression, _ alias: String, _ meaning: ColumnMeaning) -> SQLExpression {
    let value = SQLExpression.column(alias, "value")
    guard meaning.semantics == .string else { return value }
    let exact = SQLExpression.function(.jsonString, [array, .column(alias, "key")])
    return .conditional([SQLBranch(when: JSONValues.hasNUL(array), then: exact)], otherwise: value)
  }

  /// `array.contains(constant)`, decided by the type's own `==`.
  static func contains(
    _ type: (some Sequence).Type, _ value: ValueTerm, _ constant: Any
  ) throws -> SQLExpression? {
    guard value.meaning.semantics == .json, let type = type as? any (Sequence & Decodable).Type else { return nil }
    func open<Elements: Sequence & Decodable>(_ elements: Elements.Type) throws -> SQLExpression? {
      func open<Element: Codable & Equatable>(_ element: Element.Type) throws -> SQLExpression? {
        guard let constant = constant as? Element else { return nil }
        let text = SQLExpression.text(try JSONText.encode([constant]))
        return JSONTypes.contains(elements, of: element, value.sql, text)
      }
      guard let element = Elements.Element.self as? any (Codable & Equatable).Type else { return nil }
      return try open(element)
    }
    return try open(type)
  }

  /// `array.contains(part)` or `array.starts(with: part)` of a captured part; nil for what is no array.
  static func part(
    _ function: SQLFunction, _ type: Any.Type, _ base: Term, _ part: Term
  ) throws -> SQLExpression? {
    guard case .value(let value) = base, value.meaning.semantics == .json, case .constant(let part) = part,
      let type = type as? any (JSONArray & Sequence & Decodable).Type
    else { return nil }
    func open<Elements: Sequence & Decodable>(_ elements: Elements.Type) throws -> SQLExpression? {
      func open<Element: Codable & Equatable>(_ element: Element.Type) throws -> SQLExpression? {
        guard let part = (part as? any Sequence)?.map({ $0 as? Element }) else { return nil }
        let text = SQLExpression.text(try JSONText.encode(part.compactMap { $0 }))
        return JSONTypes.containsPart(elements, of: element, value.sql, text, atStart: function == .startsWith)
      }
      guard !(type is any SetAlgebra.Type), let element = Elements.Element.self as? any (Codable & Equatable).Type
      else { return nil }
      return try open(element)
    }
    return try open(type)
  }
}
