/// Makes a `SchemaInfo` of model types.
///
/// It goes on after the first contradiction, so that a `Schema`, whose initialiser cannot throw, has all entities to
/// show; the contradiction is thrown when the schema is put to use.
struct SchemaInfoBuilder {
  private(set) var entities: [EntityInfo] = []
  private(set) var joinTables: [JoinTable] = []
  var problems: [SwiftDataError] = []
  private var byType: [ObjectIdentifier: EntityInfo] = [:]
  /// By ordinal.
  private(set) var metadata: [[Schema.PropertyMetadata]] = []

  /// Reads the types' metadata. `tablePrefix` is what is in front of the tables' names.
  init(_ types: [any PersistentModel.Type], tablePrefix: String = "") {
    for type in types { add(type) }
    addRelatedTypes()
    linkSuperclasses(tablePrefix)
    let superclassesFirst = entities.filter { $0.superentity == nil }.flatMap(\.selfAndDescendants)
    for entity in superclassesFirst { addProperties(to: entity) }
    problems += NameCheck.problems(in: entities)

    var inverses = InverseResolver(entities)
    inverses.resolve()
    problems += inverses.problems

    var storage = StorageResolver(entities, tablePrefix: tablePrefix)
    storage.resolve()
    joinTables = storage.joinTables

    for entity in superclassesFirst { addConstraints(to: entity) }
    for entity in superclassesFirst { addFullTextIndexes(to: entity) }
    for entity in entities where entity.isMixed || entity.storedProperties != nil {
      entity.columnPositions = entity.positions(in: entity.columns())
    }
    rankByUniqueness()
    for relationship in entities.flatMap(\.properties).compactMap(\.relationship) {
      markReferenced(relationship.destination)
    }
    for table in joinTables { markReferenced(table.owner) }
    for entity in entities {
      for referrer in entity.ownProperties {
        guard let relationship = referrer.relationship, relationship.inverse == nil else { continue }
        for destination in relationship.destination.selfAndDescendants { destination.unknownReferrers.append(referrer) }
      }
    }
  }

  var result: Result<SchemaInfo, SwiftDataError> {
    problems.first.map { .failure($0) } ?? .success(SchemaInfo(entities: entities, joinTables: joinTables))
  }

  private func markReferenced(_ entity: EntityInfo) {
    for entity in entity.selfAndDescendants { entity.isReferenced = true }
  }

  // MARK: Types

  private mutating func add(_ type: any PersistentModel.Type) {
    guard byType[ObjectIdentifier(type)] == nil else { return }
    let entity = EntityInfo(name: Schema.entityName(for: type), type: type, ordinal: entities.count)
    byType[ObjectIdentifier(type)] = entity
    entities.append(entity)
    metadata.append(type.ownMetadata)
    entity.originalName = metadata[entity.ordinal].lazy.compactMap(\.entityOriginalName).first
  }

  private mutating func addRelatedTypes() {
    var ordinal = 0
    while ordinal < entities.count {
      if let superclass = entities[ordinal].type.modelSuperclass { add(superclass) }
      for property in metadata[ordinal] {
        switch property.kind {
        case .toOne(let destination, _), .toMany(let destination, _): add(destination)
        case .attribute, nil: break
        }
      }
      ordinal += 1
    }
  }

  private func linkSuperclasses(_ tablePrefix: String) {
    for entity in entities {
      guard let superclass = entity.type.modelSuperclass, let superentity = byType[ObjectIdentifier(superclass)]
      else { continue }
      entity.superentity = superentity
      superentity.subentities.append(entity)
    }
    for entity in entities { entity.table = tablePrefix + entity.root.name }
  }

  // MARK: Properties

  private mutating func addProperties(to entity: EntityInfo) {
    inheritProperties(to: entity)
    for property in metadata[entity.ordinal] {
      guard let keyPath = property.keyPath else { continue }
      guard let kind = kind(of: property, in: entity) else { continue }
      let index = entity.properties.count
      entity.byKeyPath[keyPath] = index
      entity.properties.append(
        PropertyInfo(
          index: index, name: property.name, keyPath: keyPath, kind: kind, chained: property.chained,
          details: PropertyDetails(property, owner: entity)))
    }
  }

