/// How a full-text index takes texts apart.
///
/// ```swift
/// #FullText<Note>([\.title, \.body], tokenizer: .porter)
/// ```
/// Those are SQLite's own, so that other programs can read and write the file.
/// Source: [SQLite, FTS5 tokenizers](https://www.sqlite.org/fts5.html#tokenizers).
public struct FullTextTokenizer: Codable, Hashable, Sendable {
  /// As FTS5 reads it.
  package let definition: String

  private init(_ definition: String) { self.definition = definition }

  /// Words are letters and digits; case and diacritics make no difference.
  public static let unicode61 = unicode61(ignoresDiacritics: true)

  /// Words are letters and digits, and case makes no difference.
  ///
  /// - Parameter ignoresDiacritics: whether "cafe" finds "café".
  /// - Returns: the tokenizer.
  public static func unicode61(ignoresDiacritics: Bool) -> FullTextTokenizer {
    FullTextTokenizer("unicode61 remove_diacritics \(ignoresDiacritics ? 2 : 0)")
  }

  /// As ``unicode61``, and English words are found by other forms of theirs: "swims" finds "swimming".
  public static let porter = FullTextTokenizer("porter " + unicode61.definition)

  /// Every three characters in a row: finds parts of words of three characters and more, whatever their case.
  ///
  /// Such an index also serves `contains` in predicates. It takes several times the room of an index of words.
  public static let trigram = FullTextTokenizer("trigram")

  /// Whether an index of it finds parts of words rather than words.
  package var findsParts: Bool { self == .trigram }
}

extension FullTextTokenizer: CustomDebugStringConvertible {
  /// The tokenizer as written in code.
  public var debugDescription: String {
    switch self {
    case .unicode61: ".unicode61"
    case .porter: ".porter"
    case .trigram: ".trigram"
    default: ".unicode61(ignoresDiacritics: false)"
    }
  }

  /// Reads what ``encode(to:)`` wrote.
  ///
  /// - Throws: `DecodingError` for another tokenizer than those above.
  public init(from decoder: any Decoder) throws {
    let definition = try decoder.singleValueContainer().decode(String.self)
    guard let tokenizer = Self.known(definition) else {
      throw DecodingError.dataCorrupted(
        .init(codingPath: decoder.codingPath, debugDescription: "There is no tokenizer `\(definition)`."))
    }
    self = tokenizer
  }

  /// The tokenizer that FTS5 reads so; nil when there is none.
  package static func known(_ definition: String) -> FullTextTokenizer? {
    let all = [.unicode61, .unicode61(ignoresDiacritics: false), .porter, .trigram] as [FullTextTokenizer]
    return all.first { $0.definition == definition }
  }

  /// Writes the tokenizer as FTS5 reads it.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(definition)
  }
}
