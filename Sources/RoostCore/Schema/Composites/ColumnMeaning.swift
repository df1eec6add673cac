internal import RoostSQL

/// What SQL values mean in Swift: how constants become such values, and how they compare.
package struct ColumnMeaning {
  /// The codec of the values themselves, without the optional around them.
  package let codec: any _AttributeCodec.Type

  package init(_ codec: any _AttributeCodec.Type) {
    self.codec = (codec as? any OptionalCodec.Type)?.wrapped ?? codec
  }

  /// The meaning of values of a type in the column that it gets by itself, or nil.
  package init?(type: Any.Type) {
    if let native = type as? any _NativeValue.Type {
      self.init(Self.codec(native))
    } else if let raw = type as? any (RawRepresentable & Codable).Type, let codec = Self.rawCodec(raw) {
      self.init(codec)
    } else if let json = CodableTypes.decodable(type), CodableTypes.encodable(type) != nil {
      self.init(Self.jsonCodec(json))
    } else {
      return nil
    }
  }

  package static let boolean = ColumnMeaning(_Native<Bool>.self)
  package static let integer = ColumnMeaning(_Native<Int>.self)
  package static let real = ColumnMeaning(_Native<Double>.self)
  package static let string = ColumnMeaning(_Native<String>.self)

  package var semantics: _ColumnSemantics { codec.semantics }

  /// The semantics of raw values, for those that are kept as such.
  package var baseSemantics: _ColumnSemantics {
    var semantics = semantics
    while case .rawValue(let inner) = semantics { semantics = inner }
    return semantics
  }

  private static func codec<Value: _NativeValue>(_ type: Value.Type) -> any _AttributeCodec.Type {
    _Native<Value>.self
  }

  private static func jsonCodec<Value: Decodable>(_ type: Value.Type) -> any _AttributeCodec.Type {
    _JSONCodec<Value>.self
  }

  private static func rawCodec<Value: RawRepresentable & Codable>(
    _ type: Value.Type
  ) -> (any _AttributeCodec.Type)? {
    guard let native = Value.RawValue.self as? any _NativeValue.Type else { return nil }
    func open<Raw: _NativeValue>(_ raw: Raw.Type) -> any _AttributeCodec.Type { _AnyRawCodec<Value, Raw>.self }
    return open(native)
  }
}

/// A codec whose values are optional.
private protocol OptionalCodec: _AttributeCodec {
  static var wrapped: any _AttributeCodec.Type { get }
}

extension _OptionalCodec: OptionalCodec {
  static var wrapped: any _AttributeCodec.Type { Wrapped.self }
}

/// `_RawCodec` for a type of which only the running program knows that its raw value has a column.
private enum _AnyRawCodec<Value: RawRepresentable & Codable, Raw: _NativeValue>: _AttributeCodec {
  static var columnType: _ColumnType { Raw._columnType }
  static var isOptional: Bool { false }
  static var semantics: _ColumnSemantics { .rawValue(Raw._semantics) }
  static var placeholder: Value? { nil }

  static func decode(_ value: SQLValue) -> Value? {
    (Raw._decode(value) as? Value.RawValue).flatMap(Value.init(rawValue:))
  }

  static func encode(_ value: Value) throws -> SQLValue { try (value.rawValue as? Raw)?._encode() ?? .null }
}
