public import RoostCore

/// A model that `ModelContext.search` found, and how well it matches.
public struct SearchHit<Model: PersistentModel> {
  /// The model.
  public let model: Model
  /// How well it matches: the less, the better. Ranks of one search can be compared, those of two cannot.
  ///
  /// The rarer the words and the more often they occur, for the length of the text, the better (FTS5's bm25).
  public let rank: Double

  let excerpts: SearchExcerpts

  /// The part of a property's text with the most matches, and "…" where something is left out.
  ///
  /// One statement reads the snippets of some hundred hits that follow each other, when the first of them is asked for.
  /// - Parameters:
  ///   - property: one of those in the index.
  ///   - words: how long it is, 1 to 64 words, or parts of words in an index of trigrams.
  ///   - marks: what is put before and behind each match. The text is as it was, nothing in it is escaped.
  /// - Returns: the snippet; nil when the model does not match any more.
  /// - Throws: ``SwiftDataError/unsupportedKeyPath`` when the property is not in the
  ///   index, or what the database reports.
  public func snippet(
    of property: PartialKeyPath<Model>, words: Int = 16, marks: (String, String) = ("**", "**")
  ) throws -> String? {
    try excerpts.text(.init(column: column(property), words: min(max(words, 1), 64), marks: marks), of: model)
  }

  /// The whole text of a property with its matches marked.
  ///
  /// One statement reads the texts of some hundred hits that follow each other, when the first of them is asked for.
  /// - Parameters:
  ///   - property: one of those in the index.
  ///   - marks: what is put before and behind each match. The text is as it was, nothing in it is escaped.
  /// - Returns: the text; nil when the model does not match any more.
  /// - Throws: ``SwiftDataError/unsupportedKeyPath`` when the property is not in the
  ///   index, or what the database reports.
  public func highlight(
    of property: PartialKeyPath<Model>, marks: (String, String) = ("**", "**")
  ) throws -> String? {
    try excerpts.text(.init(column: column(property), words: nil, marks: marks), of: model)
  }

  /// The place of a property's column in the index.
  private func column(_ property: PartialKeyPath<Model>) throws -> Int {
    let index = excerpts.search.place.index
    let entity = excerpts.context.store.schema.entity(for: Model.self)
    if let name = entity?.property(for: property)?.column, let place = index.columns.firstIndex(of: name) {
      return place
    }
    throw SwiftDataError.unsupportedKeyPath(
      "`\(property.sourceText)` is not in the full-text index of \(index.definition.properties.joined(separator: ", ")).",
      model: entity?.name)
  }
}

// SAFETY: unavailable, so that nothing is ever sent: it is there to make the compiler say why.
@available(*, unavailable, message: "a model belongs to its context's actor")
extension SearchHit: @unchecked Sendable {}
