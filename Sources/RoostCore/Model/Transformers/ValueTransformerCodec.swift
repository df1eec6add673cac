#if canImport(Darwin)
  public import Foundation
  public import RoostSQL

  /// Values that Foundation's transformer makes `Data` of.
  @_documentation(visibility: private)
  public enum _ValueTransformerCodec<Transformer: ValueTransformer, Value>: _AttributeCodec {
    public static var columnType: _ColumnType { .blob }
    public static var isOptional: Bool { false }
    public static var semantics: _ColumnSemantics { .transformed }
    public static func decode(_ value: SQLValue) -> Value? {
      guard case .blob(let data) = value else { return nil }
      return Transformer().reverseTransformedValue(data) as? Value
    }
    public static func encode(_ value: Value) throws -> SQLValue {
      if let data = Transformer().transformedValue(value) as? Data { return .blob(data) }
      throw UnstorableValue("\(Transformer.self) makes no Data of it.")
    }
    public static var placeholder: Value? { nil }
  }

  @_documentation(visibility: private)
  public func _transformableStorage<Value, T: ValueTransformer>(
    for type: Value.Type, by transformer: T.Type
  ) -> _Attribute<_ValueTransformerCodec<T, Value>> { .init() }

  @_documentation(visibility: private)
  public func _transformableStorage<Value, T: ValueTransformer>(
    for type: Value?.Type, by transformer: T.Type
  ) -> _Attribute<_OptionalCodec<_ValueTransformerCodec<T, Value>>> { .init() }
#endif
