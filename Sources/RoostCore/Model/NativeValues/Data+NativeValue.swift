public import Foundation
public import RoostSQL

extension Data: _NativeValue {
  public static var _columnType: _ColumnType { .blob }
  public static var _semantics: _ColumnSemantics { .data }
  public static var _placeholder: Data { Data() }

  public static func _decode(_ value: SQLValue) -> Data? {
    guard case .blob(let data) = value else { return nil }
    return data
  }

  public func _encode() throws -> SQLValue { .blob(self) }
}
