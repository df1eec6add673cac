import Foundation
import Testing

@testable import RoostVault

/// The vaults that this machine has, for what must hold for each.
enum Vault: String, CaseIterable, CustomTestStringConvertible {
  case memory, encryptedFile, kernelKeyring, secretService

  var testDescription: String { rawValue }

  static let here = allCases.filter(\.isHere)

  /// Whether it is there, whatever is in it.
  var isHere: Bool {
    switch self {
    case .memory: return true
    case .encryptedFile:
      #if Vault
        return true
      #else
        return false
      #endif
    case .kernelKeyring:
      #if os(Linux)
        guard (try? SecretStore.kernelKeyring.set("a", for: "roost.probe")) != nil else { return false }
        _ = try? SecretStore.kernelKeyring.remove("roost.probe")
        return true
      #else
        return false
      #endif
    case .secretService: return ProcessInfo.processInfo.environment["DBUS_SESSION_BUS_ADDRESS"] != nil
    }
  }

  /// What is called, with a store in which no other test has anything.
  func withStore<Result>(_ body: (SecretStore) throws -> Result) throws -> Result {
    let folder = try TemporaryFolder()
    var store = try store(folder)
    store.service = "roost.test.\(UUID().uuidString)"
    defer { for account in (try? store.list()) ?? [] { _ = try? store.remove(account) } }
    return try body(store)
  }

  private func store(_ folder: TemporaryFolder) throws -> SecretStore {
    switch self {
    case .memory: return .memory()
    case .encryptedFile:
      #if Vault
        return .file(folder.secrets, "correct horse")
      #else
        throw SecretError.unavailable
      #endif
    case .kernelKeyring:
      #if os(Linux)
        return .kernelKeyring
      #else
        throw SecretError.unavailable
      #endif
    case .secretService:
      #if os(Linux)
        return .secretService
      #else
        throw SecretError.unavailable
      #endif
    }
  }
}

#if Vault
  extension SecretStore {
    /// A file whose key is made quickly.
    static func file(_ url: URL, _ passphrase: String) -> SecretStore {
      SecretStore(EncryptedFile(url, .passphrase(Secret(passphrase)), power: 4), service: "roost.test")
    }
  }
#endif
