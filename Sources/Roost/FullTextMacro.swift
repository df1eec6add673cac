/// Declares full-text indexes of strings, for `matches` in predicates and for `ModelContext.search`.
///
///     #FullText<Note>([\.title, \.body], tokenizer: .porter)
///
/// The properties of one list have an index together, and a search finds words in any of them. A property is in one
/// index of words and one of trigrams at most. Indexes are made, and removed, when the store is opened next.
///
/// - Parameters:
///   - properties: strings that are stored in their rows, required or optional.
///   - tokenizer: what the index has of them: words, stems of words, or all parts of three characters.
@freestanding(declaration)
public macro FullText<T>(_ properties: [PartialKeyPath<T>]..., tokenizer: FullTextTokenizer = .unicode61) =
  #externalMacro(module: "RoostMacros", type: "FullTextMacro") where T: PersistentModel
