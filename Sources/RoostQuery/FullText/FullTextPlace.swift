import RoostCore

/// Where to look for a text: some or all columns of a full-text index.
struct FullTextPlace {
  let index: FullTextIndex
  /// Those whose texts count.
  let properties: [PropertyInfo]

  var columns: [String] { properties.compactMap(\.column) }

  /// The query in FTS5's language.
  func expression(_ query: FullTextQuery) -> String {
    query.expression(in: Set(columns) == Set(index.columns) ? nil : columns)
  }
}

extension EntityInfo {
  /// The index that has all of some properties; without any, the only index of the entity's.
  ///
  /// An index of words is preferred to one of parts of words.
  /// - Throws: ``SwiftDataError/unsupportedPredicate`` that says what to declare.
  func fullTextPlace(of keyPaths: [AnyKeyPath]) throws -> FullTextPlace {
    let indexes = tableFullTextIndexes.sorted { !$0.tokenizer.findsParts && $1.tokenizer.findsParts }
    if keyPaths.isEmpty { return try wholePlace(indexes) }
    let properties = try keyPaths.map { keyPath in
      guard let property = self.property(for: keyPath) else {
        throw SwiftDataError(
          .unsupportedKeyPath, "`\(keyPath.sourceText)` is no stored property of \(name).", model: name)
      }
      return property
    }
    let columns = properties.map { $0.column ?? "" }
    if let index = indexes.first(where: { Set($0.columns).isSuperset(of: columns) }) {
      return FullTextPlace(index: index, properties: properties)
    }
    let list = "#FullText<\(name)>([" + properties.map { "\\.\($0.name)" }.joined(separator: ", ") + "])"
    for property in properties where !indexes.contains(where: { $0.columns.contains(property.column ?? "") }) {
      throw SwiftDataError(
        .unsupportedPredicate, "`\(property.name)` has no full-text index to look into.", model: name,
        property: property.name,
        remedy: (properties.count == 1 ? "Declare it as @Attribute(.fullText) var \(property.name), or add " : "Add ")
          + "\(list) to \(name).")
    }
    throw SwiftDataError(
      .unsupportedPredicate, "No full-text index has all of the properties.", model: name,
      remedy: "Declare \(list) instead of their own indexes, or ask each property by itself.")
  }

  private func wholePlace(_ indexes: [FullTextIndex]) throws -> FullTextPlace {
    func parts(_ index: FullTextIndex) -> [PropertyInfo] {
      index.columns.compactMap { column in properties.first { $0.column == column } }
    }
    // Those of subclasses have columns that the entity has not.
    let own = indexes.filter { parts($0).count == $0.columns.count }
    let ofWords = own.filter { !$0.tokenizer.findsParts }
    let candidates = ofWords.isEmpty ? own : ofWords
    guard let index = candidates.first else {
      throw SwiftDataError(
        .unsupportedPredicate, "\(name) has no full-text index.", model: name,
        remedy: #"Declare the strings to look into: #FullText<\#(name)>([\.title, \.body])"#)
    }
    guard candidates.count == 1 else {
      throw SwiftDataError(
        .unsupportedPredicate, "\(name) has several full-text indexes.", model: name,
        remedy: "Say which properties to look into.")
    }
    return FullTextPlace(index: index, properties: parts(index))
  }
}
