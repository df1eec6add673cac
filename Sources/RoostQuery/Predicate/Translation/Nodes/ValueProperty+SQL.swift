internal import Foundation
import RoostCore
internal import RoostSQL

/// A property of a plain value, such as `title.isEmpty`.
struct ValueProperty {
  let value: ValueTerm
  let keyPath: AnyKeyPath
  let output: Any.Type
  /// Whether it is known to be `count`; false for `isEmpty`, nil for others.
  let isCount: Bool?

  init(_ value: ValueTerm, keyPath: AnyKeyPath, output: Any.Type, isCount: Bool?) {
    self.value = value
    self.keyPath = keyPath
    self.output = output
    self.isCount = isCount
  }

  /// nil when SQL cannot compute it.
  func term() throws -> Term? {
    switch value.meaning.semantics {
    case .string where isEmpty: .condition(.binary(.equal, value.sql, .text("")))
    case .string where isCount == true: integer(.function(.characterCount, [value.sql]))
    case .data where keyPath == \Data.count: integer(.function(.length, [value.sql]))
    case .data where keyPath == \Data.isEmpty: .condition(.binary(.equal, .function(.length, [value.sql]), .integer(0)))
    case .date where keyPath == \Date.timeIntervalSinceReferenceDate:
      .value(ValueTerm(sql: value.sql, meaning: .real, mayBeNaN: value.mayBeNaN))
    case .json: propertyOfCollection()
    case .rawValue: try propertyOfCase()
    default: nil
    }
  }

  private var isEmpty: Bool { isCount == false && output == Bool.self }

  private func integer(_ sql: SQLExpression) -> Term { .value(ValueTerm(sql: sql, meaning: .integer)) }

  private func propertyOfCollection() -> Term? {
    guard let collection = JSONCollection(value) else { return nil }
    let known = isCount == true || isEmpty ? isCount : collection.isCount(keyPath)
    return known.flatMap { collection.property($0) }
  }

  /// A property of an enum is computed for each case, here and now.
  private func propertyOfCase() throws -> Term? {
    if isRawValue, let meaning = ColumnMeaning(type: output) {
      return .value(ValueTerm(sql: value.sql, meaning: meaning))
    }
    guard let meaning = ColumnMeaning(type: output), let cases = try EnumCases(value.meaning) else { return nil }
    let sql = try cases.map(value.sql) { value in
      func open<Root>(_ root: Root) -> Any? { (keyPath as? PartialKeyPath<Root>).map { root[keyPath: $0] } }
      func encode<Codec: _AttributeCodec>(_ codec: Codec.Type, _ value: Any?) throws -> SQLValue? {
        try (value as? Codec.Value).map { try Codec.encode($0) }
      }
      guard let encoded = try encode(meaning.codec, open(value)) else {
        throw SwiftDataError.unsupportedKeyPath("\(keyPath) has no value that SQL could hold.")
      }
      return encoded
    }
    return meaning.semantics == .boolean ? .condition(sql) : .value(ValueTerm(sql: sql, meaning: meaning))
  }

  private var isRawValue: Bool {
    func open<Codec: _AttributeCodec>(_ codec: Codec.Type) -> Bool {
      func raw<Value: RawRepresentable>(_ type: Value.Type) -> Bool {
        if keyPath == \Value.rawValue { return true }
        // That of a struct which stores it is another key path, and has the property's name.
        guard let stored = keyPath as? PartialKeyPath<Value>, MemoryLayout<Value>.offset(of: stored) != nil else {
          return false
        }
        return "\(keyPath)".hasSuffix(".rawValue")
      }
      return (Codec.Value.self as? any RawRepresentable.Type).map { raw($0) } ?? false
    }
    return open(value.meaning.codec)
  }
}
