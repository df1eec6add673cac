import Foundation
package import RoostEngine

#if Encryption
  import Crypto
#endif

/// Encrypts the files of large values, with a key of their own that the encrypted database holds.
///
/// So a copy of the database opens the same files, whatever the copy is encrypted with. AES-GCM, with the file's name
/// as authenticated data: a file under another's name is as unreadable as a changed one.
package struct FileCipher: Equatable, Sendable {
  /// A file whose bytes are not those that were written.
  struct Unreadable: Error, CustomStringConvertible {
    var description: String { "the file was changed, or encrypted with another key" }
  }

  /// A database with a key and without one for its files: another program encrypted it, and left them as they are.
  struct NoKey: Error, CustomStringConvertible {
    var description: String {
      "another program encrypted the store, and not its files: ModelContainer.changeEncryption(of:to:) does, also to the "
        + "key that it has"
    }
  }

  #if Encryption
    private let key: SymmetricKey?

    /// nil for a store whose files everybody can read. In no other case is anything written in plain.
    package init?(_ connection: Connection) throws {
      let stored = try StoreCatalog(connection).value(.fileKey)
      // A plain database has one where another program decrypted it, which left its files as they are.
      if connection.options.key == nil, stored == nil { return nil }
      key = stored.flatMap { Data(base64Encoded: $0) }.map { SymmetricKey(data: $0) }
    }

    /// Whether the files are encrypted.
    package var hasKey: Bool { key != nil }

    /// Gives a database that is encrypted a key for its files, and takes it from one that is not.
    package static func makeKey(_ connection: Connection) throws {
      guard connection.options.key != nil else { return try StoreCatalog(connection).remove(.fileKey) }
      let key = SymmetricKey(size: .bits256).withUnsafeBytes { Data($0) }
      // A log of statements with their values would have it.
      try connection.untraced { try StoreCatalog(connection).set(.fileKey, key.base64EncodedString()) }
    }

    func seal(_ bytes: Data, _ name: ExternalName) throws -> Data {
      guard let key else { throw NoKey() }
      let sealed = try AES.GCM.seal(bytes, using: key, authenticating: Data(name.text.utf8))
      // nil only for a nonce of another length than the usual.
      guard let combined = sealed.combined else { throw Unreadable() }
      return combined
    }

    func open(_ bytes: Data, _ name: ExternalName) throws -> Data {
      guard let key else { throw NoKey() }
      guard let box = try? AES.GCM.SealedBox(combined: bytes),
        let opened = try? AES.GCM.open(box, using: key, authenticating: Data(name.text.utf8))
      else { throw Unreadable() }
      return opened
    }
  #else
    /// The files are those of an encrypted store.
    struct Off: Error, CustomStringConvertible {
      var description: String {
        "another program decrypted the store, and not its files: ModelContainer.changeEncryption(of:to:) does, in a program "
          + "with the trait Encryption"
      }
    }

    /// nil but for a database that another program decrypted.
    package init?(_ connection: Connection) throws {
      if try StoreCatalog(connection).value(.fileKey) == nil { return nil }
    }
    package var hasKey: Bool { false }
    package static func makeKey(_ connection: Connection) throws {}
    func seal(_ bytes: Data, _ name: ExternalName) throws -> Data { throw Off() }
    func open(_ bytes: Data, _ name: ExternalName) throws -> Data { throw Off() }
  #endif
}
