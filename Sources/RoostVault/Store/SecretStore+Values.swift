import Foundation

extension SecretStore {
  /// Keeps a value, in place of the one that has its name.
  ///
  /// A `String` and a `Data`, optional or not, are kept as they are, so that other programs
  /// can read them; others as JSON.
  ///
  /// - Parameters:
  ///   - value: the value. To keep none, call ``remove(_:)``.
  ///   - account: its name, such as "api-token".
  ///   - access: when it may be read; ``access`` unless it is said.
  /// - Throws: a ``SecretError``, such as ``SecretError/otherType`` for nil, or what has no JSON.
  public func set<Value: Encodable>(_ value: Value, for account: String, access: SecretAccess? = nil) throws {
    try set(Secret(encoding: value, account), for: account, access: access)
  }

  /// Keeps bytes that are secret already, in place of what has their name.
  ///
  /// - Parameters:
  ///   - secret: the bytes.
  ///   - account: their name.
  ///   - access: when they may be read; ``access`` unless it is said.
  /// - Throws: a ``SecretError``.
  public func set(_ secret: Secret, for account: String, access: SecretAccess? = nil) throws {
    try backend.write(secret, for: name(account), access: access ?? self.access)
  }

  /// Gets a value.
  ///
  /// - Parameters:
  ///   - type: the type that it was set as.
  ///   - account: its name.
  /// - Returns: the value; nil if there is none.
  /// - Throws: ``SecretError/otherType`` where it was set as another type, and other errors where it could not be read.
  public func get<Value: Decodable>(_ type: Value.Type, for account: String) throws -> Value? {
    try get(Secret.self, for: account)?.decoded(as: type, account)
  }

  /// Gets a value's bytes.
  ///
  /// - Parameters:
  ///   - type: `Secret.self`.
  ///   - account: its name.
  /// - Returns: the bytes; nil if there are none.
  /// - Throws: a ``SecretError``.
  public func get(_ type: Secret.Type, for account: String) throws -> Secret? { try backend.read(name(account)) }

  /// Removes a secret.
  ///
  /// - Parameter account: its name.
  /// - Returns: whether there was one.
  /// - Throws: a ``SecretError``.
  @discardableResult public func remove(_ account: String) throws -> Bool { try backend.remove(name(account)) }

  /// The names of all secrets of the ``service``.
  ///
  /// - Returns: the names, sorted.
  /// - Throws: a ``SecretError``.
  public func list() throws -> [String] { try backend.accounts(of: service).sorted() }
}

// Both go by the type that the program names, and not by that of the value: what is set as a `String?` is got as one.
extension Secret {
  init<Value: Encodable>(encoding value: Value, _ account: String) throws {
    switch Value.self {
    case is String.Type, is String?.Type:
      guard let text = value as? String else { throw SecretError.noValue(account) }
      self.init(text)
    case is Data.Type, is Data?.Type:
      guard let data = value as? Data else { throw SecretError.noValue(account) }
      self.init(data)
    default:
      // An encoder's error may have the value in it.
      guard var encoded = try? JSONEncoder().encode(value) else {
        throw SecretError(
          .otherType, "The \(Value.self) for '\(account)' cannot be encoded as JSON.",
          remedy: "Look at its `encode(to:)`, and for a number that is not finite.")
      }
      defer { encoded.resetBytes(in: encoded.indices) }
      if encoded == Data("null".utf8) { throw SecretError.noValue(account) }
      self.init(encoded)
    }
  }

  func decoded<Value: Decodable>(as type: Value.Type, _ account: String) throws -> Value {
    let found: Any?
    switch type {
    case is String.Type, is String?.Type: found = string
    case is Data.Type, is Data?.Type: found = withUnsafeBytes { Data($0) }
    default:
      var data = withUnsafeBytes { Data($0) }
      defer { data.resetBytes(in: data.indices) }
      // A decoder's error may have the value in it.
      found = try? JSONDecoder().decode(type, from: data)
    }
    // Unwrapped first: nil itself would be a value of an optional type.
    if let found, let value = found as? Value { return value }
    throw SecretError(
      .otherType, "The secret '\(account)' is no \(type).",
      remedy: "Get it as the type that it was set as, or remove it and set it anew.")
  }
}

extension SecretError {
  fileprivate static func noValue(_ account: String) -> SecretError {
    SecretError(
      .otherType, "The value for '\(account)' is nil, which is not kept.",
      remedy: "Call `remove(\"\(account)\")`: what is not there is got as nil.")
  }
}
