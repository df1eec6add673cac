import Foundation

/// Default values as JSON text, for schemas in files.
enum DefaultValueText {
  /// nil when the value is not `Codable`, or not as JSON: a file can do without a default.
  static func text(_ value: Any) -> String? {
    guard let value = CodableTypes.encodable(value) else { return nil }
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return (try? encoder.encode(value)).map { String(decoding: $0, as: UTF8.self) }
  }

  static func value(_ text: String, as type: any Any.Type) -> Any? {
    guard let type = CodableTypes.decodable(type) else { return nil }
    return try? JSONDecoder().decode(type, from: Data(text.utf8))
  }
}
