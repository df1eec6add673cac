extension Schema {
  /// Describes the entities of a store, as far as it knows them: the types of enums and structs have no names there.
  package convenience init(_ described: DescribedSchema) {
    let entities = described.entities.map { definition in
      let entity = Entity(definition.name)
      entity.superentityName = definition.superentity
      entity.storedProperties = definition.properties.map { Self.property($0, of: definition) }
      entity.uniquenessConstraints = definition.uniqueness
      entity.indices = definition.indices
      entity.fullTextIndices = definition.fullText ?? []
      return entity
    }
    Entity.link(entities)
    self.init(
      entities: entities, version: described.version ?? Version(1, 0, 0), resolution: nil, described: described)
  }

  private static func property(
    _ property: EntityDefinition.Property, of entity: EntityDefinition
  ) -> any SchemaProperty {
    let isUnique = entity.uniqueness.contains([property.name])
    guard let destination = property.destination else {
      let options = (isUnique ? [.unique] : []) + (property.isExternal ? [.externalStorage] : []) as [Attribute.Option]
      let attribute = Attribute(
        name: property.name, originalName: property.originalName, options: options, valueType: Any.self,
        hashModifier: property.hashModifier)
      let name = property.valueType ?? property.kind
      if let native = DescribedType.type(named: name), !name.hasPrefix("raw ") {
        attribute.valueType = property.isOptional ? Entity.optional(native) : native
      } else {
        attribute.namedType = NamedType(TypeName(unknown: property.isOptional ? "Optional<\(name)>" : name))
        attribute.isOptional = property.isOptional
      }
      return attribute
    }
    let relationship = Relationship(
      options: isUnique ? [.unique] : [],
      deleteRule: property.deleteRule.flatMap(Relationship.DeleteRule.init) ?? .nullify, minimumModelCount: 0,
      maximumModelCount: 0, originalName: property.originalName ?? property.name, inverse: nil,
      hashModifier: property.hashModifier, isUnidirectional: property.inverse == nil)
    let type = property.isToOne ? destination : "Array<\(destination)>"
    relationship.name = property.name
    relationship.namedType = NamedType(TypeName(unknown: property.isOptional ? "Optional<\(type)>" : type))
    relationship.destination = destination
    relationship.inverseName = property.inverse
    relationship.isToOneRelationship = property.isToOne
    relationship.isOptional = property.isOptional
    return relationship
  }
}
