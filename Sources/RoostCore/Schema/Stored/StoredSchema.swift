import RoostSQL

/// A stored schema, asked for the tables and columns of its file.
package struct StoredSchema {
  package let definition: StoreDefinition
  private let byName: [String: EntityDefinition]
  private let subentities: [String: [EntityDefinition]]

  package init(_ definition: StoreDefinition) {
    self.definition = definition
    byName = Dictionary(definition.entities.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    subentities = Dictionary(grouping: definition.entities.filter { $0.superentity != nil }) { $0.superentity ?? "" }
  }

  /// The entities with a table of their own.
  package var roots: [EntityDefinition] { definition.entities.filter { root(of: $0).name == $0.name } }

  /// The join tables.
  package var joinTables: Set<String> { Set(definition.entities.flatMap { $0.properties.compactMap(\.joinTable) }) }

  package func entity(named name: String) -> EntityDefinition? { byName[name] }

  package func root(of entity: EntityDefinition) -> EntityDefinition {
    superentities(of: entity).last ?? entity
  }

  /// Those above an entity, the nearest first.
  package func superentities(of entity: EntityDefinition) -> [EntityDefinition] {
    // A damaged definition may lead in a circle.
    var (above, place, seen): ([EntityDefinition], EntityDefinition, Set<String>) = ([], entity, [entity.name])
    while let name = place.superentity, let next = byName[name], seen.insert(name).inserted {
      above.append(next)
      place = next
    }
    return above
  }

  /// The entity and all below it.
  package func family(_ entity: EntityDefinition, depth: Int = 0) -> [EntityDefinition] {
    if depth > definition.entities.count { return [] }
    return [entity] + (subentities[entity.name] ?? []).flatMap { family($0, depth: depth + 1) }
  }

  package func isInHierarchy(_ root: EntityDefinition) -> Bool { subentities[root.name] != nil }

  package func table(of entity: EntityDefinition) -> String { root(of: entity).name }

  func property(_ name: String, of entity: EntityDefinition) -> StoredProperty? {
    entity.properties.first { $0.name == name }.map { StoredProperty(entity: entity, property: $0) }
  }

  /// The property that refers back.
  package func inverse(of stored: StoredProperty) -> StoredProperty? {
    guard let inverse = stored.property.inverse, let name = stored.property.destination,
      let destination = byName[name]
    else { return nil }
    // The destination may inherit it.
    var (place, seen): (EntityDefinition?, Set<String>) = (destination, [])
    while let entity = place, seen.insert(entity.name).inserted {
      if let found = property(inverse, of: entity) { return found }
      place = entity.superentity.flatMap { byName[$0] }
    }
    return nil
  }
}

/// A property of a stored schema, and the entity that declares it.
package struct StoredProperty: Equatable {
  package let entity: EntityDefinition
  package let property: EntityDefinition.Property

  package init(entity: EntityDefinition, property: EntityDefinition.Property) {
    self.entity = entity
    self.property = property
  }

  package var column: String { property.column ?? property.name }
  package var isRelationship: Bool { property.destination != nil }
  package var isToOne: Bool { property.kind == "to-one" }
  package var name: String { "\(entity.name).\(property.name)" }

  /// Whether both have values of the same kind.
  package func isAlike(_ other: StoredProperty) -> Bool {
    property.kind == other.property.kind && property.type == other.property.type
      && property.destination == other.property.destination
  }

  package static func == (lhs: StoredProperty, rhs: StoredProperty) -> Bool { lhs.name == rhs.name }
}
