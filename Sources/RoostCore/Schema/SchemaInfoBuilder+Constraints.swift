extension SchemaInfoBuilder {
  mutating func addConstraints(to entity: EntityInfo) {
    entity.uniqueness = entity.ownProperties.filter(\.isUnique).map { [IndexKey(property: $0.index)] }
    for list in metadata[entity.ordinal] {
      let constraints = list.unique.compactMap { indexes($0, of: entity, in: "#Unique") }
      entity.uniqueness += constraints
      if let policy = list.uniquenessPolicy { for keys in constraints { entity.uniquenessPolicies[keys] = policy } }
      entity.indices += list.indices.compactMap { indexes($0, of: entity, in: "#Index") }
      entity.rtreeIndices += list.rtreeIndices.compactMap { indexes($0, of: entity, in: "#Index") }
    }
    entity.uniqueness = entity.uniqueness.uniqued()
    entity.indices = entity.indices.uniqued()
  }

  /// Ranks entities behind those that their unique constraints refer to; within a cycle the order means nothing.
  func rankByUniqueness() {
    for _ in entities {
      for entity in entities {
        let targets = entity.constraints.flatMap(\.properties).compactMap {
          entity.properties[$0.property].relationship?.destination
        }.flatMap(\.selfAndDescendants)
        for target in targets where target !== entity && !target.constraints.isEmpty {
          entity.uniquenessRank = min(max(entity.uniquenessRank, target.uniquenessRank + 1), entities.count)
        }
      }
    }
  }

  private mutating func indexes(_ keyPaths: [AnyKeyPath], of entity: EntityInfo, in macro: String) -> [IndexKey]? {
    var keys: [IndexKey] = []
    for (position, keyPath) in keyPaths.enumerated() {
      guard let key = indexKey(keyPath, position + 1, of: entity, in: macro) else { return nil }
      keys.append(key)
    }
    return keys.isEmpty ? nil : keys
  }

  private mutating func indexKey(
    _ keyPath: AnyKeyPath, _ position: Int, of entity: EntityInfo, in macro: String
  ) -> IndexKey? {
    if let property = entity.property(for: keyPath) {
      if property.isExternal {
        problems.append(
          .invalidSchema(
            model: entity.name, property: property.name,
            "What may be in a file beside the store cannot be in \(macro).",
            remedy: "Remove it from the list, or remove .externalStorage."))
        return nil
      }
      if property.column != nil { return IndexKey(property: property.index) }
      problems.append(
        .invalidSchema(
          model: entity.name, property: property.name, "A relationship to many models cannot be in \(macro).",
          remedy: "Remove it from the list."))
      return nil
    }
    guard let path = entity.fieldPath(for: keyPath), let property = path.properties.last, path.properties.count == 1
    else {
      problems.append(
        .invalidSchema(
          model: entity.name, "Key path \(position) of a list in \(macro) names no persisted property.",
          remedy: "Name stored properties of the class that are not @Transient, or stored"
            + " properties of a Codable struct in one."))
      return nil
    }
    if let key = IndexKey(path.field, in: property, isUnique: macro == "#Unique") { return key }
    let name = ([property.name] + path.field.keys).joined(separator: ".")
    problems.append(
      .invalidSchema(
        model: entity.name, property: property.name,
        "`\(name)` of the type \(path.field.type) cannot be in \(macro): SQLite does not read such values exactly"
          + " from JSON.",
        remedy: "Make it an attribute of its own."))
    return nil
  }
}

extension Array where Element: Hashable {
  /// The elements in their order, each but once.
  fileprivate func uniqued() -> [Element] {
    var seen: Set<Element> = []
    return filter { seen.insert($0).inserted }
  }
}
