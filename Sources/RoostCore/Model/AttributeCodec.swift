public import RoostSQL

/// How a column declares its values.
public enum _ColumnType: String, Sendable, Codable {
  case integer = "INTEGER"
  case real = "REAL"
  case text = "TEXT"
  case blob = "BLOB"
}

/// The way one attribute type is kept in one column. Chosen by overload resolution in expanded code.
@_documentation(visibility: private)
public protocol _AttributeCodec: Sendable {
  associatedtype Value
  /// What the column is declared as.
  static var columnType: _ColumnType { get }
  /// Whether NULL stands for a value.
  static var isOptional: Bool { get }
  /// How SQL must compare the column so that it agrees with Swift.
  static var semantics: _ColumnSemantics { get }
  /// nil when the column holds something that is no such value.
  static func decode(_ value: SQLValue) -> Value?
  /// Throws when the value cannot be kept (a NaN, an encoder's error).
  static func encode(_ value: Value) throws -> SQLValue
  /// What a property reads as when its row is gone and it has no declared default.
  static var placeholder: Value? { get }
  /// What the type's own code throws for a value that `decode` makes nothing of; nil where
  /// there is none, or it says nothing.
  static func refusal(_ value: SQLValue) -> (any Error)?
}

extension _AttributeCodec {
  public static func refusal(_ value: SQLValue) -> (any Error)? { nil }
}

/// What a column's values mean, where their storage class alone does not tell.
@_documentation(visibility: private)
public enum _ColumnSemantics: Sendable, Hashable {
  case boolean, integer, unsigned, real, string, date, data, uuid, url, decimal
  /// An enum or struct kept as its raw value, with that value's meaning.
  indirect case rawValue(_ColumnSemantics)
  /// JSON text.
  case json
  /// JSON text that only the value's own code can read.
  case opaque
  /// What a transformer made.
  case transformed
}

/// The codec of a value type that has a column representation of its own.
@_documentation(visibility: private)
public enum _Native<Value: _NativeValue>: _AttributeCodec {
  public static var columnType: _ColumnType { Value._columnType }
  public static var isOptional: Bool { false }
  public static var semantics: _ColumnSemantics { Value._semantics }
  public static func decode(_ value: SQLValue) -> Value? { Value._decode(value) }
  public static func encode(_ value: Value) throws -> SQLValue { try value._encode() }
  public static var placeholder: Value? { Value._placeholder }
}

/// A type with a column representation of its own: the scalars.
@_documentation(visibility: private)
public protocol _NativeValue: Codable, Sendable, Equatable {
  static var _columnType: _ColumnType { get }
  static var _semantics: _ColumnSemantics { get }
  static var _placeholder: Self { get }
  static func _decode(_ value: SQLValue) -> Self?
  func _encode() throws -> SQLValue
}

/// NULL stands for nil.
@_documentation(visibility: private)
public enum _OptionalCodec<Wrapped: _AttributeCodec>: _AttributeCodec {
  public typealias Value = Wrapped.Value?
  public static var columnType: _ColumnType { Wrapped.columnType }
  public static var isOptional: Bool { true }
  public static var semantics: _ColumnSemantics { Wrapped.semantics }
  public static func decode(_ value: SQLValue) -> Wrapped.Value?? {
    if value == .null { return .some(nil) }
    guard let wrapped = Wrapped.decode(value) else { return nil }
    return .some(wrapped)
  }
  public static func encode(_ value: Wrapped.Value?) throws -> SQLValue {
    guard let value else { return .null }
    return try Wrapped.encode(value)
  }
  public static var placeholder: Wrapped.Value?? { .some(nil) }
  public static func refusal(_ value: SQLValue) -> (any Error)? { Wrapped.refusal(value) }
}

/// A `RawRepresentable` kept as its raw value.
@_documentation(visibility: private)
public enum _RawCodec<Value: RawRepresentable & Codable>: _AttributeCodec where Value.RawValue: _NativeValue {
  public static var columnType: _ColumnType { Value.RawValue._columnType }
  public static var isOptional: Bool { false }
  public static var semantics: _ColumnSemantics { .rawValue(Value.RawValue._semantics) }
  public static func decode(_ value: SQLValue) -> Value? {
    guard let raw = Value.RawValue._decode(value) else { return nil }
    return Value(rawValue: raw)
  }
  public static func encode(_ value: Value) throws -> SQLValue {
    let raw = value.rawValue
    guard Value(rawValue: raw) != nil else {
      throw UnstorableValue("its raw value is one that `init(rawValue:)` of \(Value.self) refuses.")
    }
    return try raw._encode()
  }
  public static var placeholder: Value? {
    if let cases = Value.self as? any CaseIterable.Type, let first = first(cases) { return first }
    return Placeholder.examples.lazy.compactMap { Value(rawValue: .example($0)) }.first
  }
  private static func first<C: CaseIterable>(_ type: C.Type) -> Value? { type.allCases.first as? Value }
}

/// Any other `Codable` value, kept as JSON text with sorted keys.
///
/// That it is `Codable` is asked of `CodableTypes`: the conformance may be the main actor's, and a codec is nobody's.
@_documentation(visibility: private)
public enum _JSONCodec<Value>: _AttributeCodec {
  public static var columnType: _ColumnType { .text }
  public static var isOptional: Bool { false }
  public static var semantics: _ColumnSemantics { .json }
  public static func decode(_ value: SQLValue) -> Value? {
    func open<Decoded: Decodable>(_ type: Decoded.Type, _ text: String) -> Value? {
      (try? JSONText.decode(type, from: text)) as? Value
    }
    guard case .text(let text) = value, let type = CodableTypes.decodable(Value.self) else { return nil }
    return open(type, text)
  }
  public static func encode(_ value: Value) throws -> SQLValue {
    guard let value = CodableTypes.encodable(value as Any) else {
      throw EncodingError.invalidValue(
        value, .init(codingPath: [], debugDescription: "\(Value.self) is not Encodable."))
    }
    return .text(try JSONText.encode(value))
  }
  public static var placeholder: Value? { Placeholder.decoded(Value.self) }
  public static func refusal(_ value: SQLValue) -> (any Error)? {
    guard case .text(let text) = value, let type = CodableTypes.decodable(Value.self) else { return nil }
    do {
      _ = try JSONText.decode(type, from: text)
      return nil
    } catch {
      return error
    }
  }
}

/// A `Codable` value marked `.codable`: kept the same way, but of no meaning to queries.
@_documentation(visibility: private)
public enum _OpaqueCodec<Value>: _AttributeCodec {
  public static var columnType: _ColumnType { .text }
  public static var isOptional: Bool { false }
  public static var semantics: _ColumnSemantics { .opaque }
  public static func decode(_ value: SQLValue) -> Value? { _JSONCodec.decode(value) }
  public static func encode(_ value: Value) throws -> SQLValue { try _JSONCodec.encode(value) }
  public static var placeholder: Value? { Placeholder.decoded(Value.self) }
  public static func refusal(_ value: SQLValue) -> (any Error)? { _JSONCodec<Value>.refusal(value) }
}
