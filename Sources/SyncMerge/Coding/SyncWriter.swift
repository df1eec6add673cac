/// Writes values behind each other. Small numbers take few bytes.
package struct SyncWriter: ~Copyable {
  /// The first byte of all that is written whole.
  package static let version: UInt8 = 1

  package private(set) var bytes: [UInt8] = []

  package init() {}

  package mutating func write(byte: UInt8) { bytes.append(byte) }

  /// Seven bits a byte, the lowest first; all bytes but the last have the highest bit set.
  package mutating func write(_ number: UInt64) {
    var rest = number
    while rest >= 0x80 {
      bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    bytes.append(UInt8(truncatingIfNeeded: rest))
  }

  /// Numbers near zero take few bytes, negative ones too.
  package mutating func write(_ number: Int64) { write(UInt64(bitPattern: number << 1 ^ number >> 63)) }

  package mutating func write(_ number: Int) { write(Int64(number)) }

  /// Always eight bytes, for numbers of which few are small.
  package mutating func write(fixed number: UInt64) {
    Swift.withUnsafeBytes(of: number.littleEndian) { bytes.append(contentsOf: $0) }
  }

  package mutating func write(count: Int) { write(UInt64(count)) }

  package mutating func write(_ blob: [UInt8]) {
    write(count: blob.count)
    bytes.append(contentsOf: blob)
  }

  package mutating func write(_ text: String) {
    let utf8 = text.utf8
    write(count: utf8.count)
    bytes.append(contentsOf: utf8)
  }

  package mutating func write(_ values: [some SyncCodable]) {
    write(count: values.count)
    for value in values { value.encode(to: &self) }
  }

  package mutating func write(_ fields: SyncFields<some SyncCodable>) {
    write(count: fields.count)
    for (number, value) in fields {
      write(number)
      value.encode(to: &self)
    }
  }

  package mutating func write(_ value: (some SyncCodable)?) {
    write(byte: value == nil ? 0 : 1)
    value?.encode(to: &self)
  }
}
