extension Schema {
  /// One kind of model: its properties and its place among super- and subclasses.
  ///
  /// Source: SwiftData's `Schema.Entity`.
  public final class Entity: @unchecked Sendable {
    // SAFETY: an entity is set up by one thread before its schema is shared, and a schema's are not changed after.

    /// The name of the entity, its model type and its table.
    public var name: String
    /// The entities of the model type's direct subclasses.
    public var subentities: Set<Entity>
    /// The name of the superclass's entity.
    public var superentityName: String?
    /// The superclass's entity. Not kept alive by its subentities.
    public var superentity: Entity? {
      get { linkedSuperentity }
      set {
        linkedSuperentity = newValue
        superentityName = newValue?.name
      }
    }
    /// The properties that the model type itself declares, in that order.
    public var storedProperties: [any SchemaProperty]
    /// The properties of all superclasses, the root's first.
    public var inheritedProperties: [any SchemaProperty] {
      get { givenInheritedProperties ?? superentity?.properties ?? [] }
      set { givenInheritedProperties = newValue }
    }
    /// The names of the properties whose values no two models may have in common.
    public var uniquenessConstraints: [[String]] = []
    /// The names of the properties of each B-tree index.
    public var indices: [[String]] = []
    /// The names of the properties of each R-tree index.
    package var rtreeIndices: [[String]] = []
    /// The full-text indexes.
    package var fullTextIndices: [FullTextDefinition] = []

    private weak var linkedSuperentity: Entity?
    private var givenInheritedProperties: [any SchemaProperty]?

    /// Makes an entity without properties.
    public convenience init(_ name: String) { self.init(name, subentities: [], storedProperties: []) }

    /// Makes an entity with subentities and properties.
    public convenience init(_ name: String, subentities: Entity..., properties: any SchemaProperty...) {
      self.init(name, subentities: Set(subentities), storedProperties: properties)
    }

    /// Makes an entity with properties.
    public convenience init(_ name: String, properties: any SchemaProperty...) {
      self.init(name, subentities: [], storedProperties: properties)
    }

    private init(_ name: String, subentities: Set<Entity>, storedProperties: [any SchemaProperty]) {
      self.name = name
      self.subentities = subentities
      self.storedProperties = storedProperties
      for subentity in subentities { subentity.superentity = self }
    }

    /// Reads an entity that ``encode(to:)`` wrote. Its super- and subentities are linked by its schema.
    ///
    /// - Throws: `DecodingError` when the data is none.
    public init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      name = try container.decode(String.self, forKey: .name)
      subentities = []
      superentityName = try container.decodeIfPresent(String.self, forKey: .superentityName)
      storedProperties = try container.decode([PropertyBox].self, forKey: .properties).map(\.property)
      uniquenessConstraints = try container.decode([[String]].self, forKey: .uniquenessConstraints)
      indices = try container.decode([[String]].self, forKey: .indices)
      rtreeIndices = try container.decode([[String]].self, forKey: .rtreeIndices)
      fullTextIndices = try container.decodeIfPresent([FullTextDefinition].self, forKey: .fullTextIndices) ?? []
    }

    enum CodingKeys: String, CodingKey {
      case name, superentityName, properties, uniquenessConstraints, indices, rtreeIndices
      case fullTextIndices
    }

    /// Connects entities by their names, as after decoding.
    static func link(_ entities: [Entity]) {
      let byName = Dictionary(entities.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
      for entity in entities {
        guard let name = entity.superentityName, let superentity = byName[name], superentity !== entity
        else { continue }
        superentity.subentities.insert(entity)
        entity.linkedSuperentity = superentity
      }
    }
  }
}

extension Schema.Entity: Codable, Hashable, CustomDebugStringConvertible {
  /// Writes the entity and the name of its superentity.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(name, forKey: .name)
    try container.encodeIfPresent(superentityName, forKey: .superentityName)
    try container.encode(storedProperties.map(PropertyBox.init), forKey: .properties)
    try container.encode(uniquenessConstraints, forKey: .uniquenessConstraints)
    try container.encode(indices, forKey: .indices)
    try container.encode(rtreeIndices, forKey: .rtreeIndices)
    if !fullTextIndices.isEmpty { try container.encode(fullTextIndices, forKey: .fullTextIndices) }
  }

  /// Whether both have the same name, superentity, properties, constraints and indexes, in any order.
  public static func == (lhs: Schema.Entity, rhs: Schema.Entity) -> Bool {
    lhs === rhs
      || (lhs.name == rhs.name && lhs.superentityName == rhs.superentityName && lhs.attributes == rhs.attributes
        && lhs.relationships == rhs.relationships && Set(lhs.uniquenessConstraints) == Set(rhs.uniquenessConstraints)
        && Set(lhs.indices) == Set(rhs.indices) && Set(lhs.rtreeIndices) == Set(rhs.rtreeIndices)
        && Set(lhs.fullTextIndices) == Set(rhs.fullTextIndices))
  }

  /// Hashes the name alone.
  public func hash(into hasher: inout Hasher) { hasher.combine(name) }

  /// The name and the properties.
  public var debugDescription: String {
    let heading = superentityName.map { "\(name): \($0)" } ?? name
    let properties = storedProperties.map { property in
      (property as? any CustomDebugStringConvertible)?.debugDescription ?? property.name
    }
    return "\(heading) { \(properties.joined(separator: ", ")) }"
  }
}
