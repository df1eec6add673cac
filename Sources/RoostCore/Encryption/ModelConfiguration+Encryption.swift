package import Foundation
package import RoostEngine

extension ModelConfiguration {
  /// What a store's files are encrypted with: a key, or a passphrase that a key is made from.
  ///
  /// ```swift
  /// let configuration = ModelConfiguration("Notes", encryption: .key(key))
  /// ```
  /// The database, its log and backups, and the files of large values hold nothing in plain then. A store is
  /// encrypted from its beginning; ``ModelContainer/changeEncryption(of:to:)`` does it to one that is there. A store in
  /// memory has no files, and is kept as it is.
  ///
  /// It takes the package's trait `Encryption`, with which SQLCipher is linked in place of SQLite. Without it making a
  /// container throws ``SwiftDataError/loadIssueModelContainer``.
  /// - Source: [SQLCipher's design](https://www.zetetic.net/sqlcipher/design/).
  public struct Encryption: Hashable, Sendable {
    private enum Secret: Hashable {
      case key(SecretBytes)
      case passphrase(Passphrase)
    }

    private let secret: Secret

    /// A key of 32 random bytes, which opens a store in less than a millisecond.
    ///
    /// Keep it where the system keeps secrets. Whoever loses it loses the store.
    /// - Parameter bytes: the key, as `Data` or an array of bytes. A container is not made with more or fewer than 32.
    /// - Returns: an encryption with that key.
    public static func key(_ bytes: some Sequence<UInt8>) -> Encryption {
      // A sequence tells how long it is only in its end.
      var copy = Array(bytes)
      defer { copy.withUnsafeMutableBytes { SecretBytes.wipe($0) } }
      return Encryption(secret: .key(copy.withUnsafeBytes { SecretBytes(copying: $0) }))
    }

    /// A passphrase that somebody remembers, from which a key is made once for each container.
    ///
    /// That takes a tenth of a second on purpose: whoever has the file must not try many.
    /// - Parameter text: the passphrase, whose UTF-8 bytes count; SQLCipher's own tools open the store with the same.
    /// - Returns: an encryption with a key made of it.
    public static func passphrase(_ text: String) -> Encryption {
      Encryption(secret: .passphrase(Passphrase(text)))
    }

    /// Says what is wrong with it; nil if nothing is.
    var problem: String? {
      switch secret {
      case .key(let bytes) where bytes.count != DatabaseKey.byteCount:
        "The encryption's key has \(bytes.count) bytes, and must have \(DatabaseKey.byteCount)."
      case .passphrase(let passphrase) where passphrase.bytes.count == 0: "The encryption's passphrase is empty."
      default: nil
      }
    }

    /// The key of a file, or of one that is made there.
    package func key(of file: URL) throws -> DatabaseKey {
      switch secret {
      case .passphrase(let passphrase): return try passphrase.key(of: file)
      case .key(let bytes):
        guard let key = DatabaseKey(bytes) else { throw SwiftDataError.loadIssue(problem ?? "", url: file) }
        return key
      }
    }
  }

  /// The key of the store's file; nil for one that everybody can read.
  package var key: DatabaseKey? { get throws { try isStoredInMemoryOnly ? nil : key(of: url) } }

  /// The key of a file that is the store's or a copy of it.
  package func key(of file: URL) throws -> DatabaseKey? { try encryption?.key(of: file) ?? .standard }
}

extension ModelConfiguration.Encryption: CustomStringConvertible, CustomReflectable {
  /// Always the same, so that no log has the key.
  public var description: String { "<secret>" }
  /// Has no children, so that `dump` does not show the key.
  public var customMirror: Mirror { Mirror(self, children: [:]) }
}
