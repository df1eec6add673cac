public import Foundation

/// Why a secret could not be kept or got, and what to do next.
///
/// Two errors are equal when they are of the same kind, whatever their details, so that a kind can be caught by name:
/// ```swift
/// do {
///   try secrets.get(String.self, for: "api-token")
/// } catch SecretError.locked {
///   askToUnlock()
/// }
/// ```
/// No error has a secret in it.
public struct SecretError: Error, Hashable {
  enum Code: String, Sendable {
    case unavailable, locked, denied, unsupportedAccess, unsupportedName, tooLarge, wrongKey, damaged, otherType,
      insecure
    case busy, failed
  }

  let code: Code
  /// What happened and where, in a sentence.
  public let message: String
  /// What to do next, in a sentence.
  public let remedy: String

  init(_ code: Code, _ message: String, remedy: String) {
    (self.code, self.message, self.remedy) = (code, message, remedy)
  }

  private init(_ code: Code) { self.init(code, "", remedy: "") }

  /// What should keep the secrets is not there: no session bus, no service, no library, no key for the file.
  public static let unavailable = SecretError(.unavailable)
  /// What keeps the secrets is locked. Roost does not ask the user to unlock it.
  public static let locked = SecretError(.locked)
  /// The system does not let this program have the secret.
  public static let denied = SecretError(.denied)
  /// What keeps the secrets cannot promise the ``SecretAccess`` that was asked for.
  public static let unsupportedAccess = SecretError(.unsupportedAccess)
  /// A service or an account is empty or has a NUL, or a name is too long.
  public static let unsupportedName = SecretError(.unsupportedName)
  /// The secret is larger than what keeps it takes.
  public static let tooLarge = SecretError(.tooLarge)
  /// The key does not open the file, or somebody changed the file.
  public static let wrongKey = SecretError(.wrongKey)
  /// The file is none that Roost wrote, or is cut off.
  public static let damaged = SecretError(.damaged)
  /// The secret is there, and is not of the type that was asked for; or a value is nil, or has no JSON.
  public static let otherType = SecretError(.otherType)
  /// Others may read or replace the file.
  public static let insecure = SecretError(.insecure)
  /// Another process holds the secrets for too long.
  public static let busy = SecretError(.busy)
  /// The system reports an error that is none of the others.
  public static let failed = SecretError(.failed)

  /// Whether both errors are of the same kind. Their details are not compared.
  public static func == (lhs: SecretError, rhs: SecretError) -> Bool { lhs.code == rhs.code }

  /// Hashes the kind of error alone, as `==` compares it.
  public func hash(into hasher: inout Hasher) { hasher.combine(code) }

  /// Lets `catch SecretError.locked` catch every error of that kind.
  public static func ~= (lhs: SecretError, rhs: any Error) -> Bool { (rhs as? SecretError) == lhs }
}

extension SecretError: CustomStringConvertible, LocalizedError {
  /// What happened, where, and what to do next.
  public var description: String {
    message.isEmpty ? "SecretError.\(code.rawValue)" : "SecretError.\(code.rawValue): \(message) \(remedy)"
  }

  /// The same as `description`, so that `localizedDescription` says what happened.
  public var errorDescription: String? { description }

  /// What to do next.
  public var recoverySuggestion: String? { remedy }
}
