import RoostCore
import RoostSQL

/// Makes what migrations and tables are made from of a schema without types.
///
/// Nothing is read or written with it but columns as a whole: it knows no property's own type.
struct DescribedSchemaBuilder {
  private let schema: DescribedSchema
  private let stored: StoredSchema
  private var entities: [String: EntityInfo] = [:]
  private(set) var info = SchemaInfo()

  /// - Throws: `SwiftDataError.invalidSchema` when the descriptions contradict each other.
  init(_ schema: DescribedSchema) throws {
    self.schema = schema
    stored = StoredSchema(schema.definition)
    for (ordinal, definition) in schema.entities.enumerated() {
      let entity = EntityInfo(name: definition.name, type: DescribedModel.self, ordinal: ordinal)
      entity.described = definition
      entity.originalName = definition.originalName
      guard entities.updateValue(entity, forKey: definition.name) == nil else {
        throw Self.contradiction(definition, nil, "It is described twice.")
      }
    }
    for definition in schema.entities { try link(definition) }
    let all = schema.entities.compactMap { entities[$0.name] }
    let superclassesFirst = all.filter { $0.superentity == nil }.flatMap(\.selfAndDescendants)
    for entity in superclassesFirst { try addProperties(to: entity) }
    for entity in all { try addInverses(to: entity) }
    for entity in superclassesFirst { addConstraints(to: entity) }
    for entity in superclassesFirst { addFullTextIndexes(to: entity) }
    info = SchemaInfo(entities: all, joinTables: try joinTables())
  }

  private static func contradiction(
    _ entity: EntityDefinition, _ property: String?, _ message: String
  ) -> SwiftDataError {
    .invalidSchema(
      model: entity.name, property: property, message,
      remedy: "Take a description that a store has, or that Schema.save(to:) wrote, and leave it as it is.")
  }

  // MARK: - Entities

  private func link(_ definition: EntityDefinition) throws {
    guard let name = definition.superentity, let entity = entities[definition.name] else { return }
    guard let superentity = entities[name] else {
      throw Self.contradiction(definition, nil, "It inherits from \(name), which is not described.")
    }
    var (place, seen): (EntityDefinition?, Set<String>) = (definition, [])
    while let next = place {
      guard seen.insert(next.name).inserted else {
        throw Self.contradiction(definition, nil, "It inherits from itself.")
      }
      place = next.superentity.flatMap(stored.entity(named:))
    }
    entity.superentity = superentity
    superentity.subentities.append(entity)
    entity.table = stored.table(of: definition)
  }

  // MARK: - Properties

  private func addProperties(to entity: EntityInfo) throws {
    guard let definition = entity.described else { return }
    var properties = entity.superentity?.properties ?? []
    for property in definition.properties {
      let kind = try kind(of: property, in: definition)
      var defaultValue: @Sendable () -> Any? = { nil }
      if case .attribute = kind, let value = schema.defaultValue(of: property, in: definition) {
        let type = property.columnType
        defaultValue = { Self.plain(value.value(of: type)) }
      }
      properties.append(
        PropertyInfo(
          index: properties.count, name: property.name, keyPath: \DescribedModel.self, kind: kind, chained: nil,
          details: PropertyDetails(property, owner: entity, defaultValue: defaultValue)))
    }
    entity.properties = properties
  }

  /// A value as its column's codec has it.
  private static func plain(_ value: SQLValue) -> Any? {
    switch value {
    case .null: nil
    case .integer(let value): value
    case .real(let value): value
    case .text(let value): value
    case .blob(let value): value
    }
  }

  private func kind(of property: EntityDefinition.Property, in entity: EntityDefinition) throws -> PropertyInfo.Kind {
    guard let name = property.destination else {
      guard property.isExternal || _ColumnType(rawValue: property.kind) != nil else {
        throw Self.contradiction(entity, property.name, "There is no kind of column called \(property.kind).")
      }
      return .attribute(property.codec)
    }
    guard let destination = entities[name] else {
      throw Self.contradiction(entity, property.name, "It refers to \(name), which is not described.")
    }
    if property.isToOne {
      let storage = RelationshipInfo.Storage.column(property.column ?? property.name)
      return .toOne(RelationshipInfo(property, destination: destination, storage: storage))
    }
    guard let links = LinkSource(StoredProperty(entity: entity, property: property), in: stored) else {
      throw Self.contradiction(entity, property.name, "It refers to many models, and no table says to which.")
    }
    let storage: RelationshipInfo.Storage =
      property.joinTable == nil
      ? .inverseColumn(links.owner) : .joinTable(links.table, own: links.owner, other: links.target)
    return .toMany(RelationshipInfo(property, destination: destination, storage: storage))
  }

