extension SecretStore {
  /// What the platform has for secrets: the Keychain on Apple's platforms, the Secret Service on Linux desktops.
  ///
  /// Where that is not there, such as on a server, each call throws ``SecretError/unavailable`` and says what to do. It
  /// never falls back to something weaker. A server's program says so itself: ``file(at:key:)``.
  public static var `default`: SecretStore {
    #if canImport(Security)
      .keychain
    #elseif os(Linux)
      .secretService
    #else
      SecretStore(NoBackend())
    #endif
  }

  /// Secrets in memory, which are gone with the program and shared with no other store: for tests and previews.
  ///
  /// - Returns: an empty store.
  public static func memory() -> SecretStore { SecretStore(MemoryBackend()) }
}

#if !canImport(Security) && !os(Linux)
  /// On platforms whose vault Roost cannot use yet.
  private struct NoBackend: SecretBackend {
    func read(_ name: SecretName) throws -> Secret? { throw error }
    func write(_ secret: Secret, for name: SecretName, access: SecretAccess) throws { throw error }
    func add(_ secret: Secret, for name: SecretName, access: SecretAccess) throws -> Secret { throw error }
    func remove(_ name: SecretName) throws -> Bool { throw error }
    func accounts(of service: String) throws -> [String] { throw error }

    private var error: SecretError {
      SecretError(
        .unavailable, "Roost knows no vault of this platform.",
        remedy: "Give SecretStore a SecretBackend of your own.")
    }
  }
#endif
