extension Schema {
  /// A property with a value of its own, kept in a column.
  ///
  /// Source: SwiftData's `Schema.Attribute`.
  public class Attribute: SchemaProperty, CustomDebugStringConvertible, @unchecked Sendable {
    // SAFETY: an attribute is set up by one thread before its schema is shared, and a schema's are not changed after.

    /// The property's name, which is also the column's.
    public var name: String
    /// The name that the property had in an earlier version, or the same as ``name``.
    public var originalName: String
    /// How the attribute is kept.
    public var options: [Option]
    /// The type of the values; `Any` when the attribute was decoded and the program has no such type any more.
    public var valueType: any Any.Type {
      get { namedType.type }
      set {
        namedType = NamedType(newValue)
        isOptional = isOptionalType(newValue)
      }
    }
    /// The declared default, evaluated at each access: `UUID()` is another one each time.
    public var defaultValue: Any? {
      get { makeDefaultValue() }
      set { makeDefaultValue = { newValue } }
    }
    /// Whether the value may be nil.
    public var isOptional: Bool
    /// A text that makes two otherwise equal attributes differ, to force a migration.
    public var hashModifier: String?

    var namedType: NamedType
    var makeDefaultValue: () -> Any?

    /// Makes the options of an attribute, as `@Attribute` is given them; the model's macro knows the rest.
    public init(_ options: Option..., originalName: String? = nil, hashModifier: String? = nil) {
      name = ""
      self.originalName = originalName ?? ""
      self.options = options
      self.hashModifier = hashModifier
      namedType = NamedType(Any.self)
      isOptional = false
      makeDefaultValue = { nil }
    }

    /// Makes an attribute.
    ///
    /// - Parameters:
    ///   - name: the property's name.
    ///   - originalName: the name it had in an earlier version; nil when it is the same.
    ///   - options: how it is kept.
    ///   - valueType: the type of its values.
    ///   - defaultValue: the value of rows that have none.
    ///   - hashModifier: a text that makes two otherwise equal attributes differ.
    public init(
      name: String, originalName: String? = nil, options: [Option] = [], valueType: any Any.Type,
      defaultValue: Any? = nil, hashModifier: String? = nil
    ) {
      self.name = name
      self.originalName = originalName ?? name
      self.options = options
      self.hashModifier = hashModifier
      namedType = NamedType(valueType)
      isOptional = isOptionalType(valueType)
      makeDefaultValue = { defaultValue }
    }

    /// Reads an attribute that ``encode(to:)`` wrote.
    ///
    /// - Throws: `DecodingError` when the data is none.
    public required init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      name = try container.decode(String.self, forKey: .name)
      originalName = try container.decode(String.self, forKey: .originalName)
      options = try container.decode([Option].self, forKey: .options)
      hashModifier = try container.decodeIfPresent(String.self, forKey: .hashModifier)
      isOptional = try container.decode(Bool.self, forKey: .isOptional)
      let type = NamedType(try container.decode(TypeName.self, forKey: .valueType))
      let text = try container.decodeIfPresent(String.self, forKey: .defaultValue)
      namedType = type
      makeDefaultValue = { text.flatMap { DefaultValueText.value($0, as: type.type) } }
    }

    /// Writes the attribute, with its default value when that is `Codable`.
    public func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: CodingKeys.self)
      try container.encode(name, forKey: .name)
      try container.encode(originalName, forKey: .originalName)
      try container.encode(options, forKey: .options)
      try container.encodeIfPresent(hashModifier, forKey: .hashModifier)
      try container.encode(isOptional, forKey: .isOptional)
      try container.encode(namedType.name, forKey: .valueType)
      try container.encodeIfPresent(defaultValue.flatMap(DefaultValueText.text), forKey: .defaultValue)
    }

    private enum CodingKeys: String, CodingKey {
      case name, originalName, options, valueType, isOptional, defaultValue, hashModifier
    }

    /// The name, the type and the options.
    public var debugDescription: String {
      let options = options.isEmpty ? "" : " \(options.map(\.debugDescription).joined(separator: " "))"
      return "\(name): \(namedType.name.name)\(options)"
    }

    func isEqual(to other: Attribute) -> Bool {
      type(of: self) == type(of: other) && name == other.name && originalName == other.originalName
        && options == other.options && namedType.name == other.namedType.name && isOptional == other.isOptional
        && hashModifier == other.hashModifier
    }
  }
}

extension Schema.Attribute {
  /// Whether both have the same name, type and options. Default values, which may differ each time, do not count.
  public static func == (lhs: Schema.Attribute, rhs: Schema.Attribute) -> Bool { lhs.isEqual(to: rhs) }

  /// Hashes the name alone.
  public func hash(into hasher: inout Hasher) { hasher.combine(name) }

  /// True.
  public var isAttribute: Bool { true }
  /// False.
  public var isRelationship: Bool { false }
  /// Whether the value is not written to the store, as with ``Option/ephemeral``.
  public var isTransient: Bool { options.contains(.ephemeral) }
  /// Whether no two models may have the same value.
  public var isUnique: Bool { options.contains(where: \.isUnique) }
  /// Whether a value transformer makes the stored form.
  public var isTransformable: Bool { options.contains { $0.transformerName != nil } }
  /// Whether the value is kept in its own encoded form, opaque to predicates.
  public var isCodable: Bool { options.contains(.codable) }
}
