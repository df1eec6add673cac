internal import Foundation
internal import RoostSQL

/// Lists too long to bind one by one (SQLite takes 32,766 arguments): one JSON text, taken apart by SQLite.
enum LongLists {
  static func select(_ values: [SQLValue]) -> SQLSelect {
    var items: [String] = []
    var result = SQLExpression.column("value")
    for value in values {
      switch value {
      case .null: continue
      case .integer(let value): items.append("\(value)")
      case .real(let value):
        // As bits, because SQLite's own reading of decimal fractions is not exact.
        items.append("\(Int64(bitPattern: value.bitPattern))")
        result = .function(.double, [.column("value")])
      case .text(let text):
        items.append("\"\(hexadecimal(text.utf8))\"")
        result = .cast(.function(.unhex, [.column("value")]), .text)
      case .blob(let data):
        items.append("\"\(hexadecimal(data))\"")
        result = .function(.unhex, [.column("value")])
      }
    }
    let json = SQLExpression.text("[\(items.joined(separator: ","))]")
    return SQLSelect([SQLResultColumn(result)], from: .function(.jsonEach, [json], alias: nil))
  }

  private static func hexadecimal(_ bytes: some Collection<UInt8>) -> String {
    let digits = Array("0123456789abcdef".utf8)
    return String(unsafeUninitializedCapacity: bytes.count * 2) { buffer in
      var index = 0
      for byte in bytes {
        buffer[index] = digits[Int(byte >> 4)]
        buffer[index + 1] = digits[Int(byte & 15)]
        index += 2
      }
      return index
    }
  }
}
