public import Foundation
public import RoostSQL

// Kept as the absolute string. What a base and a relative part were is not kept.
extension URL: _NativeValue {
  public static var _columnType: _ColumnType { .text }
  public static var _semantics: _ColumnSemantics { .url }
  public static var _placeholder: URL { URL(filePath: "/") }

  public static func _decode(_ value: SQLValue) -> URL? {
    guard case .text(let text) = value else { return nil }
    return URL(string: text) ?? unparsed(text)
  }

  /// What `URL(string:)` refuses, but which URLs consist of that are made in other ways.
  private static func unparsed(_ text: String) -> URL? {
    text.isEmpty ? URLComponents().url : URL(dataRepresentation: Data(text.utf8), relativeTo: nil)
  }

  public func _encode() throws -> SQLValue { .text(absoluteString) }
}
