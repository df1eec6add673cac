import RoostSQL

/// The triggers that note a link of a many-to-many relationship: as an update of the list on either side.
struct HistoryJoinTriggers {
  private let table: JoinTable
  private let fields: HistoryFields
  private let isExcluded: (EntityInfo) -> Bool

  init(_ table: JoinTable, _ fields: HistoryFields, isExcluded: @escaping (EntityInfo) -> Bool) {
    (self.table, self.fields, self.isExcluded) = (table, fields, isExcluded)
  }

  var definitions: [String: String] {
    var definitions: [String: String] = [:]
    for (event, row) in [("INSERT", "NEW"), ("DELETE", "OLD")] {
      let (owner, destination) = (
        update(table.owner, table.ownerColumn, row), update(table.destination, table.destinationColumn, row)
      )
      let actions = [owner, destination].compactMap(\.self)
      if actions.isEmpty { continue }
      let name = "\(HistoryTriggers.prefix)\(event.lowercased())_\(table.name)"
      definitions[name] =
        "CREATE TRIGGER \(quotedIdentifier(name)) AFTER \(event) ON \(quotedIdentifier(table.name)) BEGIN "
        + actions.map { $0 + ";" }.joined(separator: " ") + " END"
    }
    return definitions
  }

  /// nil where that side has no list, or is not recorded.
  private func update(_ entity: EntityInfo, _ column: String, _ row: String) -> String? {
    let list = entity.ownProperties.first { property in
      if case .joinTable(table.name, column, _) = property.relationship?.storage { true } else { false }
    }
    guard let list, !isExcluded(entity), let number = fields.number(of: list), let owner = fields.number(of: entity)
    else { return nil }
    let key = "\(row).\(quotedIdentifier(column))"
    let mask = number > 62 ? "' \(number)'" : "\(Int64(1) << number)"
    // Not of a row that is being deleted, and took the link along.
    return "INSERT INTO _roost_change (entity, kind, first, last, fields) "
      + "SELECT \(owner), \(HistoryTables.Kind.updated.rawValue), \(key), \(key), \(mask) "
      + "WHERE EXISTS (SELECT 1 FROM \(quotedIdentifier(entity.table)) WHERE \(quotedIdentifier(primaryKeyColumn)) = \(key))"
  }
}
