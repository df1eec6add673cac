/// What an encrypted database's pages are encrypted with.
///
/// Source: [SQLCipher, raw keys](https://www.zetetic.net/sqlcipher/sqlcipher-api/#key).
package struct DatabaseKey: Hashable, Sendable {
  /// The bytes of a key.
  package static let byteCount = 32
  /// The bytes at a file's beginning that its key is mixed with.
  package static let saltByteCount = 16

  package let bytes: SecretBytes
  /// What a new file begins with, where the key was made for it; nil for random bytes.
  package let salt: [UInt8]?

  /// Makes a key; nil unless there are as many bytes as it takes.
  package init?(_ bytes: SecretBytes, salt: [UInt8]? = nil) {
    guard bytes.count == Self.byteCount, salt.map({ $0.count == Self.saltByteCount }) ?? true else { return nil }
    (self.bytes, self.salt) = (bytes, salt)
  }

  /// The key as SQLCipher reads it: `x'…'`, with the digits of the key and the salt.
  var specification: SecretBytes {
    let salt = salt ?? []
    return SecretBytes(count: 3 + 2 * (Self.byteCount + salt.count)) { text in
      func digit(_ value: UInt8) -> UInt8 { value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") - 10 + value }
      (text[0], text[1], text[text.count - 1]) = (UInt8(ascii: "x"), UInt8(ascii: "'"), UInt8(ascii: "'"))
      bytes.withBytes { bytes in
        for (index, byte) in [AnySequence(bytes), AnySequence(salt)].joined().enumerated() {
          (text[2 + 2 * index], text[3 + 2 * index]) = (digit(byte >> 4), digit(byte & 15))
        }
      }
    }
  }
}
