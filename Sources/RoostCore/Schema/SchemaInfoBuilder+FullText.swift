extension SchemaInfoBuilder {
  /// Adds what `@Attribute(.fullText)` and `#FullText` declare in the class itself.
  mutating func addFullTextIndexes(to entity: EntityInfo) {
    for property in entity.ownProperties {
      guard let tokenizer = property.options.lazy.compactMap(\.fullTextTokenizer).first else { continue }
      add([property], tokenizer, to: entity, "@Attribute(.fullText)")
    }
    for declaration in metadata[entity.ordinal].map(\.fullText) {
      for keyPaths in declaration.indices {
        let properties = keyPaths.compactMap { keyPath in entity.byKeyPath[keyPath].map { entity.properties[$0] } }
        if properties.count == keyPaths.count {
          add(properties, declaration.tokenizer, to: entity, "#FullText")
        } else {
          problems.append(
            .invalidSchema(
              model: entity.name, "A key path in #FullText names no persisted property.",
              remedy: "Name properties of the class itself that are stored strings."))
        }
      }
    }
  }

  private mutating func add(
    _ properties: [PropertyInfo], _ tokenizer: FullTextTokenizer, to entity: EntityInfo, _ declaration: String
  ) {
    let known = entity.tableFullTextIndexes.filter { $0.tokenizer.findsParts == tokenizer.findsParts }
    for (place, property) in properties.enumerated() {
      guard
        let (message, remedy) = Self.problem(of: property)
          ?? (properties[..<place].contains { $0 === property }
            || known.contains { $0.columns.contains(property.column ?? "") }
            ? ("It is in two full-text indexes of one kind.", "Remove one declaration.") : nil)
      else { continue }
      problems.append(
        .invalidSchema(
          model: entity.name, property: property.name, "\(declaration) is not possible here. \(message)",
          remedy: remedy))
      return
    }
    let columns = properties.compactMap(\.column)
    let name = name(of: ([entity.table] + columns + [tokenizer.findsParts ? "parts" : "words"]).joined(separator: "_"))
    entity.fullTextIndexes.append(
      FullTextIndex(
        name: name, table: entity.table, columns: columns, tokenizer: tokenizer,
        definition: FullTextDefinition(
          name: name, properties: properties.map(\.name), tokenizer: tokenizer.definition)))
  }

  private static func problem(of property: PropertyInfo) -> (message: String, remedy: String)? {
    guard case .attribute(let codec) = property.kind, ColumnMeaning(codec).codec == _Native<String>.self else {
      return ("Only a String has an index of its words.", "Remove it, or make the property a String.")
    }
    if !property.isStored {
      return ("What is not stored cannot be found.", "Remove it, or remove .ephemeral to store the property.")
    }
    if property.isExternal {
      return ("What may be in a file beside the store has no index.", "Remove it, or remove .externalStorage.")
    }
    if ["rank", "rowid"].contains(property.column?.foldedName) {
      return ("SQLite's full-text indexes have no column of that name.", "Rename the property.")
    }
    return nil
  }

  /// A name that no table has, nor begins with: FTS5 makes tables of its own whose names do.
  private func name(of wanted: String) -> String {
    let taken = Set(
      entities.map(\.table) + joinTables.map(\.name) + entities.flatMap(\.fullTextIndexes).map(\.name)
    ).map(\.foldedName)
    var name = wanted
    while taken.contains(where: { $0.hasPrefix(name.foldedName) }) { name += "_" }
    return name
  }
}
