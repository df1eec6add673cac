/// A schema without its types: what a store says of itself, and what else a migration must know.
package struct DescribedSchema: Equatable, Sendable {
  package var entities: [EntityDefinition]
  /// What is in rows that lack a property, by names such as `Note.title`; nil when only a program could tell.
  package var defaults: [String: DescribedDefault]?
  package var version: Schema.Version?

  /// What a file says.
  package init(_ definition: StoreDefinition) {
    (entities, version) = (definition.entities, definition.version)
  }

  /// What a program's types say.
  init(_ schema: SchemaInfo, version: Schema.Version?) throws {
    entities = try StoreDefinition(schema, version: version).entities
    self.version = version
    var defaults: [String: DescribedDefault] = [:]
    for entity in schema.entities {
      for property in entity.ownProperties where property.isStored {
        guard case .attribute(let codec) = property.kind, let value = StoredDefault(property, codec) else { continue }
        defaults["\(entity.name).\(property.name)"] =
          switch value {
          case .same(let constant): .same(constant)
          case .each: .each
          }
      }
    }
    self.defaults = defaults
  }

  package var definition: StoreDefinition { StoreDefinition(entities, version: version) }

  /// The default of a property; one that is not known is taken for one that differs each time.
  package func defaultValue(of property: EntityDefinition.Property, in entity: EntityDefinition) -> DescribedDefault? {
    guard let defaults else { return property.hasDefault == true ? .each : nil }
    return defaults["\(entity.name).\(property.name)"]
  }
}

extension DescribedSchema: Codable {
  private enum CodingKeys: String, CodingKey {
    case entities, defaults
  }
}

extension StoreDefinition {
  init(_ entities: [EntityDefinition], version: Schema.Version?) {
    self.entities = entities.sorted { $0.name < $1.name }
    self.version = version
  }
}
