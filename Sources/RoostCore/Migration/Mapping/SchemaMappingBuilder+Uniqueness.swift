import RoostSQL

extension SchemaMappingBuilder {
  /// Unique constraints that the file does not have must hold for its rows.
  mutating func checkUniqueness(of entity: EntityInfo) {
    guard let table = mapping.tables.first(where: { $0.entity === entity.root }), table.source != nil else { return }
    let known = Set(mapping.sources[entity.name]?.uniqueness.map(Set.init) ?? [])
    for keys in entity.uniqueness where !known.contains(formerNames(of: keys, in: entity)) {
      let inner = "given"
      let values = keys.compactMap { $0.expression(in: entity, table: inner) }
      let columns = keys.compactMap { entity.properties[$0.property].column }
      guard values.count == keys.count, columns.count == keys.count else { continue }
      let given = table.select([primaryKeyColumn] + (entity.isInHierarchy ? [entityNameColumn] : []) + columns)
      var rows = SQLSelect(
        [
          SQLResultColumn(.aggregate(.minimum, .column(inner, primaryKeyColumn), isDistinct: false)),
          SQLResultColumn(values[0]),
        ],
        from: .select(given, alias: inner), where: .all(values.map { .isNotNull($0) }))
      if entity.superentity != nil { rows.restrict(EntityStatements.isKind(entity)) }
      rows.groups = values
      rows.having = .binary(.greater, .countAll, .integer(1))
      let names = keys.map { $0.name(in: entity) }
      mapping.checks.append(
        MigrationCheck(
          model: entity.name, property: names.count == 1 ? names[0] : nil,
          message: "Unique \(names.joined(separator: ", ")): some rows have the same values.", rows: rows,
          remedy: "Keep one of them in a stage:\n"
            + ".deduplicate(by: \(names.map { "\\V1.\(entity.name).\($0)" }.joined(separator: ", ")), keep: .first)",
          isCertain: false))
    }
  }

  /// What the keys of a constraint were called.
  private func formerNames(of keys: [IndexKey], in entity: EntityInfo) -> Set<String> {
    Set(
      keys.map { key in
        let property = entity.properties[key.property]
        return ([stored(property)?.property.name ?? property.name] + key.keys).joined(separator: ".")
      })
  }
}
