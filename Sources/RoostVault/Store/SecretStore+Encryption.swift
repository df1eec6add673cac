#if Encryption
  public import RoostCore

  extension ModelConfiguration.Encryption {
    /// The key of a store that a vault has, which makes it when it is first asked for.
    ///
    /// ```swift
    /// let encryption = try ModelConfiguration.Encryption.key(from: .default, named: "notes")
    /// let container = try ModelContainer(for: Note.self, configurations: ModelConfiguration(encryption: encryption))
    /// ```
    /// - Parameters:
    ///   - store: where the key is, and stays.
    ///   - name: what the key is for: another name for each store that has a key of its own.
    /// - Returns: an encryption with that key.
    /// - Throws: a ``SecretError``, such as ``SecretError/locked``; no key is made where it is
    ///   not certain that there is none.
    public static func key(from store: SecretStore, named name: String) throws -> ModelConfiguration.Encryption {
      try store.key(named: name).withUnsafeBytes { .key($0) }
    }
  }
#endif
