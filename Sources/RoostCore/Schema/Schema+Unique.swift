extension Schema {
  /// The uniqueness constraints of a model type, as `#Unique` declares them.
  ///
  /// Source: SwiftData's `Schema.Unique`.
  public final class Unique<T>: SchemaProperty, CustomDebugStringConvertible where T: PersistentModel {
    /// The name of the declaration.
    public var name = "Unique"
    /// The same as ``name``, unless set.
    public var originalName = "Unique"
    /// The model type, unless set.
    public var valueType: any Any.Type = T.self
    /// True.
    public var isUnique: Bool { true }
    /// The lists of properties whose values no two models may have in common.
    public let constraints: [[PartialKeyPath<T>]]
    /// What a save does with a new model whose values a row has already.
    public let policy: UniquenessPolicy

    /// Makes one constraint a list of properties. A new model with a row's values becomes the row's update.
    public init(_ constraints: [PartialKeyPath<T>]...) { (self.constraints, policy) = (constraints, .upsert) }

    /// Makes one constraint a list of properties, and says what a save does with a new model that has a row's values.
    public init(_ constraints: [PartialKeyPath<T>]..., onConflict policy: UniquenessPolicy) {
      (self.constraints, self.policy) = (constraints, policy)
    }

    /// Reads constraints that ``encode(to:)`` wrote.
    ///
    /// - Throws: `DecodingError` when the model has no such properties any more.
    public init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      let names = PropertyNames<T>()
      constraints = try container.decode([[String]].self, forKey: .constraints).map {
        try names.keyPaths($0, codingPath: container.codingPath)
      }
      policy = try container.decodeIfPresent(UniquenessPolicy.self, forKey: .policy) ?? .upsert
    }

    /// Writes the properties' names.
    ///
    /// - Throws: `EncodingError` when a key path names no persisted property.
    public func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: CodingKeys.self)
      let names = PropertyNames<T>()
      try container.encode(
        constraints.map { try names.names($0, codingPath: encoder.codingPath) }, forKey: .constraints)
      if policy != .upsert { try container.encode(policy, forKey: .policy) }
    }

    /// The keys of the encoded form.
    public enum CodingKeys: CodingKey {
      /// The constraints.
      case constraints
      /// What happens to a new model that meets one; upsert when it is missing.
      case policy
    }

    /// Whether both have the same constraints in the same order, and the same policy.
    public static func == (lhs: Unique<T>, rhs: Unique<T>) -> Bool {
      lhs.constraints == rhs.constraints && lhs.policy == rhs.policy
    }

    /// Hashes the constraints.
    public func hash(into hasher: inout Hasher) { hasher.combine(constraints) }

    /// The declaration.
    public var debugDescription: String {
      let lists = constraints.map(PropertyNames<T>().description)
      let arguments = lists + (policy == .upsert ? [] : ["onConflict: .\(policy)"])
      return "#Unique<\(Schema.entityName(for: T.self))>(\(arguments.joined(separator: ", ")))"
    }
  }
}

extension Schema.Unique: KeyPathLists {
  var uniqueKeyPaths: [[AnyKeyPath]] { constraints }
  var uniquenessPolicy: Schema.UniquenessPolicy? { policy == .upsert ? nil : policy }
}
