extension Schema.Entity {
  /// The public description of what fetching and saving know.
  static func make(from infos: [EntityInfo]) -> [Schema.Entity] {
    let entities = infos.map { info in
      let entity = Schema.Entity(info.name)
      entity.superentityName = info.superentity?.name
      entity.storedProperties = info.ownProperties.map(property)
      entity.uniquenessConstraints = info.uniqueness.map { $0.map { $0.name(in: info) } }
      entity.indices = info.indices.map { $0.map { $0.name(in: info) } }
      entity.rtreeIndices = info.rtreeIndices.map { $0.map { $0.name(in: info) } }
      entity.fullTextIndices = info.fullTextIndexes.map(\.definition)
      return entity
    }
    link(entities)
    return entities
  }

  /// The keys of a struct that is kept as JSON.
  private static func fields(of type: any Any.Type, depth: Int = 4) -> [Schema.Attribute] {
    CompositeFields.of(type).map { field in
      let inner = depth == 1 ? [] : fields(of: field.type, depth: depth - 1)
      let type = field.isOptional ? Self.optional(field.type) : field.type
      if inner.isEmpty { return Schema.Attribute(name: field.key, valueType: type) }
      let composite = Schema.CompositeAttribute(name: field.key, valueType: type)
      composite.properties = inner
      return composite
    }
  }

  static func optional(_ type: any Any.Type) -> any Any.Type {
    func open<Wrapped>(_ type: Wrapped.Type) -> any Any.Type { Wrapped?.self }
    return _openExistential(type, do: open)
  }

  private static func property(_ info: PropertyInfo) -> any SchemaProperty {
    guard let relationship = info.relationship else {
      let (name, type) = (info.name, info.valueType)
      let (options, modifier) = (info.details.options, info.details.hashModifier)
      let attribute: Schema.Attribute
      if let compositeType = info.compositeType {
        let composite = Schema.CompositeAttribute(
          name: name, originalName: info.originalName, options: options, valueType: type, hashModifier: modifier)
        composite.properties = fields(of: compositeType)
        attribute = composite
      } else {
        attribute = Schema.Attribute(
          name: name, originalName: info.originalName, options: options, valueType: type, hashModifier: modifier)
      }
      attribute.makeDefaultValue = info.details.defaultValue
      return attribute
    }
    let property = Schema.Relationship(
      options: (relationship.isUnique ? [.unique] : []) + (relationship.isLocalOnly ? [.localOnly] : []),
      deleteRule: relationship.deleteRule,
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
