public import Foundation
public import RoostSQL

// Kept as the absolute string. What a base and a relative part were is not kept.
extension URL: _NativeValue {
  public static var _columnType: _ColumnType { .text }
  public static var _semantics: _ColumnSemantics { .url }
  public static var _placeholder: URL { URL(filePath: "/") }

  public static func _decode(_ value: SQLValue) -> URL? {
    guard case .text(let text) = value else { return nil }
    // `URL(string:)` refuses an empty text, which is that of an empty URL nevertheless.
    return text.isEmpty ? URLComponents().url : URL(string: text)
  }

  public func _encode() throws -> SQLValue { .text(absoluteString) }
}
