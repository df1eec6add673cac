/// Values in bytes: a tag each, and what it is; numbers by as few bytes as they need.
package enum RowValues {
  enum Tag: UInt8 {
    case null, integer, real, text, blob
  }

  /// Adds a number, seven bits a byte, the lowest first.
  package static func append(_ number: UInt64, to bytes: inout [UInt8]) {
    var rest = number
    while rest >= 0x80 {
      bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    bytes.append(UInt8(rest))
  }

  /// Adds a number that may be negative, so that small ones need few bytes whatever their sign.
  package static func append(signed number: Int64, to bytes: inout [UInt8]) {
    append(UInt64(bitPattern: (number << 1) ^ (number >> 63)), to: &bytes)
  }

  package static func append(_ value: DatabaseValue, to bytes: inout [UInt8]) {
    switch value {
    case .null: bytes.append(Tag.null.rawValue)
    case .integer(let number):
      bytes.append(Tag.integer.rawValue)
      append(signed: number, to: &bytes)
    case .real(let number):
      bytes.append(Tag.real.rawValue)
      withUnsafeBytes(of: number.bitPattern.littleEndian) { bytes.append(contentsOf: $0) }
    case .text(let text):
      bytes.append(Tag.text.rawValue)
      append(UInt64(text.utf8.count), to: &bytes)
      bytes.append(contentsOf: text.utf8)
    case .blob(let blob):
      bytes.append(Tag.blob.rawValue)
      append(UInt64(blob.count), to: &bytes)
      bytes.append(contentsOf: blob)
    }
  }
}

/// Reads what ``RowValues`` wrote; nil where the bytes are none of that.
package struct RowValueReader {
  private let bytes: [UInt8]
  private var place = 0

  package init(_ bytes: [UInt8]) { self.bytes = bytes }

  package var isAtEnd: Bool { place == bytes.count }

  package mutating func byte() -> UInt8? {
    guard place < bytes.count else { return nil }
    defer { place += 1 }
    return bytes[place]
  }

  package mutating func number() -> UInt64? {
    var number: UInt64 = 0
    for shift in stride(from: 0, to: 64, by: 7) {
      guard let byte = byte() else { return nil }
      number |= UInt64(byte & 0x7f) << UInt64(shift)
      if byte < 0x80 { return number }
    }
    return nil
  }

  package mutating func signed() -> Int64? {
    number().map { Int64(bitPattern: $0 >> 1) ^ -Int64(bitPattern: $0 & 1) }
  }

  package mutating func value() -> DatabaseValue? {
    guard let tag = byte().flatMap(RowValues.Tag.init) else { return nil }
    switch tag {
    case .null: return .null
    case .integer: return signed().map(DatabaseValue.integer)
    case .real:
      guard let eight = slice(8) else { return nil }
      let bits = eight.reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
      return .real(Double(bitPattern: bits))
    case .text: return counted().map { .text(String(decoding: $0, as: UTF8.self)) }
    case .blob: return counted().map { .blob(.init($0)) }
    }
  }

  private mutating func counted() -> ArraySlice<UInt8>? { number().flatMap { slice(Int(clamping: $0)) } }

  private mutating func slice(_ count: Int) -> ArraySlice<UInt8>? {
    guard count <= bytes.count - place else { return nil }
    defer { place += count }
    return bytes[place..<place + count]
  }
}
