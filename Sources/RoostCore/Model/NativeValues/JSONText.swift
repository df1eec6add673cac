internal import Foundation

/// `Codable` values as the JSON text of one column: with sorted keys and sets, so that equal values have equal texts.
enum JSONText {
  static func encode(_ value: some Encodable) throws -> String {
    if let set = value as? any UnorderedElements {
      return "[" + (try set.elementTexts()).sorted().joined(separator: ",") + "]"
    }
    return String(decoding: try encoder.encode(value), as: UTF8.self)
  }

  static func decode<Value: Decodable>(_ type: Value.Type, from text: String) throws -> Value {
    try decoder.decode(type, from: Data(text.utf8))
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

/// A set, whose elements come in another order in each process. One inside another value keeps that order.
private protocol UnorderedElements {
  func elementTexts() throws -> [String]
}

extension Set: UnorderedElements where Element: Encodable {
  fileprivate func elementTexts() throws -> [String] { try map { try JSONText.encode($0) } }
}
