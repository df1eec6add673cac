internal import Foundation

/// `Codable` values as the JSON text of one column: with sorted keys, so that equal values have equal texts.
enum JSONText {
  static func encode(_ value: some Encodable) throws -> String {
    String(decoding: try encoder.encode(value), as: UTF8.self)
  }

  static func decode<Value: Decodable>(_ type: Value.Type, from text: String) throws -> Value {
    try decoder.decode(type, from: Data(text.utf8))
  }

  /// What a value of the type is when nothing is known of it: what it makes of an empty JSON form, or nil.
  static func placeholder<Value: Decodable>(_ type: Value.Type) -> Value? {
    for text in ["[]", "{}", "\"\"", "0", "false", "null"] {
      if let value = try? decode(type, from: text) { return value }
    }
    return nil
  }

  private static let encoder: JSONEncoder = {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    encoder.nonConformingFloatEncodingStrategy = .convertToString(
      positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
    return encoder
  }()

  private static let decoder: JSONDecoder = {
    let decoder = JSONDecoder()
    decoder.nonConformingFloatDecodingStrategy = .convertFromString(
      positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
    return decoder
  }()
}
