extension StoreDefinition {
  /// The columns whose values may be in files.
  var externalColumns: [ExternalColumn] {
    let marker = "external "
    let schema = StoredSchema(self)
    return entities.flatMap { entity in
      entity.properties.compactMap { property in
        guard let type = property.type, type.hasPrefix(marker) else { return nil }
        return ExternalColumn(
          table: schema.table(of: entity), column: property.column ?? property.name,
          type: type == marker + "Data" ? .blob : .text)
      }
    }
  }
}
