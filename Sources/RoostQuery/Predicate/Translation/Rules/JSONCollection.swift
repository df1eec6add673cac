internal import Foundation
import RoostCore
internal import RoostSQL

/// An array, set or dictionary that is kept as JSON.
struct JSONCollection {
  let value: ValueTerm
  let place: JSONPlace
  private let type: any JSONCollectionType.Type

  /// nil for other values.
  init?(_ value: ValueTerm) {
    func type<Codec: _AttributeCodec>(_ codec: Codec.Type) -> Any.Type { Codec.Value.self }
    guard let place = value.json, let type = type(value.meaning.codec) as? any JSONCollectionType.Type else {
      return nil
    }
    self.value = value
    self.place = place
    self.type = type
  }

  /// True for `count`, false for `isEmpty`: Foundation does not tell those of dictionaries.
  func isCount(_ keyPath: AnyKeyPath) -> Bool? {
    let paths = type.countPaths
    return keyPath == paths.count ? true : keyPath == paths.isEmpty ? false : nil
  }

  /// `count` or `isEmpty`; nil when SQL cannot tell.
  func property(_ isCount: Bool) -> Term? {
    guard let count = type.isArray ? arrayLength : isCount ? distinctCount : anyCount else { return nil }
    return isCount
      ? .value(ValueTerm(sql: count, meaning: .integer)) : .condition(.binary(.equal, count, .integer(0)))
  }

  private var arrayLength: SQLExpression { .function(.jsonArrayLength, [value.sql]) }

  private func each(_ column: SQLResultColumn) -> SQLExpression {
    .subquery(SQLSelect([column], from: .function(.jsonEach, [value.sql], alias: nil)))
  }

  private var anyCount: SQLExpression { each(SQLResultColumn(.countAll)) }

  /// The text of a set may have an element twice, that of a dictionary a key.
  private var distinctCount: SQLExpression? {
    if type.hasKeys {
      let key = SQLExpression.collate(.column("key"), .unicode)
      return .conditional(
        [SQLBranch(when: JSONValues.hasNUL(value.sql), then: .function(.jsonKeyCount, [value.sql]))],
        otherwise: each(SQLResultColumn(.aggregate(.count, key, isDistinct: true))))
    }
    let alias = "each"
    guard type is any JSONArray.Type else { return nil }
    guard case .value(let element)? = try? JSONArrays.element(of: value.sql, alias, type.elementType) else {
      return nil
    }
    let sql: SQLExpression
    switch element.meaning.baseSemantics {
    case .json, .opaque, .transformed: return nil
    case .string: sql = .collate(element.sql, .unicode)
    case .decimal: sql = .collate(element.sql, .decimal)
    default: sql = element.sql
    }
    return .subquery(
      SQLSelect(
        [SQLResultColumn(.aggregate(.count, sql, isDistinct: true))],
        from: .function(.jsonEach, [value.sql], alias: alias)))
  }

  /// The first or last element of an array, as an optional; nil when SQL cannot tell.
  func end(_ step: SQLJSONStep) -> Term? {
    guard type.isArray, !isOptionalType(type.elementType) else { return nil }
    return JSONValues.term(type.elementType, isOptional: true, at: place.inside([step]))
  }

  /// An element of an array, and when there is none.
  func element(_ index: Int) -> (Term, isMissing: SQLExpression)? {
    guard type.isArray else { return nil }
    if index < 0 { return (.value(ValueTerm(sql: .null, meaning: .integer)), .true) }
    let element = JSONValues.term(
      type.elementType, isOptional: isOptionalType(type.elementType),
      at: place.going(to: .text(SQLJSONStep.text([.index(index)]))))
    return element.map { ($0, .binary(.lessOrEqual, arrayLength, .integer(Int64(index)))) }
  }

  /// The elements between two positions, and when there are not so many.
  func slice(_ range: Range<Int>) -> (ElementsTerm, isMissing: SQLExpression)? {
    guard type.isArray, ColumnMeaning.inJSON(CompositeFields.unwrapped(type.elementType)) != nil else { return nil }
    let elements = ElementsTerm(source: .json(value.sql, element: type.elementType, slice: range))
    if range.lowerBound < 0 { return (elements, .true) }
    return (elements, .binary(.less, arrayLength, .integer(Int64(range.upperBound))))
  }

  /// The value for a key of a dictionary, as an optional; nil when SQL cannot tell.
  func value(for key: Any) -> Term? {
    guard type.hasKeys, !isOptionalType(type.elementType), let key = (key as? String) ?? (key as? Int).map(String.init)
    else { return nil }
    let step = SQLJSONStep.key(key)
    guard step.isFindable else { return nil }
    let text = SQLExpression.conditional(
      [SQLBranch(when: JSONValues.hasNUL(value.sql), then: .function(.jsonKeysWithoutNUL, [value.sql]))],
      otherwise: value.sql)
    var path = SQLExpression.text(SQLJSONStep.text([step]))
    if SwiftStrings.spellings(of: key)?.count != 1 {
      // Other spellings of the key are the same to Swift.
      path = .subquery(
        SQLSelect(
          [SQLResultColumn(.column("fullkey"))], from: .function(.jsonEach, [text], alias: nil),
          where: .binary(.equal, .collate(.column("key"), .unicode), .text(key)), limit: 1))
    }
    return JSONValues.term(type.elementType, isOptional: true, at: JSONPlace(text: text, start: path))
  }
}

/// Arrays and sets, whose JSON is an array.
protocol JSONArray {}

private protocol JSONCollectionType {
  static var isArray: Bool { get }
  /// Whether it is a dictionary whose JSON is an object.
  static var hasKeys: Bool { get }
  static var elementType: Any.Type { get }
  static var countPaths: (count: AnyKeyPath, isEmpty: AnyKeyPath) { get }
}

extension Array: JSONArray, JSONCollectionType {
  fileprivate static var isArray: Bool { true }
  fileprivate static var hasKeys: Bool { false }
  fileprivate static var elementType: Any.Type { Element.self }
  fileprivate static var countPaths: (count: AnyKeyPath, isEmpty: AnyKeyPath) { (\Self.count, \Self.isEmpty) }
}

extension Set: JSONArray, JSONCollectionType {
  fileprivate static var isArray: Bool { false }
  fileprivate static var hasKeys: Bool { false }
  fileprivate static var elementType: Any.Type { Element.self }
  fileprivate static var countPaths: (count: AnyKeyPath, isEmpty: AnyKeyPath) { (\Self.count, \Self.isEmpty) }
}

extension Dictionary: JSONCollectionType {
  fileprivate static var isArray: Bool { false }
  fileprivate static var hasKeys: Bool { Key.self == String.self || Key.self == Int.self }
  fileprivate static var elementType: Any.Type { Value.self }
  fileprivate static var countPaths: (count: AnyKeyPath, isEmpty: AnyKeyPath) { (\Self.count, \Self.isEmpty) }
}
