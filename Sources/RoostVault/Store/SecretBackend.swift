/// Where a ``SecretStore`` keeps its secrets: conform to it for a vault of your own.
///
/// Calls come from any thread, several at a time. A call blocks until it is done, and never asks the user anything.
public protocol SecretBackend: Sendable {
  /// Gets a secret.
  ///
  /// - Parameter name: its name.
  /// - Returns: the secret, or nil where it is certain that there is none.
  /// - Throws: a ``SecretError``, such as ``SecretError/locked`` where it is not certain.
  func read(_ name: SecretName) throws -> Secret?

  /// Keeps a secret, in place of the one that has its name.
  ///
  /// - Parameters:
  ///   - secret: the secret.
  ///   - name: its name.
  ///   - access: when it may be read.
  /// - Throws: a ``SecretError``, such as ``SecretError/unsupportedAccess`` where it cannot promise that.
  func write(_ secret: Secret, for name: SecretName, access: SecretAccess) throws

  /// Keeps a secret unless there is one by that name, also where several processes do so at once.
  ///
  /// - Parameters:
  ///   - secret: the secret.
  ///   - name: its name.
  ///   - access: when it may be read.
  /// - Returns: the secret that is there now: the same for all who ask.
  /// - Throws: a ``SecretError``.
  func add(_ secret: Secret, for name: SecretName, access: SecretAccess) throws -> Secret

  /// Removes a secret.
  ///
  /// - Parameter name: its name.
  /// - Returns: whether there was one.
  /// - Throws: a ``SecretError``.
  func remove(_ name: SecretName) throws -> Bool

  /// The accounts that have a secret.
  ///
  /// - Parameter service: what the secrets are for.
  /// - Returns: the accounts, in any order.
  /// - Throws: a ``SecretError``.
  func accounts(of service: String) throws -> [String]
}
