#if Vault
  import Crypto
  import Foundation
  import Synchronization

  /// Secrets in an encrypted file.
  final class EncryptedFile: SecretBackend {
    private let file: PrivateFile
    private let source: SecretFileKey
    private let power: UInt8
    /// Making one takes long, on purpose.
    private let known = Mutex<(header: SecretFileHeader, key: SymmetricKey)?>(nil)

    init(_ url: URL, _ key: SecretFileKey, power: UInt8 = 17) {
      (file, source, self.power) = (PrivateFile(path: url.standardizedFileURL.path), key, power)
    }

    func read(_ name: SecretName) throws -> Secret? { try load()?.table.secrets[name] }

    func write(_ secret: Secret, for name: SecretName, access: SecretAccess) throws {
      try check(access)
      try change { $0[name] = secret }
    }

    func add(_ secret: Secret, for name: SecretName, access: SecretAccess) throws -> Secret {
      try check(access)
      return try change { secrets in
        let winner = secrets[name] ?? secret
        secrets[name] = winner
        return winner
      }
    }

    func remove(_ name: SecretName) throws -> Bool { try change { $0.removeValue(forKey: name) != nil } }

    func accounts(of service: String) throws -> [String] {
      try load()?.table.secrets.keys.filter { $0.service == service }.map(\.account) ?? []
    }

    private func check(_ access: SecretAccess) throws {
      if access.isThisDeviceOnly {
        throw access.unsupported(by: "An encrypted file", because: "it can be copied to another device")
      }
      if access.isWhenUnlocked {
        throw access.unsupported(
          by: "An encrypted file", because: "its key is there whether the device is locked or not")
      }
    }
  }

  // MARK: - The file

  extension EncryptedFile {
    private func change<Result>(_ body: (inout [SecretName: Secret]) -> Result) throws -> Result {
      try file.makeFolder()
      return try ProcessLock(path: file.path + ".lock").whileHeld {
        let loaded = try load()
        var table = loaded?.table ?? SecretTable()
        let former = table.secrets
        let result = body(&table.secrets)
        if loaded == nil && table.secrets.isEmpty || loaded != nil && table.secrets == former { return result }
        let header = loaded?.header ?? SecretFileHeader(power: power)
        let key = try key(header)
        let sealed = try table.encoded().withUnsafeBytes {
          try AES.GCM.seal($0, using: key, authenticating: header.bytes)
        }
        // Nil for a nonce of another length than AES.GCM makes.
        guard let body = sealed.combined else { throw damaged }
        try file.replace(with: header.bytes + body)
        return result
      }
    }

    private func load() throws -> (header: SecretFileHeader, table: SecretTable)? {
      guard let bytes = try file.read() else { return nil }
      guard let header = SecretFileHeader(bytes),
        let box = try? AES.GCM.SealedBox(combined: bytes.dropFirst(SecretFileHeader.length))
      else { throw damaged }
      let key = try key(header)
      guard var plain = try? AES.GCM.open(box, using: key, authenticating: header.bytes) else {
        throw SecretError(
          .wrongKey,
          "\(file.path) cannot be opened with this key: it was made with another, or somebody changed the file.",
          remedy: "Give the key that it was made with, or put a copy of the file back.")
      }
      defer { plain.resetBytes(in: plain.indices) }
      guard let table = plain.withUnsafeBytes({ SecretTable($0) }) else { throw damaged }
      return (header, table)
    }

    private func key(_ header: SecretFileHeader) throws -> SymmetricKey {
      if let known = known.withLock({ $0 }), known.header == header { return known.key }
      let key = try header.key(from: source.passphrase())
      known.withLock { $0 = (header, key) }
      return key
    }

    private var damaged: SecretError {
      SecretError(
        .damaged, "\(file.path) is no file of Roost's secrets, is cut off, or is of a later version of Roost.",
        remedy: "Put a copy back, or move the file away to begin anew.")
    }
  }
#endif
