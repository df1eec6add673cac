/// Makes a `SchemaInfo` of model types.
///
/// It goes on after the first contradiction, so that a `Schema`, whose initialiser cannot throw, has all entities to
/// show; the contradiction is thrown when the schema is put to use.
struct SchemaInfoBuilder {
  private(set) var entities: [EntityInfo] = []
  private(set) var joinTables: [JoinTable] = []
  private(set) var problems: [SwiftDataError] = []
  private var byType: [ObjectIdentifier: EntityInfo] = [:]
  /// By ordinal.
  private var metadata: [[Schema.PropertyMetadata]] = []

  init(_ types: [any PersistentModel.Type]) {
    types.forEach { add($0) }
    addRelatedTypes()
    linkSuperclasses()
    let superclassesFirst = entities.filter { $0.superentity == nil }.flatMap(\.selfAndDescendants)
    superclassesFirst.forEach { addProperties(to: $0) }
    problems += NameCheck.problems(in: entities)

    var inverses = InverseResolver(entities)
    inverses.resolve()
    problems += inverses.problems

    var storage = StorageResolver(entities)
    storage.resolve()
    joinTables = storage.joinTables

    superclassesFirst.forEach { addConstraints(to: $0) }
    for property in entities.flatMap(\.properties) { property.relationship?.destination.isReferenced = true }
    for table in joinTables { table.owner.isReferenced = true }
  }

  var result: Result<SchemaInfo, SwiftDataError> {
    problems.first.map { .failure($0) } ?? .success(SchemaInfo(entities: entities, joinTables: joinTables))
  }

  // MARK: Types

  private mutating func add(_ type: any PersistentModel.Type) {
    guard byType[ObjectIdentifier(type)] == nil else { return }
    let entity = EntityInfo(name: Schema.entityName(for: type), type: type, ordinal: entities.count)
    byType[ObjectIdentifier(type)] = entity
    entities.append(entity)
    // A subclass that declares no properties inherits its superclass's list.
    metadata.append(
      type.schemaMetadata.filter { $0.keyPath.map { Swift.type(of: $0).rootType == type } ?? ($0.valueType == type) })
  }

  private mutating func addRelatedTypes() {
    var ordinal = 0
    while ordinal < entities.count {
      if let superclass = Self.superclass(of: entities[ordinal].type) { add(superclass) }
      for property in metadata[ordinal] {
        switch property.kind {
        case .toOne(let destination, _), .toMany(let destination, _): add(destination)
        case .attribute, nil: break
        }
      }
      ordinal += 1
    }
  }

  private func linkSuperclasses() {
    for entity in entities {
      guard let superclass = Self.superclass(of: entity.type), let superentity = byType[ObjectIdentifier(superclass)]
      else { continue }
      entity.superentity = superentity
      superentity.subentities.append(entity)
    }
    for entity in entities { entity.table = entity.root.name }
  }

  /// The nearest superclass that is a model, or nil.
  private static func superclass(of type: any PersistentModel.Type) -> (any PersistentModel.Type)? {
    (_getSuperclass(type) as? any PersistentModel.Type)
  }

  // MARK: Properties

  private mutating func addProperties(to entity: EntityInfo) {
    entity.properties = entity.superentity?.properties ?? []
    entity.byKeyPath = entity.superentity?.byKeyPath ?? [:]
    for property in metadata[entity.ordinal] {
      guard let keyPath = property.keyPath else { continue }
      guard let kind = kind(of: property, in: entity) else { continue }
      let index = entity.properties.count
      entity.byKeyPath[keyPath] = index
      entity.properties.append(
        PropertyInfo(
          index: index, name: property.name, keyPath: keyPath, kind: kind,
          details: PropertyDetails(property, owner: entity)))
    }
  }

  private mutating func kind(of property: Schema.PropertyMetadata, in entity: EntityInfo) -> PropertyInfo.Kind? {
    let relationship = property.metadata as? Schema.Relationship
    switch property.kind {
    case .attribute(let codec):
      if relationship != nil {
        report(entity, property, "@Relationship is on an attribute.", "Remove it, or make the type a model's.")
      }
      return .attribute(codec)
    case .toOne(let type, let isOptional):
      guard let destination = byType[ObjectIdentifier(type)] else { return nil }
      return .toOne(
        RelationshipInfo(
          destination: destination, isOptional: isOptional, property: property, storage: .column(property.name)))
    case .toMany(let type, let isOptional):
      guard let destination = byType[ObjectIdentifier(type)] else { return nil }
      let info = RelationshipInfo(
        destination: destination, isOptional: isOptional, property: property, storage: .column(property.name))
      if info.isUnique {
        report(entity, property, "A relationship to many models cannot be unique.", "Remove .unique.")
      }
      return .toMany(info)
    case nil:
      report(entity, property, "The property was described by hand, without its slot.", "Declare the class with @Model.")
      return nil
    }
  }

  private mutating func report(
    _ entity: EntityInfo, _ property: Schema.PropertyMetadata, _ message: String, _ remedy: String
  ) {
    problems.append(.invalidSchema(model: entity.name, property: property.name, message, remedy: remedy))
  }

  // MARK: Constraints

  private mutating func addConstraints(to entity: EntityInfo) {
    entity.uniqueness = entity.ownProperties.filter(\.isUnique).map { [$0.index] }
    for list in metadata[entity.ordinal] {
      entity.uniqueness += list.unique.compactMap { indexes($0, of: entity, in: "#Unique") }
      entity.indices += list.indices.compactMap { indexes($0, of: entity, in: "#Index") }
      entity.rtreeIndices += list.rtreeIndices.compactMap { indexes($0, of: entity, in: "#Index") }
    }
    entity.uniqueness = entity.uniqueness.uniqued()
    entity.indices = entity.indices.uniqued()
  }

  private mutating func indexes(_ keyPaths: [AnyKeyPath], of entity: EntityInfo, in macro: String) -> [Int]? {
    var indexes: [Int] = []
    for (position, keyPath) in keyPaths.enumerated() {
      guard let property = entity.property(for: keyPath) else {
        problems.append(
          .invalidSchema(
            model: entity.name, "Key path \(position + 1) of a list in \(macro) names no persisted property.",
            remedy: "Name stored properties that the class itself declares and that are not @Transient."))
        return nil
      }
      guard property.column != nil else {
        problems.append(
          .invalidSchema(
            model: entity.name, property: property.name, "A relationship to many models cannot be in \(macro).",
            remedy: "Remove it from the list."))
        return nil
      }
      indexes.append(property.index)
    }
    return indexes.isEmpty ? nil : indexes
  }
}

extension Array where Element: Hashable {
  /// The elements in their order, each but once.
  fileprivate func uniqued() -> [Element] {
    var seen: Set<Element> = []
    return filter { seen.insert($0).inserted }
  }
}
