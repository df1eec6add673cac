import Synchronization

/// Secrets that are gone with the program.
final class MemoryBackend: SecretBackend {
  private let secrets = Mutex<[SecretName: Secret]>([:])

  func read(_ name: SecretName) -> Secret? { secrets.withLock { $0[name] } }

  func write(_ secret: Secret, for name: SecretName, access: SecretAccess) { secrets.withLock { $0[name] = secret } }

  func add(_ secret: Secret, for name: SecretName, access: SecretAccess) -> Secret {
    secrets.withLock { secrets in
      let winner = secrets[name] ?? secret
      secrets[name] = winner
      return winner
    }
  }

  func remove(_ name: SecretName) -> Bool { secrets.withLock { $0.removeValue(forKey: name) != nil } }

  func accounts(of service: String) -> [String] {
    secrets.withLock { $0.keys.filter { $0.service == service }.map(\.account) }
  }
}