  private func inheritProperties(to entity: EntityInfo) {
    guard let superentity = entity.superentity else { return }
    entity.byKeyPath = superentity.byKeyPath
    let keyPaths = metadata[entity.ordinal].flatMap(\.inherited)
    entity.properties = superentity.properties.map { property in
      // A class without @Model of its own has none.
      guard keyPaths.indices.contains(property.index) else { return property }
      let inherited = keyPaths[property.index]
      entity.byKeyPath[inherited.keyPath] = property.index
      return PropertyInfo(
        index: property.index, name: property.name, keyPath: inherited.keyPath, kind: property.kind,
        chained: { inherited.chained }, details: property.details)
    }
  }

  private mutating func kind(of property: Schema.PropertyMetadata, in entity: EntityInfo) -> PropertyInfo.Kind? {
    let relationship = property.metadata as? Schema.Relationship
    switch property.kind {
    case .attribute(let codec, let isExternal):
      if relationship != nil {
        report(entity, property, "@Relationship is on an attribute.", "Remove it, or make the type a model's.")
      }
      if let problem = (ColumnMeaning(codec).codec as? any NamedTransformerCodec.Type)?.problem {
        report(
          entity, property, problem, "Call register(as:) of an AttributeTransformer before you make the container.")
      }
      if codec.semantics == .json { checkClasses(property, in: entity) }
      checkUniqueness(property, isExternal: isExternal, in: entity)
      checkPlaceholder(property, codec, in: entity)
      return .attribute(codec)
    case .toOne(let type, let isOptional):
      guard let destination = byType[ObjectIdentifier(type)] else { return nil }
      checkIsStored(property, in: entity)
      return .toOne(
        RelationshipInfo(
          destination: destination, isOptional: isOptional, property: property, storage: .column(property.name)))
    case .toMany(let type, let isOptional):
      guard let destination = byType[ObjectIdentifier(type)] else { return nil }
      checkIsStored(property, in: entity)
      let info = RelationshipInfo(
        destination: destination, isOptional: isOptional, property: property, storage: .column(property.name))
      if info.isUnique {
        report(entity, property, "A relationship to many models cannot be unique.", "Remove .unique.")
      }
      return .toMany(info)
    case nil:
      report(
        entity, property, "The property was described by hand, without its slot.", "Declare the class with @Model.")
      return nil
    }
  }

  /// A class's values are shared by reference, which no column keeps; whoever wants that must say so.
  private mutating func checkClasses(_ property: Schema.PropertyMetadata, in entity: EntityInfo) {
    guard let (type, path) = CompositeFields.firstClass(in: property.valueType) else { return }
    let place = path.isEmpty ? "It" : "`\(path.joined(separator: "."))` in it"
    report(
      entity, property, "\(place) is of the class \(type), which is no model.",
      "Mark the property @Attribute(.codable), or make \(type) a struct.")
  }

  /// What is not in the row cannot be unique.
  private mutating func checkUniqueness(
    _ property: Schema.PropertyMetadata, isExternal: Bool, in entity: EntityInfo
  ) {
    guard let attribute = property.metadata as? Schema.Attribute, attribute.isUnique else { return }
    if attribute.isTransient {
      report(
        entity, property, "What is not stored cannot be unique.", "Remove .unique, or .ephemeral to store the property."
      )
    } else if isExternal {
      report(
        entity, property, "What may be in a file beside the store cannot be unique.",
        "Remove .unique or .externalStorage.")
    }
  }

  /// A relationship is kept whatever its options say, as the other side would be.
  private mutating func checkIsStored(_ property: Schema.PropertyMetadata, in entity: EntityInfo) {
    guard let attribute = property.metadata as? Schema.Attribute, attribute.isTransient else { return }
    report(entity, property, "A relationship cannot be .ephemeral.", "Remove it, or mark the property @Transient.")
  }

  /// A getter cannot throw: the property of a model whose row or file is gone must read as something.
  private mutating func checkPlaceholder(
    _ property: Schema.PropertyMetadata, _ codec: any _AttributeCodec.Type, in entity: EntityInfo
  ) {
    func open<Codec: _AttributeCodec>(_ codec: Codec.Type) -> Bool { Placeholder.attribute(codec) != nil }
    if codec.isOptional || property.defaultValue() != nil || open(codec) { return }
    report(
      entity, property,
      "There would be nothing to read once its row is gone: \(property.valueType) refuses to be decoded from zeros and"
        + " empty values, and from ones.",
      "Give the property a default value, or make it optional"
        + (codec.semantics == .transformed ? ", or give its transformer a placeholder." : "."))
  }

  private mutating func report(
    _ entity: EntityInfo, _ property: Schema.PropertyMetadata, _ message: String, _ remedy: String
  ) {
    problems.append(.invalidSchema(model: entity.name, property: property.name, message, remedy: remedy))
  }
}
