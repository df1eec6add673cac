import Foundation

/// Where a program keeps its secrets: tokens, passwords, and the keys of its stores.
///
/// ```swift
/// let secrets = SecretStore.default
/// try secrets.set(token, for: "api-token")
/// let token = try secrets.get(String.self, for: "api-token")  // nil if there is none
/// try secrets.remove("api-token")
/// ```
/// A call blocks until the system has answered, which takes milliseconds as a rule and seconds where a
/// service hangs: call it off the main thread where that matters. None asks the user anything: what is locked
/// throws ``SecretError/locked``.
public struct SecretStore: Sendable {
  /// What the secrets are for: programs with the same one share their secrets, where the system lets them.
  public var service: String
  /// When a secret may be read, unless a call says otherwise.
  public var access: SecretAccess
  let backend: any SecretBackend

  /// A store upon a backend, such as your own.
  ///
  /// - Parameters:
  ///   - backend: where the secrets are.
  ///   - service: what they are for.
  ///   - access: when one may be read, where it is not said.
  public init(
    _ backend: any SecretBackend, service: String = SecretStore.programName, access: SecretAccess = .afterFirstUnlock
  ) {
    (self.backend, self.service, self.access) = (backend, service, access)
  }

  /// The program's bundle identifier; where it has none, the name of its executable.
  public static var programName: String { Bundle.main.bundleIdentifier ?? ProcessInfo.processInfo.processName }

  func name(_ account: String) throws -> SecretName { try SecretName(service: service, account: account) }
}
