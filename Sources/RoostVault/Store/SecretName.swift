/// What a secret is found by: the service that it is for, and the account there.
public struct SecretName: Hashable, Sendable {
  /// What the secret is for; by default the program.
  public let service: String
  /// Which of the service's secrets it is.
  public let account: String

  /// The name of a secret.
  ///
  /// - Parameters:
  ///   - service: what the secret is for.
  ///   - account: which of the service's secrets it is.
  /// - Throws: ``SecretError/unsupportedName`` where one is empty or has a NUL, at which C's texts end.
  public init(service: String, account: String) throws {
    for (part, text) in [("service", service), ("account", account)] {
      if text.isEmpty || text.utf8.contains(0) {
        throw SecretError(
          .unsupportedName, "A secret's \(part) is \(text.isEmpty ? "empty" : "a text with a NUL").",
          remedy: "Give it a name of visible characters, such as \"api-token\".")
      }
    }
    (self.service, self.account) = (service, account)
  }
}
