public import RoostSQL

/// An integer with values beyond SQLite's largest: kept as the `Int64` of the same bits.
@_documentation(visibility: private)
public protocol _NativeUnsigned: _NativeValue, FixedWidthInteger, UnsignedInteger {}

extension _NativeUnsigned {
  public static var _columnType: _ColumnType { .integer }
  public static var _semantics: _ColumnSemantics { .unsigned }
  public static var _placeholder: Self { 0 }

  public static func _decode(_ value: SQLValue) -> Self? {
    guard case .integer(let value) = value else { return nil }
    return Self(exactly: UInt64(bitPattern: value))
  }

  public func _encode() throws -> SQLValue { .integer(Int64(truncatingIfNeeded: self)) }
}

extension UInt: _NativeUnsigned {}
extension UInt64: _NativeUnsigned {}
