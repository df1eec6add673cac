public import Foundation
public import RoostSQL

// Kept as `timeIntervalSinceReferenceDate`, the number a `Date` consists of: bit-exact, and SQL sorts it.
extension Date: _NativeValue {
  public static var _columnType: _ColumnType { .real }
  public static var _semantics: _ColumnSemantics { .date }
  public static var _placeholder: Date { Date(timeIntervalSinceReferenceDate: 0) }

  public static func _decode(_ value: SQLValue) -> Date? {
    Double._decode(value).map(Date.init(timeIntervalSinceReferenceDate:))
  }

  public func _encode() throws -> SQLValue { try timeIntervalSinceReferenceDate._encode() }
}
