extension SchemaInfoBuilder {
  mutating func addConstraints(to entity: EntityInfo) {
    entity.uniqueness = entity.ownProperties.filter(\.isUnique).map { [$0.index] }
    for list in metadata[entity.ordinal] {
      entity.uniqueness += list.unique.compactMap { indexes($0, of: entity, in: "#Unique") }
      entity.indices += list.indices.compactMap { indexes($0, of: entity, in: "#Index") }
      entity.rtreeIndices += list.rtreeIndices.compactMap { indexes($0, of: entity, in: "#Index") }
    }
    entity.uniqueness = entity.uniqueness.uniqued()
    entity.indices = entity.indices.uniqued()
  }

  /// Ranks entities behind those that their unique constraints lead to; within a cycle the order means nothing.
  func rankByUniqueness() {
    for _ in entities {
      for entity in entities {
        let targets = entity.constraints.flatMap(\.properties).compactMap {
          entity.properties[$0].relationship?.destination
        }.flatMap(\.selfAndDescendants)
        for target in targets where target !== entity && !target.constraints.isEmpty {
          entity.uniquenessRank = min(max(entity.uniquenessRank, target.uniquenessRank + 1), entities.count)
        }
      }
    }
  }

  private mutating func indexes(_ keyPaths: [AnyKeyPath], of entity: EntityInfo, in macro: String) -> [Int]? {
    var indexes: [Int] = []
    for (position, keyPath) in keyPaths.enumerated() {
      guard let property = entity.property(for: keyPath) else {
        problems.append(
          .invalidSchema(
            model: entity.name, "Key path \(position + 1) of a list in \(macro) names no persisted property.",
            remedy: "Name stored properties of the class that are not @Transient."))
        return nil
      }
      guard property.column != nil else {
        problems.append(
          .invalidSchema(
            model: entity.name, property: property.name, "A relationship to many models cannot be in \(macro).",
            remedy: "Remove it from the list."))
        return nil
      }
      if property.isExternal {
        problems.append(
          .invalidSchema(
            model: entity.name, property: property.name,
            "What may be in a file beside the store cannot be in \(macro).",
            remedy: "Remove it from the list, or remove .externalStorage."))
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
