public import RoostSQL

extension Double: _NativeValue {
  public static var _columnType: _ColumnType { .real }
  public static var _semantics: _ColumnSemantics { .real }
  public static var _placeholder: Double { 0 }

  public static func _decode(_ value: SQLValue) -> Double? {
    switch value {
    case .real(let value): value
    case .integer(let value): Double(value)
    default: nil
    }
  }

  public func _encode() throws -> SQLValue { .real(try refusingNaN(self)) }
}

extension Float: _NativeValue {
  public static var _columnType: _ColumnType { .real }
  public static var _semantics: _ColumnSemantics { .real }
  public static var _placeholder: Float { 0 }

  public static func _decode(_ value: SQLValue) -> Float? { Double._decode(value).map { Float($0) } }

  public func _encode() throws -> SQLValue { .real(Double(try refusingNaN(self))) }
}

/// SQLite makes NaN NULL, which would come back as nil or not at all.
func refusingNaN<Value: FloatingPoint>(_ value: Value) throws -> Value {
  guard value.isNaN else { return value }
  throw UnstorableValue.notANumber
}
