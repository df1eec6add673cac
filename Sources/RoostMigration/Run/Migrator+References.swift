import RoostCore
import RoostEngine
import RoostSQL

// Foreign keys are off while tables are replaced, so that what they ask for is looked at in the end.
extension Migrator {
  /// Nils out dangling references: those to dropped models and to those of another class by now, and those that had no
  /// foreign key.
  ///
  /// - Throws: `SwiftDataError.loadIssueModelContainer` when one must refer to a model.
  func mendReferences() throws {
    for table in schema.joinTables {
      let isBroken = try isBroken(table.name)
      for (column, target) in [
        (table.ownerColumn, table.owner), (table.destinationColumn, table.destination),
      ] where isBroken || isNarrowed(column, of: table.name) {
        try run(.delete(SQLDelete(from: table.name, where: isDangling(column, of: table.name, target))))
      }
    }
    for root in schema.entities where root.superentity == nil {
      let isBroken = try isBroken(root.table)
      for property in root.selfAndDescendants.flatMap(\.ownProperties) {
        guard case .toOne(let relationship) = property.kind, let column = property.column,
          isBroken || isNarrowed(column, of: root.table),
          withBoth != nil || !gaps.contains(where: { $0.gap?.details === property.details })
        else { continue }
        let isLost = isDangling(column, of: root.table, relationship.destination)
        if !property.isOptional && property.owner === root {
          try refuse(property, isLost)
        } else {
          try run(.update(SQLUpdate(root.table, set: [SQLAssignment(column, .null)], where: isLost)))
        }
      }
    }
  }

  private func isBroken(_ table: String) throws -> Bool {
    let check = try connection.statement("PRAGMA foreign_key_check(\(quotedIdentifier(table)))")
    defer { check.reset() }
    return try check.step()
  }

  private func isNarrowed(_ column: String, of table: String) -> Bool {
    mapping.narrowed.contains("\(table).\(column)")
  }

  private func isDangling(_ column: String, of table: String, _ target: EntityInfo) -> SQLExpression {
    let keys = SQLSelect(
      [SQLResultColumn(.column(primaryKeyColumn))], from: .table(target.table),
      where: isNarrowed(column, of: table) ? EntityStatements.isKind(target) : nil)
    return .all([.isNotNull(.column(column)), !.inSelect(.column(column), keys)])
  }

  private func refuse(_ property: PropertyInfo, _ isLost: SQLExpression) throws {
    guard let column = property.column else { return }
    let rows = SQLSelect(
      [SQLResultColumn(.column(primaryKeyColumn)), SQLResultColumn(.column(column))],
      from: .table(property.owner.table), where: isLost)
    let check = MigrationCheck(
      model: property.owner.name, property: property.name,
      message: "It must refer to a model that is gone, or of another class.", rows: rows,
      remedy: "Make it optional, or delete the rows, or have them refer to others, in a stage:\n"
        + ".custom(fromVersion: V1.self, toVersion: V2.self, willMigrate: { … }, didMigrate: nil)")
    if let obstacle = try check.obstacle(connection) { throw SwiftDataError.obstacles([obstacle], url: nil) }
  }
}
