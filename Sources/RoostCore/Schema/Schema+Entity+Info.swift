extension Schema.Entity {
  /// The public description of what fetching and saving know.
  static func make(from infos: [EntityInfo]) -> [Schema.Entity] {
    let entities = infos.map { info in
      let entity = Schema.Entity(info.name)
      entity.superentityName = info.superentity?.name
      entity.storedProperties = info.ownProperties.map(property)
      entity.uniquenessConstraints = info.uniqueness.map { $0.map { info.properties[$0].name } }
      entity.indices = info.indices.map { $0.map { info.properties[$0].name } }
      entity.rtreeIndices = info.rtreeIndices.map { $0.map { info.properties[$0].name } }
      return entity
    }
    link(entities)
    return entities
  }

  private static func property(_ info: PropertyInfo) -> any SchemaProperty {
    guard let relationship = info.relationship else {
      let attribute = Schema.Attribute(
        name: info.name, originalName: info.originalName, options: info.details.options, valueType: info.valueType,
        hashModifier: info.details.hashModifier)
      attribute.makeDefaultValue = info.details.defaultValue
      return attribute
    }
    let property = Schema.Relationship(
      options: relationship.isUnique ? [.unique] : [], deleteRule: relationship.deleteRule,
      minimumModelCount: relationship.minimumCount ?? 0, maximumModelCount: relationship.maximumCount ?? 0,
      originalName: info.originalName, inverse: nil, hashModifier: info.details.hashModifier,
      isUnidirectional: relationship.isUnidirectional)
    property.name = info.name
    property.keypath = info.keyPath
    property.valueType = info.valueType
    property.destination = relationship.destination.name
    property.isOptional = relationship.isOptional
    if case .toOne = info.kind { property.isToOneRelationship = true } else { property.isToOneRelationship = false }
    if let inverse = relationship.inverse {
      property.inverseName = relationship.destination.properties[inverse].name
      property.inverseKeyPath = relationship.destination.properties[inverse].keyPath
    }
    return property
  }
}
