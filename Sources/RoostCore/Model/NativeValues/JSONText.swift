internal import Foundation

/// `Codable` values as the JSON text of one column: with sorted keys and sets, so that equal values have equal texts.
package enum JSONText {
  /// - Throws: what the value's own code throws, and `UnstorableValue` for a text that could not be read again.
  package static func encode(_ value: some Encodable) throws -> String {
    if let set = value as? any UnorderedElements {
      return "[" + (try set.elementTexts()).sorted().joined(separator: ",") + "]"
    }
    let text = try encoder.encode(value)
    if text.withUnsafeBytes(hasNaN) { throw UnstorableValue.notANumber }
    return String(decoding: text, as: UTF8.self)
  }

  /// Whether a number is written as `NaN`, which is no JSON: so a `Decimal` is, whatever the encoder is told of others.
  private static func hasNaN(_ text: UnsafeRawBufferPointer) -> Bool {
    var isInString = false
    var index = 0
    while index < text.count {
      switch text[index] {
      case UInt8(ascii: "\""): isInString.toggle()
      case UInt8(ascii: "\\"): index += 1
      case UInt8(ascii: "N"): if !isInString { return true }
      default: break
      }
      index += 1
    }
    return false
  }

  package static func decode<Value: Decodable>(_ type: Value.Type, from text: String) throws -> Value {
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
