import Foundation
import RoostEngine
import Synchronization

#if Encryption
  import CryptoExtras
#endif

/// A passphrase, and the key that was last made from it.
final class Passphrase: Sendable {
  /// SQLCipher's own, so that its tools open the file with the passphrase.
  private static let rounds = 256_000
  let bytes: SecretBytes
  private let made = Mutex<(file: URL, key: DatabaseKey)?>(nil)

  init(_ text: String) {
    var text = text
    bytes = text.withUTF8 { SecretBytes(copying: UnsafeRawBufferPointer($0)) }
  }

  /// Makes the key of a file from its salt, or, for a file that is not there yet, from a new one.
  ///
  /// - Throws: ``SwiftDataError/storeInputOutput`` for a file that cannot be read.
  func key(of file: URL) throws -> DatabaseKey {
    let salt = try Self.salt(of: file)
    return try made.withLock { made in
      if let made, salt.map({ made.key.salt == $0 }) ?? (made.file == file) { return made.key }
      let key = try derive(salt ?? (0..<DatabaseKey.saltByteCount).map { _ in UInt8.random(in: .min ... .max) })
      made = (file, key)
      return key
    }
  }

  /// What a file begins with; nil for one that is empty or not there.
  private static func salt(of file: URL) throws -> [UInt8]? {
    guard Disk.exists(file) else { return nil }
    do {
      let bytes = try DatabaseFile.firstBytes(of: file.path, DatabaseKey.saltByteCount)
      return bytes.count == DatabaseKey.saltByteCount ? bytes : nil
    } catch {
      throw SwiftDataError(
        .storeInputOutput, "The file cannot be read.", remedy: "Allow this user to read it.", underlying: error,
        url: file)
    }
  }

  /// Source: [SQLCipher, key derivation](https://www.zetetic.net/sqlcipher/design/): PBKDF2 with HMAC-SHA-512.
  private func derive(_ salt: [UInt8]) throws -> DatabaseKey {
    #if Encryption
      let key = try bytes.withBytes { bytes in
        try KDF.Insecure.PBKDF2.deriveKey(
          from: bytes, salt: salt, using: .sha512, outputByteCount: DatabaseKey.byteCount, rounds: Self.rounds)
      }
      if let key = DatabaseKey(key.withUnsafeBytes { SecretBytes(copying: $0) }, salt: salt) { return key }
    #endif
    throw SwiftDataError.encryptionIsOff(url: nil)
  }
}

extension Passphrase: Hashable {
  static func == (left: Passphrase, right: Passphrase) -> Bool { left.bytes == right.bytes }
  func hash(into hasher: inout Hasher) { hasher.combine(bytes) }
}
