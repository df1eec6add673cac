import Foundation
import RoostSQL

extension SQLValue {
  /// Reads what SQLite's `quote()` writes; nil when it is something else.
  ///
  /// By bytes, as a quote and an accent behind it are one character.
  init?(literal: String) {
    let bytes = Array(literal.utf8)
    switch bytes.first {
    case UInt8(ascii: "'"): self = .text(Self.unquoted(bytes))
    case UInt8(ascii: "X"):
      guard let blob = Self.blob(bytes) else { return nil }
      self = .blob(blob)
    case UInt8(ascii: "N"): self = .null
    default:
      if let number = Int64(literal) {
        self = .integer(number)
      } else if let number = Double(literal) {
        self = .real(number)
      } else {
        return nil
      }
    }
  }

  private static func unquoted(_ bytes: [UInt8]) -> String {
    let quote = UInt8(ascii: "'")
    var text: [UInt8] = []
    var isSecond = false
    for byte in bytes.dropFirst().dropLast() {
      if byte == quote, isSecond {
        isSecond = false
        continue
      }
      isSecond = byte == quote
      text.append(byte)
    }
    return String(decoding: text, as: UTF8.self)
  }

  private static func blob(_ bytes: [UInt8]) -> Data? {
    let digits = bytes.dropFirst(2).dropLast()
    var data = Data()
    var place = digits.startIndex
    while place + 1 < digits.endIndex {
      guard let byte = UInt8(String(decoding: digits[place...place + 1], as: UTF8.self), radix: 16) else { return nil }
      data.append(byte)
      place += 2
    }
    return data
  }
}
