import Foundation

/// Where the key of a file of secrets comes from.
///
/// ```swift
/// let secrets = SecretStore.file(at: url, key: .credential("notes-secrets"))
/// ```
public struct SecretFileKey: Sendable {
  enum Source: Sendable {
    case passphrase(Secret)
    case environment(String)
    case credential(String)
  }

  let source: Source

  /// A passphrase that the program got, such as from its user.
  ///
  /// - Parameter passphrase: the passphrase. One in the program's code protects nothing.
  /// - Returns: the key.
  public static func passphrase(_ passphrase: Secret) -> SecretFileKey {
    SecretFileKey(source: .passphrase(passphrase))
  }

  /// A passphrase in a variable of the environment, which other processes of the same user can see.
  ///
  /// - Parameter variable: the variable's name.
  /// - Returns: the key.
  public static func environment(_ variable: String) -> SecretFileKey { SecretFileKey(source: .environment(variable)) }

  /// A credential of systemd's: the file of that name in the folder that `$CREDENTIALS_DIRECTORY` names.
  ///
  /// `LoadCredentialEncrypted=` in the service's unit has systemd decrypt it for that service alone, by the machine's
  /// TPM where it has one. One newline at its end is not part of it.
  ///
  /// - Parameter name: the credential's name.
  /// - Returns: the key.
  public static func credential(_ name: String) -> SecretFileKey { SecretFileKey(source: .credential(name)) }

  /// Reads it where it is now.
  func passphrase(_ environment: [String: String] = ProcessInfo.processInfo.environment) throws -> Secret {
    switch source {
    case .passphrase(let passphrase):
      if passphrase.count > 0 { return passphrase }
      throw SecretError(.unavailable, "The passphrase of the secrets' file is empty.", remedy: "Give one that is not.")
    case .environment(let variable):
      if let text = environment[variable], !text.isEmpty { return Secret(text) }
      throw SecretError(
        .unavailable, "The environment has no variable \(variable), or an empty one, with the secrets' passphrase.",
        remedy: "Set \(variable) for this program.")
    case .credential(let name): return try Self.credential(name, in: environment["CREDENTIALS_DIRECTORY"])
    }
  }

  private static func credential(_ name: String, in folder: String?) throws -> Secret {
    let advice =
      "Add `LoadCredentialEncrypted=\(name):…` to the service's unit; `systemd-creds encrypt` makes the file."
    guard let folder, !folder.isEmpty else {
      throw SecretError(.unavailable, "$CREDENTIALS_DIRECTORY is not set, so there are no credentials.", remedy: advice)
    }
    guard !name.isEmpty, name != ".", name != "..", !name.contains("/") else {
      throw SecretError(.unsupportedName, "'\(name)' is no name of a credential.", remedy: "Use a file's name.")
    }
    let path = folder + "/" + name
    guard var bytes = FileManager.default.contents(atPath: path) else {
      throw SecretError(.unavailable, "The credential \(path) cannot be read.", remedy: advice)
    }
    defer { bytes.resetBytes(in: bytes.indices) }
    let trimmed = bytes.last == UInt8(ascii: "\n") ? bytes.dropLast() : bytes[...]
    if !trimmed.isEmpty { return Secret(trimmed) }
    throw SecretError(.unavailable, "The credential \(path) is empty.", remedy: advice)
  }
}
