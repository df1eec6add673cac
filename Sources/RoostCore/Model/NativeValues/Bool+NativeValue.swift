public import RoostSQL

extension Bool: _NativeValue {
  public static var _columnType: _ColumnType { .integer }
  public static var _semantics: _ColumnSemantics { .boolean }
  public static var _placeholder: Bool { false }

  public static func _decode(_ value: SQLValue) -> Bool? {
    switch value {
    case .integer(0): false
    case .integer(1): true
    default: nil
    }
  }

  public func _encode() throws -> SQLValue { .integer(self ? 1 : 0) }
}
