/// The entities of a store: which models there are, with which properties and relationships.
///
/// ```swift
/// let schema = Schema([Note.self, Tag.self], version: Schema.Version(2, 0, 0))
/// ```
/// Source: SwiftData's `Schema`.
public final class Schema: Sendable {
  /// The version of the form in which this release writes schemas.
  public static let schemaEncodingVersion = Version(1, 1, 0)

  /// The version of the form in which the schema was written.
  public let encodingVersion: Version
  /// The version that the program gave the schema.
  public let version: Version
  /// The entities: those of the types named first, in their order, then those that they refer to.
  public let entities: [Entity]
  /// The entities by name.
  public let entitiesByName: [String: Entity]
  /// What the model types say, or the reason why they make no schema; nil for a schema not made from types.
  let resolution: Result<SchemaInfo, SwiftDataError>?
  /// What stores of a schema that was decoded look like; nil where the text does not tell.
  private let described: DescribedSchema?

  init(
    entities: [Entity], version: Version, encodingVersion: Version = Schema.schemaEncodingVersion,
    resolution: Result<SchemaInfo, SwiftDataError>?, described: DescribedSchema? = nil
  ) {
    self.entities = entities
    self.version = version
    self.encodingVersion = encodingVersion
    self.resolution = resolution
    self.described = described
    entitiesByName = Dictionary(entities.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
  }

  /// Makes a schema without entities.
  public convenience init() {
    self.init(entities: [], version: Version(1, 0, 0), resolution: .success(SchemaInfo()))
  }

  /// Makes a schema of entities described by hand.
  public convenience init(_ entities: Entity..., version: Version = Version(1, 0, 0)) {
    self.init(entities: entities, version: version, resolution: nil)
  }

  /// Makes a schema of model types and those that they refer to through relationships and superclasses.
  ///
  /// Types that contradict each other are reported by the container's initialiser, which throws.
  public convenience init(_ types: any PersistentModel.Type..., version: Version = Version(1, 0, 0)) {
    self.init(types, version: version)
  }

  /// Makes a schema of model types and those that they refer to through relationships and superclasses.
  ///
  /// Types that contradict each other are reported by the container's initialiser, which throws.
  public convenience init(_ types: [any PersistentModel.Type], version: Version = Version(1, 0, 0)) {
    let builder = SchemaInfoBuilder(types)
    self.init(entities: Entity.make(from: builder.entities), version: version, resolution: builder.result)
  }

  /// Makes the schema of one version of a migration plan.
  public convenience init(versionedSchema: any VersionedSchema.Type) {
    self.init(versionedSchema.models, version: versionedSchema.versionIdentifier)
  }

  /// The entity of a model type, or nil when the schema has none of its name.
  public func entity<T>(for type: T.Type) -> Entity? where T: PersistentModel {
    entitiesByName[Schema.entityName(for: type)]
  }

  /// The name that a model type's entity has: the type's own, without the types it is nested in.
  public static func entityName<T>(for type: T.Type) -> String where T: PersistentModel {
    _typeName(type, qualified: false)
  }

  /// What fetching and saving need to know.
  ///
  /// - Throws: ``SwiftDataError/invalidSchema`` when the types contradict each other, or there are none.
  package func info() throws -> SchemaInfo {
    guard let resolution else {
      throw SwiftDataError.invalidSchema(
        model: entities.first?.name, "The schema was described or decoded without model types.",
        remedy: "Make it with Schema([Note.self, …]).")
    }
    return try resolution.get()
  }
}

extension Schema {
  /// What stores of the schema look like; nil when it was described by hand, or by types that contradict each other.
  package var storeForm: DescribedSchema? {
    if let described { return described }
    guard case .success(let info)? = resolution else { return nil }
    return try? DescribedSchema(info, version: version)
  }
}

extension Schema: Hashable {
  /// Whether both have the same version and the same entities, in any order.
  public static func == (lhs: Schema, rhs: Schema) -> Bool {
    lhs === rhs
      || (lhs.version == rhs.version && lhs.entities.count == rhs.entities.count
        && lhs.entitiesByName == rhs.entitiesByName)
  }

  /// Hashes the version and the entities' names.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(version)
    hasher.combine(Set(entitiesByName.keys))
  }
}

extension Schema: CustomDebugStringConvertible {
  /// The version and the entities, one a line.
  public var debugDescription: String {
    "Schema \(version)\n" + entities.map { "  \($0.debugDescription)" }.joined(separator: "\n")
  }
}
