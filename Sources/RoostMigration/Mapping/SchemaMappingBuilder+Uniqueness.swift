import RoostCore
import RoostSQL

extension SchemaMappingBuilder {
  /// Unique constraints that the file does not have must hold for its rows.
  mutating func checkUniqueness(of entity: EntityInfo) {
    guard let table = mapping.tables.first(where: { $0.entity === entity.root }), table.source != nil else { return }
    let known = Set(mapping.sources[entity.name]?.uniqueness.map(Set.init) ?? [])
    for keys in entity.uniqueness where !known.contains(formerNames(of: keys, in: entity)) {
      let columns = keys.compactMap { entity.properties[$0.property].column }
      let given = table.select([primaryKeyColumn] + (entity.isInHierarchy ? [entityNameColumn] : []) + columns)
      let check = MigrationCheck(
        unique: keys, in: entity, rows: .select(given, alias: MigrationCheck.given),
        remedy: former(keys, in: entity).map { "Keep one of them in a stage:\n.deduplicate(by: \($0), keep: .first)" }
          ?? "Have the code of a stage set values that differ:\n\(V1.stage(dropping: nil))")
      if let check { mapping.checks.append(check) }
    }
  }

  /// The key paths of what was unique in the older version; nil where a step cannot compare that.
  private func former(_ keys: [IndexKey], in entity: EntityInfo) -> String? {
    guard let source = mapping.sources[entity.name] else { return nil }
    let names = keys.compactMap { key -> String? in
      guard key.keys.isEmpty, let stored = stored(entity.properties[key.property]), !stored.isRelationship else {
        return nil
      }
      return "\\V1.\(source.name).\(stored.property.name)"
    }
    return names.count == keys.count ? names.joined(separator: ", ") : nil
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

extension MigrationCheck {
  /// What the rows are called that a unique constraint is to hold for.
  static let given = "given"

  /// Rows with the same values in what shall be unique; nil for what has no columns.
  init?(unique keys: [IndexKey], in entity: EntityInfo, rows source: SQLTable, remedy: String) {
    let values = keys.compactMap { $0.expression(in: entity, table: Self.given) }
    guard let first = values.first, values.count == keys.count else { return nil }
    var rows = SQLSelect(
      [
        SQLResultColumn(.aggregate(.minimum, .column(Self.given, primaryKeyColumn), isDistinct: false)),
        SQLResultColumn(first),
      ],
      from: source, where: .all(values.map { .isNotNull($0) }))
    if entity.superentity != nil { rows.restrict(EntityStatements.isKind(entity)) }
    rows.groups = values
    rows.having = .binary(.greater, .countAll, .integer(1))
    let names = keys.map { $0.name(in: entity) }
    self.init(
      model: entity.name, property: names.count == 1 ? names[0] : nil,
      message: "Unique \(names.joined(separator: ", ")): some rows have the same values.", rows: rows, remedy: remedy,
      isCertain: false, isUnique: true)
  }
}
