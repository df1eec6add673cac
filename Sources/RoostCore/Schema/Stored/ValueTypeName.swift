/// What a file calls the type of a column's values.
///
/// Types with the same values in the same form have the same name, so that a program may rename its own: an enum is
/// told by its raw value, and everything that is kept as JSON by that alone.
enum ValueTypeName {
  static func name(of codec: any _AttributeCodec.Type) -> String {
    let meaning = ColumnMeaning(codec)
    func open<Codec: _AttributeCodec>(_ codec: Codec.Type) -> any Any.Type { Codec.Value.self }
    return name(meaning.semantics, open(meaning.codec))
  }

  private static func name(_ semantics: _ColumnSemantics, _ type: any Any.Type) -> String {
    switch semantics {
    case .boolean: "Bool"
    case .integer, .unsigned: (type as? any FixedWidthInteger.Type).map { integerName($0) } ?? "Int64"
    case .real: type == Float.self ? "Float" : "Double"
    case .string: "String"
    case .date: "Date"
    case .data: "Data"
    case .uuid: "UUID"
    case .url: "URL"
    case .decimal: "Decimal"
    case .rawValue(let raw): "raw " + rawName(raw, type)
    case .json, .opaque: "JSON"
    case .transformed: "transformed"
    }
  }

  private static func rawName(_ semantics: _ColumnSemantics, _ type: any Any.Type) -> String {
    func open<Value: RawRepresentable>(_ type: Value.Type) -> any Any.Type { Value.RawValue.self }
    return name(semantics, (type as? any RawRepresentable.Type).map { open($0) } ?? type)
  }

  /// `Int` has another width on other processors.
  private static func integerName<Value: FixedWidthInteger>(_ type: Value.Type) -> String {
    (Value.isSigned ? "Int" : "UInt") + String(Value.bitWidth)
  }
}
