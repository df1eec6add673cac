extension StoreDefinition {
  /// The columns whose values may be in files.
  package var externalColumns: [ExternalColumn] {
    let schema = StoredSchema(self)
    return entities.flatMap { entity in
      entity.properties.compactMap { property in
        guard property.isExternal else { return nil }
        return ExternalColumn(
          table: schema.table(of: entity), column: property.column ?? property.name, type: property.columnType)
      }
    }
  }
}
