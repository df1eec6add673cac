import RoostCore
import RoostEngine
import RoostSQL
import SyncMerge

// Rows that others deleted, and that rows of this device alone must have.
extension SyncTransaction {
  /// Has the server show rows again that rows must refer to which are not synced, as it
  /// does by itself for those that are.
  func keepNeeded(_ rows: [(record: SyncRecord, entity: BoundContract.Entity)]) throws {
    for (record, entity) in rows {
      guard var known = try known(record.row), known.key > 0, try isNeeded(known.key, entity) else { continue }
      known.replica.bringBack(stamp())
      known.wait(since: state.transaction)
      try keep(known, entity)
    }
  }

  private func isNeeded(_ key: Int64, _ entity: BoundContract.Entity) throws -> Bool {
    let properties = store.schema.needs(of: entity.root) { property in
      contract.byOrdinal[property.owner.root.ordinal]?.synced.field(of: property) != nil
    }
    return try properties.contains { try connection.hasReference($0, to: key) }
  }
}

extension SchemaInfo {
  /// The relationships that are not synced, and by which no row of a class can be deleted that is referred to.
  func needs(of root: EntityInfo, besides isSynced: (PropertyInfo) -> Bool) -> [PropertyInfo] {
    entities.flatMap { entity in
      entity.relationships.filter { property in
        guard property.owner === entity, property.column != nil, let relationship = property.relationship,
          relationship.destination.root === root, !isSynced(property)
        else { return false }
        let inverse = relationship.inverse.map { relationship.destination.properties[$0] }
        let rule = inverse?.relationship?.deleteRule ?? .nullify
        return rule == .deny || rule == .nullify && !property.isOptional
      }
    }
  }
}

extension Connection {
  /// Whether a row refers to one by a relationship. `key`: nil for any.
  func hasReference(_ property: PropertyInfo, to key: Int64? = nil) throws -> Bool {
    guard let column = property.column.map({ quotedIdentifier($0) }) else { return false }
    let condition = key == nil ? "IS NOT NULL" : "= ?"
    let table = quotedIdentifier(property.owner.root.table)
    let statement = try statement("SELECT 1 FROM \(table) WHERE \(column) \(condition) LIMIT 1")
    defer { statement.reset() }
    if let key { statement.bind(key, at: 1) }
    return try statement.step()
  }

  /// The keys of the rows that refer to one by a relationship, so many at most.
  func referrers(_ property: PropertyInfo, to key: Int64, limit: Int) throws -> [Int64] {
    guard let column = property.column.map({ quotedIdentifier($0) }) else { return [] }
    let table = quotedIdentifier(property.owner.root.table)
    let primaryKey = quotedIdentifier(primaryKeyColumn)
    return try keys("SELECT \(primaryKey) FROM \(table) WHERE \(column) = ? LIMIT ?", key, Int64(limit))
  }
}
