import RoostSQL

/// The triggers that note a link of a many-to-many relationship, as an update of the list on either side, and its
/// place in one, as an update of that.
struct HistoryJoinTriggers {
  private let table: JoinTable
  private let fields: HistoryFields
  private let isExcluded: (EntityInfo) -> Bool

  init(_ table: JoinTable, _ fields: HistoryFields, isExcluded: @escaping (EntityInfo) -> Bool) {
    (self.table, self.fields, self.isExcluded) = (table, fields, isExcluded)
  }

  var definitions: [String: String] {
    var definitions: [String: String] = [:]
    func add(_ event: String, _ name: String, when condition: String, _ actions: [String?]) {
      let actions = actions.compactMap(\.self)
      if actions.isEmpty { return }
      let name = "\(HistoryTriggers.prefix)\(name)_\(table.name)"
      definitions[name] =
        "CREATE TRIGGER \(quotedIdentifier(name)) AFTER \(event) ON \(quotedIdentifier(table.name))\(condition) BEGIN "
        + actions.map { $0 + ";" }.joined(separator: " ") + " END"
    }
    func owner(_ row: String) -> String? { update(table.owner, table.ownerColumn, row) }
    func destination(_ row: String) -> String? { update(table.destination, table.destinationColumn, row) }
    add("INSERT", "insert", when: "", [owner("NEW"), destination("NEW")])
    add("DELETE", "delete", when: "", [owner("OLD"), destination("OLD")])
    // The place in the list of one side is beside the key of the other. A key that is another
    // one has both rows' lists change.
    let (ownerMoves, destinationMoves) = (differs(table.ownerColumn), differs(table.destinationColumn))
    func moves(_ column: String) -> String {
      " WHEN \(differs(positionColumnName(of: column))) OR \(ownerMoves) OR \(destinationMoves)"
    }
    add(
      "UPDATE", "order1", when: moves(table.destinationColumn),
      [owner("NEW"), owner("OLD").map { "\($0) AND \(ownerMoves)" }])
    add(
      "UPDATE", "order2", when: moves(table.ownerColumn),
      [destination("NEW"), destination("OLD").map { "\($0) AND \(destinationMoves)" }])
    return definitions
  }

  private func differs(_ column: String) -> String {
    "OLD.\(quotedIdentifier(column)) IS NOT NEW.\(quotedIdentifier(column))"
  }

  /// A statement that ends with a condition; nil where that side has no list, or is not recorded.
  private func update(_ entity: EntityInfo, _ column: String, _ row: String) -> String? {
    guard let list = table.list(of: entity, by: column), !isExcluded(entity) else { return nil }
    return HistoryTables.update(of: list, "\(row).\(quotedIdentifier(column))", fields)
  }
}

extension HistoryTables {
  /// What a trigger does to note that a list of a row is another one; nil where the list has no number.
  static func update(of list: PropertyInfo, _ key: String, _ fields: HistoryFields) -> String? {
    guard let number = fields.number(of: list), let owner = fields.number(of: list.owner) else { return nil }
    let mask = number > 62 ? "' \(number)'" : "\(Int64(1) << number)"
    // Not of a row that is being deleted, and took the link along.
    return "INSERT INTO _roost_change (entity, kind, key, fields) "
      + "SELECT \(owner), \(Kind.updated.rawValue), \(key), \(mask) WHERE EXISTS "
      + "(SELECT 1 FROM \(quotedIdentifier(list.owner.table)) WHERE \(quotedIdentifier(primaryKeyColumn)) = \(key))"
  }
}
