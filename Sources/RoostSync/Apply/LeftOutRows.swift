import RoostCore
import RoostEngine
import RoostSQL

/// The rows that the server has of models which the program does not sync, and which refer to ones
/// that it does, before those go.
///
/// SQLite takes some of them along, or has them refer to nothing. Nobody did that to them: once the models are synced
/// again, it must not be sent as what a user did.
struct LeftOutRows {
  private struct Rows {
    let root: EntityInfo
    let number: Int64
    let keys: [Int64]
  }

  /// Those that are there, by their class.
  private let present: [Rows]

  /// `synced`: the roots of the models that are.
  init(_ store: Store, besides synced: [EntityInfo], _ connection: Connection) throws {
    let numbers = try store.historyNumbers(connection).fields
    present = try Self.referrers(to: synced, store.schema).compactMap { root -> Rows? in
      guard let number = numbers.number(of: root) else { return nil }
      let keys = try Self.keys(root, number, connection)
      return keys.isEmpty ? nil : Rows(root: root, number: number, keys: keys)
    }
  }

  /// The other classes whose rows refer to ones of some, or to rows that do.
  private static func referrers(to synced: [EntityInfo], _ schema: SchemaInfo) -> [EntityInfo] {
    let relationships = schema.entities.flatMap { entity in
      entity.ownProperties.compactMap { $0.relationship }.map { (from: entity.root, to: $0.destination.root) }
    }
    var found = synced
    var waiting = synced
    while let next = waiting.popLast() {
      for (from, to) in relationships where to === next && !found.contains(where: { $0 === from }) {
        found.append(from)
        waiting.append(from)
      }
    }
    return Array(found.dropFirst(synced.count))
  }

  private static func keys(_ root: EntityInfo, _ number: Int64, _ connection: Connection) throws -> [Int64] {
    let (table, key) = (quotedIdentifier(root.table), quotedIdentifier(primaryKeyColumn))
    return try connection.keys(
      """
      SELECT pk FROM _roost_sync_row WHERE entity = ? AND pk > 0 AND EXISTS (SELECT 1 FROM \(table) WHERE \(key) = pk)
      """, number)
  }

  /// Forgets those that are gone by now: the server tells of them again.
  func forgetGone(_ connection: Connection) throws {
    for rows in present {
      for key in Set(rows.keys).subtracting(try Self.keys(rows.root, rows.number, connection)) {
        let statement = try connection.statement("DELETE FROM _roost_sync_row WHERE entity = ? AND pk = ?")
        statement.bind(rows.number, at: 1)
        statement.bind(key, at: 2)
        try statement.run()
      }
    }
  }

  /// Has those that refer to rows of some classes be ones of which this device knows no
  /// version, so that the server's stand.
  func forgetPlaces(ofReferrersTo roots: [EntityInfo], _ store: Store, _ connection: Connection) throws {
    func isOne(_ entity: EntityInfo) -> Bool { roots.contains { $0 === entity.root } }
    let key = quotedIdentifier(primaryKeyColumn)
    for rows in present {
      let root = rows.root
      let columns = store.schema.entities.filter { $0.root === root }.flatMap(\.ownProperties).compactMap { property in
        property.relationship.map { isOne($0.destination) } ?? false ? property.column : nil
      }
      let links = store.schema.joinTables.compactMap { join -> (table: String, column: String)? in
        if join.owner.root === root, isOne(join.destination) { return (join.name, join.ownerColumn) }
        return join.destination.root === root && isOne(join.owner) ? (join.name, join.destinationColumn) : nil
      }
      let conditions =
        columns.map { "\(quotedIdentifier($0)) IS NOT NULL" }
        + links.map { "\(key) IN (SELECT \(quotedIdentifier($0.column)) FROM \(quotedIdentifier($0.table)))" }
      if conditions.isEmpty { continue }
      try connection.execute(
        """
        UPDATE _roost_sync_row SET sequence = -1, seen = NULL WHERE entity = \(rows.number) AND pk IN \
        (SELECT \(key) FROM \(quotedIdentifier(root.table)) WHERE \(conditions.joined(separator: " OR ")))
        """)
    }
  }
}
