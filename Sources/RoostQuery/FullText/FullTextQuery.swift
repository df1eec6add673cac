internal import RoostSQL

/// What to look for in a full-text index.
///
/// ```swift
/// #Predicate<Note> { $0.body.matches(.phrase(text)) }
/// ```
/// The text is a user's: whatever it has in it (quotes, `*`, `AND`, nothing at all) is text and no syntax. Words are
/// what the index's tokenizer takes for such; a text without any finds nothing.
public struct FullTextQuery: Hashable, Codable, Sendable {
  private enum Kind: String, Codable { case all, any, phrase, prefix, substring }

  private let kind: Kind
  /// The text as it was given.
  public let text: String

  private init(_ kind: Kind, _ text: String) {
    self.kind = kind
    self.text = text
  }

  /// The same as ``all(_:)``: what a plain text means.
  public init(_ text: String) { self.init(.all, text) }

  @_documentation(visibility: private)
  public init(_ query: FullTextQuery) { self = query }

  /// All of the words, in any order and in any of the properties.
  public static func all(_ text: String) -> FullTextQuery { FullTextQuery(.all, text) }

  /// At least one of the words.
  public static func any(_ text: String) -> FullTextQuery { FullTextQuery(.any, text) }

  /// The words one behind the other, in one property.
  public static func phrase(_ text: String) -> FullTextQuery { FullTextQuery(.phrase, text) }

  /// All of the words, of which the last may be the beginning of one: for a search while the user types.
  public static func prefix(_ text: String) -> FullTextQuery { FullTextQuery(.prefix, text) }

  /// The text as it is, in an index of parts of words.
  static func substring(_ text: String) -> FullTextQuery { FullTextQuery(.substring, text) }
}

extension FullTextQuery: CustomDebugStringConvertible {
  /// The query as written in code.
  public var debugDescription: String { ".\(kind.rawValue)(\(String(reflecting: text)))" }
}

extension FullTextQuery {
  /// The query in FTS5's language, of some of an index's columns if they are given.
  ///
  /// Each word is a string in quotes, whatever it has in it. Those without a letter FTS5 leaves out by itself.
  func expression(in columns: [String]? = nil) -> String {
    // FTS5 reads up to a NUL.
    let words = text.unicodeScalars.split { $0.properties.isWhitespace || $0.value == 0 }.map { quoted(String($0)) }
    let expression =
      switch kind {
      case .all: words.joined(separator: " ")
      case .any: words.joined(separator: " OR ")
      case .phrase: words.joined(separator: " + ")
      case .substring: quoted(text)
      case .prefix: words.isEmpty ? "" : words.joined(separator: " ") + " *"
      }
    let whole = expression.isEmpty ? quoted("") : expression
    return columns.map { "{\($0.map(quoted).joined(separator: " "))} : (\(whole))" } ?? whole
  }

  /// FTS5 quotes words as SQL quotes names.
  private func quoted(_ text: String) -> String { quotedIdentifier(text) }
}
