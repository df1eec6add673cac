#if os(Linux)
  internal import CVault
  import Foundation

  extension SecretStore {
    /// The Linux kernel's keyring of the login session, or of the user where there is none: a cache in no file.
    ///
    /// It is gone with the session, at the latest when the system starts anew. A secret has at most 32,767 bytes, and
    /// users other than root have some 20,000 bytes in all. Containers as a rule refuse the keyring: then each call
    /// throws ``SecretError/unavailable``.
    ///
    /// ```swift
    /// let cache = SecretStore.kernelKeyring
    /// let password = try cache.get(String.self, for: "database") ?? askForPassword()
    /// ```
    public static var kernelKeyring: SecretStore { SecretStore(KernelKeyring()) }
  }

  /// Keys of the type "user" in the keyring of the session.
  struct KernelKeyring: SecretBackend {
    func read(_ name: SecretName) throws -> Secret? { try key(of: name).flatMap { try bytes(of: $0) } }

    func write(_ secret: Secret, for name: SecretName, access: SecretAccess) throws {
      if access.isWhenUnlocked {
        throw access.unsupported(by: "The kernel's keyring", because: "it is open for as long as the session lasts")
      }
      // The kernel takes no empty ones.
      if secret.count == 0 || secret.count > 32_767 {
        throw SecretError(
          .tooLarge, "The kernel's keyring takes 1 to 32,767 bytes, and '\(name.account)' has \(secret.count).",
          remedy: "Keep a key there, and what it encrypts in a file.")
      }
      let description = try description(of: name)
      let keyring = try keyring()
      let key = secret.withUnsafeBytes { roost_key_add(description, $0.baseAddress, $0.count, keyring) }
      if key < 0 { throw refusal("keep", name.account) }
    }

    func add(_ secret: Secret, for name: SecretName, access: SecretAccess) throws -> Secret {
      // The kernel replaces a key that is there.
      try ProcessLock.ofUser.whileHeld {
        if let winner = try read(name) { return winner }
        try write(secret, for: name, access: access)
        return secret
      }
    }

    func remove(_ name: SecretName) throws -> Bool {
      guard let key = try key(of: name) else { return false }
      if roost_key_invalidate(key) == 0 { return true }
      if isGone(errno) { return false }
      throw refusal("remove", name.account)
    }

    func accounts(of service: String) throws -> [String] {
      let prefix = KeyDescription(service: service).text
      return try keys().compactMap { key in
        // Type, user, group, permissions, and the description.
        let fields = describe(key)?.split(separator: ";", maxSplits: 4) ?? []
        guard fields.count == 5, fields[0] == "user", fields[4].hasPrefix(prefix) else { return nil }
        return String(fields[4].dropFirst(prefix.count))
      }
    }
  }

  // MARK: - Keys

  extension KernelKeyring {
    private func description(of name: SecretName) throws -> String {
      let description = KeyDescription(service: name.service).text + name.account
      // The kernel's limit, with the NUL.
      if description.utf8.count < 4_096 { return description }
      throw SecretError(
        .unsupportedName, "The kernel's keyring takes no name of \(description.utf8.count) bytes.",
        remedy: "Shorten the service and the account.")
    }

    private func keyring() throws -> Int32 {
      let keyring = roost_keyring()
      if keyring >= 0 { return keyring }
      throw refusal("find", "keys")
    }

    private func key(of name: SecretName) throws -> Int32? {
      let key = try roost_key_search(keyring(), description(of: name))
      if key >= 0 { return key }
      if isGone(errno) { return nil }
      throw refusal("look for", name.account)
    }

    private func bytes(of key: Int32) throws -> Secret? {
      // Another process may replace it by a longer one in between.
      for _ in 0..<10 {
        let count = roost_key_read(key, nil, 0)
        if count < 0 { break }
        var read = 0
        let secret = Secret(count: count) { read = roost_key_read(key, $0.baseAddress, $0.count) }
        if read == count { return secret }
        if read < 0 { break }
      }
      if isGone(errno) { return nil }
      throw refusal("read", "key \(key)")
    }

    private func keys() throws -> [Int32] {
      let keyring = try keyring()
      for _ in 0..<10 {
        let count = roost_key_read(keyring, nil, 0)
        if count < 0 { break }
        var keys = [Int32](repeating: 0, count: count / MemoryLayout<Int32>.size)
        let read = keys.withUnsafeMutableBytes { roost_key_read(keyring, $0.baseAddress, $0.count) }
        if read >= 0 && read <= count { return Array(keys.prefix(read / MemoryLayout<Int32>.size)) }
        if read < 0 { break }
      }
      if isGone(errno) { return [] }
      throw refusal("list", "the keys")
    }

    private func describe(_ key: Int32) -> String? {
      var bytes = [CChar](repeating: 0, count: 4_200)
      let count = bytes.withUnsafeMutableBufferPointer { roost_key_describe(key, $0.baseAddress, $0.count) }
      // With the NUL at the end.
      guard count > 0, count <= bytes.count else { return nil }
      return String(validating: bytes.prefix(count - 1).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    private func isGone(_ number: Int32) -> Bool {
      number == ENOKEY || number == EKEYEXPIRED || number == EKEYREVOKED
    }

    private func refusal(_ action: String, _ what: String) -> SecretError {
      let number = errno
      let reason = String(cString: strerror(number))
      if number == EDQUOT {
        return SecretError(
          .tooLarge, "The kernel's keyring has no room to \(action) \(what).",
          remedy: "Remove other keys, or raise /proc/sys/kernel/keys/maxbytes.")
      }
      return SecretError(
        .unavailable, "The kernel does not let this program \(action) \(what) in its keyring: \(reason).",
        remedy: "Containers refuse the keyring as a rule: use `.file(at:key:)` there.")
    }
  }

  /// What a key's description begins with. The length of the service tells where it ends, whatever is in it.
  private struct KeyDescription {
    let service: String
    var text: String { "roost:\(service.utf8.count):\(service):" }
  }
#endif
