public import RoostSQL

/// An integer that fits a column as it is.
@_documentation(visibility: private)
public protocol _NativeInteger: _NativeValue, FixedWidthInteger {}

extension _NativeInteger {
  public static var _columnType: _ColumnType { .integer }
  public static var _semantics: _ColumnSemantics { .integer }
  public static var _placeholder: Self { 0 }

  public static func _decode(_ value: SQLValue) -> Self? {
    guard case .integer(let value) = value else { return nil }
    return Self(exactly: value)
  }

  public func _encode() throws -> SQLValue { .integer(Int64(truncatingIfNeeded: self)) }
}

extension Int: _NativeInteger {}
extension Int8: _NativeInteger {}
extension Int16: _NativeInteger {}
extension Int32: _NativeInteger {}
extension Int64: _NativeInteger {}
extension UInt8: _NativeInteger {}
extension UInt16: _NativeInteger {}
extension UInt32: _NativeInteger {}
