extension SecretStore {
  private static let keyLength = 32

  /// The key by a name: 32 random bytes, made when they are first asked for and the same ever after.
  ///
  /// Programs that ask at once get the same key. ``list()`` has it as `key:` and the name. Whoever removes it, or loses
  /// what keeps it, can never again read what it encrypts: keep a copy of the key of what is worth it elsewhere.
  ///
  /// ```swift
  /// let key = try SecretStore.default.key(named: "notes")
  /// ```
  /// - Parameters:
  ///   - name: what the key is for.
  ///   - access: when it may be read; ``access`` unless it is said.
  /// - Returns: the key.
  /// - Throws: a ``SecretError``; no key is made where it is not certain that there is none.
  public func key(named name: String, access: SecretAccess? = nil) throws -> Secret {
    // Its own names, so that a token that is called like the store does not replace the store's key.
    let account = "key:" + (try self.name(name).account)
    let full = try self.name(account)
    let key =
      try backend.read(full) ?? backend.add(.random(count: Self.keyLength), for: full, access: access ?? self.access)
    guard key.count == Self.keyLength else {
      throw SecretError(
        .otherType, "The secret '\(account)' is no key: it has \(key.count) bytes rather than \(Self.keyLength).",
        remedy: "Find out which program wrote it; `remove(\"\(account)\")` lets a new key be made.")
    }
    return key
  }
}
