#if Vault
  import Crypto
  import CryptoExtras
  import Foundation

  /// What stands in a file before what is encrypted: how the key is made of the
  /// passphrase. The encryption covers it too.
  struct SecretFileHeader: Hashable {
    private static let magic = Array("ROOSTSEC".utf8)
    private static let version: UInt8 = 1
    private static let saltLength = 16
    private static let largestMemory = 256 << 20
    static let length = magic.count + 4 + saltLength

    /// scrypt's N is two to the power of this. 17 needs 128 MiB and a third of a second or so.
    private let power: UInt8
    private let blockSize: UInt8
    private let parallelism: UInt8
    private let salt: [UInt8]

    /// For a new file.
    init(power: UInt8) {
      self.power = power
      blockSize = 8
      parallelism = 1
      var generator = SystemRandomNumberGenerator()
      salt = (0..<Self.saltLength).map { _ in UInt8.random(in: 0...(.max), using: &generator) }
    }

    /// Nil where the bytes are of no file that Roost wrote, or ask for more memory than it ever would.
    init?(_ bytes: Data) {
      let bytes = Array(bytes.prefix(Self.length))
      guard bytes.count == Self.length, bytes.starts(with: Self.magic) else { return nil }
      let numbers = bytes[Self.magic.count...]
      let first = numbers.startIndex
      guard numbers[first] == Self.version else { return nil }
      (power, blockSize, parallelism) = (numbers[first + 1], numbers[first + 2], numbers[first + 3])
      guard (1...20).contains(power), blockSize > 0, parallelism > 0 else { return nil }
      guard (128 << Int(power)) * Int(blockSize) * Int(parallelism) <= Self.largestMemory else { return nil }
      salt = Array(numbers.dropFirst(4))
    }

    var bytes: Data { Data(Self.magic + [Self.version, power, blockSize, parallelism] + salt) }

    func key(from passphrase: Secret) throws -> SymmetricKey {
      try passphrase.withUnsafeBytes {
        try KDF.Scrypt.deriveKey(
          from: $0, salt: salt, outputByteCount: 32, rounds: 1 << Int(power), blockSize: Int(blockSize),
          parallelism: Int(parallelism))
      }
    }
  }
#endif
