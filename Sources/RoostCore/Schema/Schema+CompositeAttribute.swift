extension Schema {
  /// An attribute made of others: a `Codable` struct and its properties.
  ///
  /// Source: SwiftData's `Schema.CompositeAttribute`.
  public final class CompositeAttribute: Attribute, @unchecked Sendable {
    // SAFETY: as for Attribute.

    /// The attributes of the struct's properties.
    public var properties: [Attribute] = []

    /// Makes an attribute whose ``properties`` are yet to be set.
    ///
    /// - Parameters:
    ///   - name: the property's name.
    ///   - originalName: the name it had in an earlier version; nil when it is the same.
    ///   - options: how it is kept.
    ///   - valueType: the struct.
    ///   - defaultValue: the value of rows that have none.
    ///   - hashModifier: a text that makes two otherwise equal attributes differ.
    public override init(
      name: String, originalName: String? = nil, options: [Option] = [], valueType: any Any.Type,
      defaultValue: Any? = nil, hashModifier: String? = nil
    ) {
      super.init(
        name: name, originalName: originalName, options: options, valueType: valueType, defaultValue: defaultValue,
        hashModifier: hashModifier)
    }

    /// Reads an attribute that ``encode(to:)`` wrote.
    ///
    /// - Throws: `DecodingError` when the data is none.
    public required init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      properties = try container.decode([PropertyBox].self, forKey: .properties).compactMap {
        $0.property as? Attribute
      }
      try super.init(from: decoder)
    }

    /// Writes the attribute and those it is made of.
    public override func encode(to encoder: any Encoder) throws {
      try super.encode(to: encoder)
      var container = encoder.container(keyedBy: CodingKeys.self)
      try container.encode(properties.map(PropertyBox.init), forKey: .properties)
    }

    private enum CodingKeys: String, CodingKey {
      case properties
    }

    /// Whether both have the same name, type, options and parts.
    public static func == (lhs: CompositeAttribute, rhs: CompositeAttribute) -> Bool { lhs.isEqual(to: rhs) }

    override func isEqual(to other: Attribute) -> Bool {
      super.isEqual(to: other) && properties == (other as? CompositeAttribute)?.properties
    }

    /// The name, the type, the options and the parts.
    public override var debugDescription: String {
      "\(super.debugDescription) { \(properties.map(\.debugDescription).joined(separator: ", ")) }"
    }
  }
}

/// A property of an entity in a file, where its class must be told.
struct PropertyBox: Codable {
  let property: any SchemaProperty

  private enum CodingKeys: String, CodingKey {
    case kind
  }

  private enum Kind: String, Codable {
    case attribute, composite, relationship
  }

  init(_ property: any SchemaProperty) { self.property = property }

  init(from decoder: any Decoder) throws {
    switch try decoder.container(keyedBy: CodingKeys.self).decode(Kind.self, forKey: .kind) {
    case .attribute: property = try Schema.Attribute(from: decoder)
    case .composite: property = try Schema.CompositeAttribute(from: decoder)
    case .relationship: property = try Schema.Relationship(from: decoder)
    }
  }

  func encode(to encoder: any Encoder) throws {
    let kind: Kind
    switch property {
    case is Schema.CompositeAttribute: kind = .composite
    case is Schema.Attribute: kind = .attribute
    case is Schema.Relationship: kind = .relationship
    default:
      throw EncodingError.invalidValue(
        property, .init(codingPath: encoder.codingPath, debugDescription: "\(property.name) is no stored property"))
    }
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(kind, forKey: .kind)
    try property.encode(to: encoder)
  }
}
