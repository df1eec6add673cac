extension Schema.Entity {
  /// All properties: the inherited ones, then the entity's own.
  public var properties: [any SchemaProperty] { inheritedProperties + storedProperties }

  /// The entity's own attributes. Setting them replaces those there were.
  public var attributes: Set<Schema.Attribute> {
    get { Set(storedProperties.compactMap { $0 as? Schema.Attribute }) }
    set { replace(with: newValue.sorted { $0.name < $1.name }) }
  }

  /// The entity's own relationships. Setting them replaces those there were.
  public var relationships: Set<Schema.Relationship> {
    get { Set(storedProperties.compactMap { $0 as? Schema.Relationship }) }
    set { replace(with: newValue.sorted { $0.name < $1.name }) }
  }

  /// The entity's own attributes by name.
  public var attributesByName: [String: Schema.Attribute] {
    get { Self.byName(storedProperties.compactMap { $0 as? Schema.Attribute }) }
    set { attributes = Set(newValue.values) }
  }

  /// The entity's own relationships by name.
  public var relationshipsByName: [String: Schema.Relationship] {
    get { Self.byName(storedProperties.compactMap { $0 as? Schema.Relationship }) }
    set { relationships = Set(newValue.values) }
  }

  /// The entity's own properties by name.
  public var storedPropertiesByName: [String: any SchemaProperty] {
    get { Dictionary(storedProperties.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first }) }
    set { storedProperties = newValue.values.sorted { $0.name < $1.name } }
  }

  /// The inherited properties by name.
  public var inheritedPropertiesByName: [String: any SchemaProperty] {
    get { Dictionary(inheritedProperties.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first }) }
    set { inheritedProperties = newValue.values.sorted { $0.name < $1.name } }
  }

  /// Those that stay keep their places; new ones come last.
  private func replace<Property: SchemaProperty>(with new: [Property]) {
    var rest = Self.byName(new)
    let kept: [any SchemaProperty] = storedProperties.compactMap { old in
      guard old is Property else { return old }
      return rest.removeValue(forKey: old.name)
    }
    storedProperties = kept + new.filter { rest[$0.name] != nil }
  }

  private static func byName<Property: SchemaProperty>(_ properties: [Property]) -> [String: Property] {
    Dictionary(properties.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
  }
}
