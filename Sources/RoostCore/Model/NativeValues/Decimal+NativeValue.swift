public import Foundation
public import RoostSQL

// Kept as its digits: exact, and legible. Queries compare it as a number.
extension Decimal: _NativeValue {
  public static var _columnType: _ColumnType { .text }
  public static var _semantics: _ColumnSemantics { .decimal }
  public static var _placeholder: Decimal { 0 }

  public static func _decode(_ value: SQLValue) -> Decimal? {
    switch value {
    case .text(let text): DecimalText.decimal(text.utf8)
    case .integer(let value): Decimal(value)
    default: nil
    }
  }

  public func _encode() throws -> SQLValue {
    guard isNaN else { return .text(DecimalText.text(self)) }
    throw UnstorableValue.notANumber
  }
}
