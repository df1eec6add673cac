extension Schema {
  /// A property that refers to another model, or to several.
  ///
  /// Source: SwiftData's `Schema.Relationship`.
  public final class Relationship: SchemaProperty, CustomDebugStringConvertible, @unchecked Sendable {
    // SAFETY: a relationship is set up by one thread before its schema is shared, and a schema's are not changed
    // after.

    /// The property's name.
    public var name: String
    /// The name that the property had in an earlier version, or the same as ``name``.
    public var originalName: String
    /// The property's key path; nil when the relationship was decoded.
    public var keypath: AnyKeyPath?
    /// How the relationship is kept.
    public var options: [Option]
    /// The property's type; `Any` when the relationship was decoded and the program has no such type any more.
    public var valueType: any Any.Type {
      get { namedType.type }
      set {
        namedType = NamedType(newValue)
        isOptional = isOptionalType(newValue)
        isToOneRelationship = !(newValue is any RelationshipCollection.Type)
      }
    }
    /// The name of the entity that the relationship refers to.
    public var destination: String
    /// What happens to the related models when the owner is deleted.
    public var deleteRule: DeleteRule
    /// The name of the destination's property that refers back.
    public var inverseName: String?
    /// The key path of the destination's property that leads back.
    public var inverseKeyPath: AnyKeyPath?
    /// The least number of related models; 0 and nil stand for no bound.
    public var minimumModelCount: Int?
    /// The greatest number of related models; 0 and nil stand for no bound.
    public var maximumModelCount: Int?
    /// A text that makes two otherwise equal relationships differ, to force a migration.
    public var hashModifier: String?
    /// Whether the relationship refers to at most one model.
    public internal(set) var isToOneRelationship: Bool
    /// Whether the property may be nil.
    public internal(set) var isOptional: Bool
    /// Whether the relationship was declared to have no inverse, so that none is inferred.
    package internal(set) var isUnidirectional: Bool

    var namedType: NamedType

    /// Makes a relationship whose inverse is given: `nil` stands for none, where leaving it out asks to infer it.
    ///
    /// Disfavoured, so that a call without `inverse:` means the other initialiser, which is how the two differ.
    @_disfavoredOverload
    public convenience init(
      _ options: Option..., deleteRule: DeleteRule = .nullify, minimumModelCount: Int? = 0,
      maximumModelCount: Int? = 0, originalName: String? = nil, inverse: AnyKeyPath? = nil,
      hashModifier: String? = nil
    ) {
      self.init(
        options: options, deleteRule: deleteRule, minimumModelCount: minimumModelCount,
        maximumModelCount: maximumModelCount, originalName: originalName, inverse: inverse,
        hashModifier: hashModifier, isUnidirectional: inverse == nil)
    }

    /// Makes a relationship whose inverse is inferred.
    public convenience init(
      _ options: Option..., deleteRule: DeleteRule = .nullify, minimumModelCount: Int? = 0,
      maximumModelCount: Int? = 0, originalName: String? = nil, hashModifier: String? = nil
    ) {
      self.init(
        options: options, deleteRule: deleteRule, minimumModelCount: minimumModelCount,
        maximumModelCount: maximumModelCount, originalName: originalName, inverse: nil, hashModifier: hashModifier,
        isUnidirectional: false)
    }

    init(
      options: [Option], deleteRule: DeleteRule, minimumModelCount: Int?, maximumModelCount: Int?,
      originalName: String?, inverse: AnyKeyPath?, hashModifier: String?, isUnidirectional: Bool
    ) {
      name = ""
      self.originalName = originalName ?? ""
      self.options = options
      self.deleteRule = deleteRule
      self.minimumModelCount = minimumModelCount
      self.maximumModelCount = maximumModelCount
      self.hashModifier = hashModifier
      self.isUnidirectional = isUnidirectional
      inverseKeyPath = inverse
      destination = ""
      namedType = NamedType(Any.self)
      isToOneRelationship = true
      isOptional = false
    }

    /// Reads a relationship that ``encode(to:)`` wrote. Its key paths are nil.
    ///
    /// - Throws: `DecodingError` when the data is none.
    public init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      name = try container.decode(String.self, forKey: .name)
      originalName = try container.decode(String.self, forKey: .originalName)
      options = try container.decode([Option].self, forKey: .options)
      destination = try container.decode(String.self, forKey: .destination)
      deleteRule = try container.decode(DeleteRule.self, forKey: .deleteRule)
      inverseName = try container.decodeIfPresent(String.self, forKey: .inverseName)
      minimumModelCount = try container.decodeIfPresent(Int.self, forKey: .minimumModelCount)
      maximumModelCount = try container.decodeIfPresent(Int.self, forKey: .maximumModelCount)
      hashModifier = try container.decodeIfPresent(String.self, forKey: .hashModifier)
      isToOneRelationship = try container.decode(Bool.self, forKey: .isToOne)
      isOptional = try container.decode(Bool.self, forKey: .isOptional)
      isUnidirectional = try container.decode(Bool.self, forKey: .isUnidirectional)
      namedType = NamedType(try container.decode(TypeName.self, forKey: .valueType))
    }
  }
}

extension Schema.Relationship {
  enum CodingKeys: String, CodingKey {
    case name, originalName, options, valueType, destination, deleteRule, inverseName, minimumModelCount
    case maximumModelCount, hashModifier, isToOne, isOptional, isUnidirectional
  }
}
