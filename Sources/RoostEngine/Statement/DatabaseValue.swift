/// One value as SQLite stores it.
package enum DatabaseValue: Sendable, Hashable {
  /// No value.
  case null
  /// A whole number.
  case integer(Int64)
  /// A floating-point number.
  case real(Double)
  /// Text; it may contain NULs.
  case text(String)
  /// Bytes.
  case blob([UInt8])
}

extension DatabaseValue: CustomStringConvertible {
  /// The value as an SQL literal.
  package var description: String {
    switch self {
    case .null: "NULL"
    case .integer(let value): String(value)
    case .real(let value): String(value)
    case .text(let value): "'\(String(value.flatMap { $0 == "'" ? "''" : String($0) }))'"
    case .blob(let bytes): "x'\(bytes.map(Self.hexadecimal).joined())'"
    }
  }

  private static func hexadecimal(_ byte: UInt8) -> String {
    let digits = String(byte, radix: 16)
    return byte < 16 ? "0" + digits : digits
  }
}
