public import RoostSQL

extension String: _NativeValue {
  public static var _columnType: _ColumnType { .text }
  public static var _semantics: _ColumnSemantics { .string }
  public static var _placeholder: String { "" }

  public static func _decode(_ value: SQLValue) -> String? {
    guard case .text(let text) = value else { return nil }
    return text
  }

  public func _encode() throws -> SQLValue { .text(self) }
}