  private func addInverses(to entity: EntityInfo) throws {
    guard let definition = entity.described else { return }
    for property in entity.ownProperties {
      guard let relationship = property.relationship,
        let name = definition.properties.first(where: { $0.name == property.name })?.inverse
      else { continue }
      guard let inverse = relationship.destination.properties.first(where: { $0.name == name }),
        inverse.relationship != nil
      else {
        throw Self.contradiction(definition, property.name, "Its inverse is \(name), which is no relationship.")
      }
      relationship.inverse = inverse.index
      if case .toOne = inverse.kind { relationship.inverseIsToOne = true }
    }
  }

  /// Each once, from the side that it is named after.
  private func joinTables() throws -> [JoinTable] {
    var tables: [String: JoinTable] = [:]
    for definition in schema.entities {
      for property in definition.properties {
        let stored = StoredProperty(entity: definition, property: property)
        guard let name = property.joinTable, LinkSource.isNamed(name, after: stored), tables[name] == nil,
          let links = LinkSource(stored, in: self.stored), let owner = entities[definition.name],
          let destination = property.destination.flatMap({ entities[$0] })
        else { continue }
        tables[name] = JoinTable(
          name: name, owner: owner, ownerColumn: links.owner, destination: destination,
          destinationColumn: links.target)
      }
    }
    return tables.values.sorted { $0.name < $1.name }
  }

  // MARK: - Constraints and indexes

  private func addConstraints(to entity: EntityInfo) {
    guard let definition = entity.described else { return }
    entity.uniqueness = definition.uniqueness.compactMap { keys($0, of: entity) }
    entity.indices = definition.indices.compactMap { keys($0, of: entity) }
  }

  private func keys(_ names: [String], of entity: EntityInfo) -> [IndexKey]? {
    let keys = names.compactMap { key($0, of: entity) }
    return keys.count == names.count ? keys : nil
  }

  /// `title`, or `address.city` of a composite attribute.
  private func key(_ name: String, of entity: EntityInfo) -> IndexKey? {
    if let property = entity.property(named: name) { return IndexKey(property: property.index) }
    for property in entity.properties where name.hasPrefix(property.name + ".") {
      let described = property.owner.described?.properties.first { $0.name == property.name }
      let rest = String(name.dropFirst(property.name.count + 1))
      guard let (keys, type) = Self.place(rest, in: described?.fields ?? []),
        let native = DescribedType.type(named: type)
      else { continue }
      return IndexKey(CompositePath(keys: keys, type: native, isOptional: true), in: property, isUnique: false)
    }
    return nil
  }

  /// The keys that lead to a part of a composite attribute, and its type. A key may have dots.
  private static func place(_ name: String, in fields: [CompositeDefinition]) -> ([String], String)? {
    for field in fields {
      if field.name == name { return ([name], field.type) }
      guard name.hasPrefix(field.name + "."),
        let (keys, type) = place(String(name.dropFirst(field.name.count + 1)), in: field.fields ?? [])
      else { continue }
      return ([field.name] + keys, type)
    }
    return nil
  }

  private func addFullTextIndexes(to entity: EntityInfo) {
    entity.fullTextIndexes = (entity.described?.fullText ?? []).compactMap { definition in
      let columns = definition.properties.compactMap { entity.property(named: $0)?.column }
      guard let tokenizer = FullTextTokenizer.known(definition.tokenizer), columns.count == definition.properties.count
      else { return nil }
      return FullTextIndex(
        name: definition.name, table: entity.table, columns: columns, tokenizer: tokenizer, definition: definition)
    }
  }
}
