public import Foundation

/// What is wrong with a preference or the file of all, and what to do next.
///
/// ``Preferences/set(_:for:)`` and ``Preferences/flush()`` throw one; what nobody is there to catch stands in
/// ``Preferences/problems``. Two errors are equal when they are of the same kind, so that a kind can be caught by name:
/// ```swift
/// do {
///   try preferences.set(picture, for: .background)
/// } catch PreferencesError.valueTooLarge {
///   try save(picture)
/// }
/// ```
public struct PreferencesError: Error, Hashable {
  enum Code: String, Sendable {
    case valueTooLarge, totalTooLarge, notEncodable, otherType, damagedFile, unreadableFile, unwritableFile, noFolder
    case notWatched, looksLikeSecret
  }

  let code: Code
  /// What happened, in a sentence.
  public let message: String
  /// What to do next, in a sentence.
  public let remedy: String
  /// The name of the preference concerned, when there is one.
  public let key: String?
  /// The file concerned, when there is one.
  public let url: URL?

  init(_ code: Code, _ message: String, remedy: String, key: String? = nil, url: URL? = nil) {
    (self.code, self.message, self.remedy, self.key, self.url) = (code, message, remedy, key, url)
  }

  private init(_ code: Code) { self.init(code, "", remedy: "") }

  /// A value of more than 100 KB.
  public static let valueTooLarge = PreferencesError(.valueTooLarge)
  /// A value with which all would be more than 500 KB.
  public static let totalTooLarge = PreferencesError(.totalTooLarge)
  /// A value that has no JSON, such as a number that is not finite.
  public static let notEncodable = PreferencesError(.notEncodable)
  /// The file has a value of another type than the key: the default is used, and the file's stays until one is set.
  public static let otherType = PreferencesError(.otherType)
  /// The file is no JSON object. It is set aside before another is written.
  public static let damagedFile = PreferencesError(.damagedFile)
  /// The file cannot be read. It is not written either: values are kept in memory.
  public static let unreadableFile = PreferencesError(.unreadableFile)
  /// The file cannot be written: values are kept in memory until it can.
  public static let unwritableFile = PreferencesError(.unwritableFile)
  /// There is no place for the file, as neither `XDG_CONFIG_HOME` nor `HOME` is set: values are kept in memory.
  public static let noFolder = PreferencesError(.noFolder)
  /// The system does not tell what other processes change, or the folder was removed: it is seen at the next write.
  public static let notWatched = PreferencesError(.notWatched)
  /// A key is called like a secret. Said in debug builds alone.
  public static let looksLikeSecret = PreferencesError(.looksLikeSecret)

  /// Whether both errors are of the same kind. Their details are not compared.
  public static func == (lhs: PreferencesError, rhs: PreferencesError) -> Bool { lhs.code == rhs.code }

  /// Hashes the kind of error alone, as `==` compares it.
  public func hash(into hasher: inout Hasher) { hasher.combine(code) }

  /// Lets `catch PreferencesError.valueTooLarge` catch every error of that kind.
  public static func ~= (lhs: PreferencesError, rhs: any Error) -> Bool { (rhs as? PreferencesError) == lhs }
}

extension PreferencesError: CustomStringConvertible, LocalizedError {
  /// What happened, where, and what to do next.
  public var description: String {
    if message.isEmpty { return "PreferencesError.\(code.rawValue)" }
    let place = url.map { " File: \($0.path)." } ?? ""
    return "PreferencesError.\(code.rawValue): \(message)\(place) \(remedy)"
  }

  /// The same as `description`, so that `localizedDescription` says what happened.
  public var errorDescription: String? { description }

  /// What to do next.
  public var recoverySuggestion: String? { remedy }
}
