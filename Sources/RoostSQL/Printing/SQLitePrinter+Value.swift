internal import Foundation

extension SQLitePrinter {
  mutating func append(_ value: SQLValue) {
    if printsLiterals { append(literal: value) } else { append(argument: value) }
  }

  mutating func append(argument value: SQLValue) {
    append("?")
    arguments.append(value)
  }

  mutating func append(literal value: SQLValue) {
    switch value {
    case .null: append("NULL")
    case .integer(.min): append("(-9223372036854775807 - 1)")  // 9223372036854775808 alone would be read as a REAL
    case .integer(let value): append("\(value)")
    case .real(let value) where value.isNaN: append("NULL")
    case .real(let value) where value.isInfinite: append(value < 0 ? "-9e999" : "9e999")
    case .real(let value): append("\(value)")
    case .text(let text): append(literal: text)
    case .blob(let data):
      append("x'")
      append(hexadecimal(data))
      append("'")
    }
  }

  private mutating func append(literal text: String) {
    guard !text.utf8.contains(0) else {
      // SQL text ends at a NUL, so such a string is spelled as bytes.
      return append("CAST(x'\(hexadecimal(text.utf8))' AS TEXT)")
    }
    var quoted = "'"
    for scalar in text.unicodeScalars {
      quoted.unicodeScalars.append(scalar)
      if scalar == "'" { quoted.unicodeScalars.append(scalar) }
    }
    append(quoted + "'")
  }

  private func hexadecimal(_ bytes: some Sequence<UInt8>) -> String {
    let digits = Array("0123456789abcdef".utf8)
    var result: [UInt8] = []
    for byte in bytes {
      result.append(digits[Int(byte >> 4)])
      result.append(digits[Int(byte & 15)])
    }
    return String(decoding: result, as: UTF8.self)
  }
}
