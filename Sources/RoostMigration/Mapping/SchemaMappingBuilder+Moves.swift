import RoostCore
import RoostSQL

// Properties that moved between a class and those below it. Their rows are in one table,
// each class with its own columns.
extension SchemaMappingBuilder {
  /// Classes may have left the one that a property stays in: it is theirs no more, or moves with them.
  mutating func noteLeavers(of entity: EntityInfo) {
    for property in entity.ownProperties {
      for stored in sources(of: property) where !stayingTypes(of: stored).isSubset(of: formerNames(of: [entity])) {
        heirs[stored.name] = [entity]
      }
    }
  }

  /// Whether rows become those of a property's class that were of no class which had it.
  func hasNewcomers(_ property: PropertyInfo) -> Bool {
    let former = sources(of: property).flatMap { old.family($0.entity).map(\.name) }
    return !formerNames(of: [property.owner]).isSubset(of: former)
  }

  /// A property may have moved to a superclass, whose table is the same.
  mutating func matchMovedUp(to entity: EntityInfo) {
    for property in entity.ownProperties where stored(property) == nil {
      let sources = entity.subentities.flatMap(\.selfAndDescendants).flatMap { formerClasses(of: $0) }
      for source in sources {
        guard let found = unkept(property, of: source) else { continue }
        guard let first = stored(property) else {
          keep(property, found)
          continue
        }
        // To bring rows of several tables together takes a stage anyway.
        if old.table(of: source) != old.table(of: first.entity) {
          kept.insert(found.name)
        } else if found.isAlike(first) {
          kept.insert(found.name)
          others[ObjectIdentifier(property.details), default: []].append(found)
        }
      }
    }
  }

  /// What an entity was, and what it inherited from that is gone.
  private func formerClasses(of entity: EntityInfo) -> [EntityDefinition] {
    guard let source = mapping.sources[entity.name] else { return [] }
    let known = Set(mapping.sources.values.map(\.name))
    return [source] + old.superentities(of: source).filter { !known.contains($0.name) }
  }

  /// A property may have moved to subclasses.
  mutating func matchMovedDown(to entity: EntityInfo) {
    guard let source = mapping.sources[entity.name] else { return }
    for property in entity.ownProperties where stored(property) == nil {
      for above in old.superentities(of: source) {
        guard let found = unkept(property, of: above) else { continue }
        keep(property, found)
        heirs[found.name, default: []].append(entity)
        break
      }
    }
  }

  /// What a new property may have been in an entity: nothing that the same class, or one above it, has now.
  private func unkept(_ property: PropertyInfo, of source: EntityDefinition) -> StoredProperty? {
    source.properties.lazy.filter { [property.name, property.originalName].contains($0.name) }
      .map { StoredProperty(entity: source, property: $0) }
      .first { !kept.contains($0.name) || heirs[$0.name] != nil }
  }

  /// What a property was: several where it moved up from several subclasses.
  func sources(of property: PropertyInfo) -> [StoredProperty] {
    (stored(property).map { [$0] } ?? []) + (others[ObjectIdentifier(property.details)] ?? [])
  }

  /// The links of all but the first of the subclasses whose lists have become one of their superclass.
  func movedLinks(_ property: PropertyInfo) -> [LinkSource] {
    sources(of: property).dropFirst().compactMap { LinkSource($0, in: old) }
  }

  /// Whether a property moved between classes, so that its values are in other columns than rows of one class have.
  func isMoved(_ property: PropertyInfo) -> Bool {
    let sources = sources(of: property)
    return sources.count > 1 || sources.contains { heirs[$0.name] != nil }
  }

  /// What an old row has of a property: in each class's own column, and nothing where its
  /// class has the property no more.
  ///
  /// `column`: the one that is meant of each; nil where a class has none.
  func value(of property: PropertyInfo, in column: (StoredProperty) -> String? = \.column) -> SQLExpression {
    let type = self.column(entityNameColumn)
    let sources = sources(of: property)
    guard isMoved(property) else {
      return sources.first.flatMap(column).map { self.column($0) } ?? .null
    }
    let own = formerNames(of: [property.owner])
    return .conditional(
      sources.map { source in
        let types = own.intersection(old.family(source.entity).map(\.name)).sorted()
        let value = column(source).map { self.column($0) } ?? .null
        return SQLBranch(when: .inList(type, types.map { .text($0) }), then: value)
      }, otherwise: nil)
  }
}
