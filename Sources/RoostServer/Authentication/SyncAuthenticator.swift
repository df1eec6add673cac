/// What tells a server which user a device is of.
///
/// ```swift
/// struct Tokens: SyncAuthenticator {
///   let users: [String: String]      // or ask whoever signs your users in
///
///   func user(for token: String) async throws -> String? { users[token] }
/// }
/// ```
public protocol SyncAuthenticator: Sendable {
  /// The user whose token this is; nil for a token that is nobody's, or not valid any more.
  ///
  /// A user's name stands for the same person for ever: their zones are found by it. It has at most 200 bytes. Where
  /// this takes longer than 30 s, its task is cancelled and the device comes again later.
  ///
  /// - Parameter token: what the device sent, as it is.
  /// - Returns: the user's name.
  /// - Throws: anything, where it cannot be told now: the device comes again later, and nobody is asked to sign in. For
  ///   a token that has expired, or was forged, return nil instead.
  func user(for token: String) async throws -> String?

  /// Whether anybody may pretend to be anybody: a server takes that only in development.
  var isForDevelopment: Bool { get }
}

extension SyncAuthenticator {
  /// False: it can be trusted.
  public var isForDevelopment: Bool { false }
}

/// Users who are what they say: the token is the user's name.
///
/// For development alone; a server that is not started for that refuses it.
public struct DevelopmentTokens: SyncAuthenticator {
  /// Makes one.
  public init() {}

  /// The token itself; nil for an empty one.
  public func user(for token: String) -> String? { token.isEmpty ? nil : token }

  /// True: there is no secret.
  public var isForDevelopment: Bool { true }
}
