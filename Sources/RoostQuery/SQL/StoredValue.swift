import RoostCore
import RoostSQL

/// Values of types that only the program knows, in the forms in which attributes are stored.
enum StoredValue {
  static func encode(_ value: some Encodable) throws -> SQLValue {
    if let native = value as? any _NativeValue { return try native._encode() }
    if let raw = (value as? any RawRepresentable)?.rawValue as? any _NativeValue { return try raw._encode() }
    if let optional = value as? any AnyOptional, optional.wrappedValue == nil { return .null }
    return .text(try JSONText.encode(value))
  }

  /// nil when the column holds something that is no such value.
  static func decode<Value: Decodable>(_ type: Value.Type, from value: SQLValue) -> Value? {
    if let native = type as? any _NativeValue.Type { return native._decode(value) as? Value }
    if let optional = type as? any StoredOptional.Type {
      // In two steps: a failure must not pass for an optional that is nil.
      guard let found = optional.decode(value) else { return nil }
      return found as? Value
    }
    if let raw = type as? any RawRepresentable.Type, isKeptRaw(raw) { return decode(raw, value) as? Value }
    guard case .text(let text) = value else { return nil }
    return try? JSONText.decode(type, from: text)
  }

  /// Whether a type's values are one column each, rather than the fields of a row.
  static func isScalar(_ type: any Any.Type) -> Bool {
    if type is any _NativeValue.Type { return true }
    if let optional = type as? any StoredOptional.Type { return isScalar(optional.wrappedType) }
    guard let raw = type as? any RawRepresentable.Type else { return false }
    return isKeptRaw(raw)
  }

  private static func isKeptRaw<Value: RawRepresentable>(_ type: Value.Type) -> Bool {
    Value.RawValue.self is any _NativeValue.Type
  }

  private static func decode<Value: RawRepresentable>(_ type: Value.Type, _ value: SQLValue) -> Value? {
    guard let raw = Value.RawValue.self as? any _NativeValue.Type else { return nil }
    return (raw._decode(value) as? Value.RawValue).flatMap { Value(rawValue: $0) }
  }
}

private protocol StoredOptional {
  static var wrappedType: any Any.Type { get }
  /// An optional as `Any`; nil when the column holds something else.
  static func decode(_ value: SQLValue) -> Any?
}

extension Optional: StoredOptional where Wrapped: Decodable {
  fileprivate static var wrappedType: any Any.Type { Wrapped.self }

  fileprivate static func decode(_ value: SQLValue) -> Any? {
    if value == .null { return Self.none as Any }
    return StoredValue.decode(Wrapped.self, from: value).map { Self.some($0) as Any }
  }
}
