import RoostCore
import RoostEngine
import RoostSQL
import SyncMerge

// Rows that refer to a key which another row has by now.
extension SyncTransaction {
  /// Notes that they refer to that one: history may say nothing of them, as they have the same key as before.
  ///
  /// - Parameters:
  ///   - key: the key of the row.
  ///   - entity: its class.
  ///   - former: the row that had the key.
  ///   - turn: the transaction of history that made the row which has it, and its time in milliseconds since 1970.
  /// - Throws: what the database reports.
  func noteReferrers(
    to key: Int64, _ entity: BoundContract.Entity, before former: SyncRowID,
    _ turn: (transaction: Int64, time: UInt64)
  ) throws {
    guard let row = try known(key, of: entity)?.replica.row else { return }
    for (_, referrer) in contract.byOrdinal.sorted(by: { $0.key < $1.key }) {
      for (index, field) in referrer.fields.enumerated() {
        for other in try referrers(to: key, by: field, entity) {
          guard var known = try known(other, of: referrer), !known.isFresh else { continue }
          let number = referrer.numbers[index]
          let place = try placeSeen(of: number, known.replica.row)
          if case .links(let join, let destination) = field.kind {
            let list = try links(join, other, destination)
            known.replica.write(list, to: number, former: known.seen[number] ?? .null, stamp(turn.time), seen: place)
            known.seen[number] = list
          } else {
            known.replica.write(.row(row), to: number, former: .row(former), stamp(turn.time), seen: place)
          }
          known.wait(since: turn.transaction)
          try keep(known, referrer)
        }
      }
    }
  }

  /// The keys of the rows that refer to a key by a field; none for a field that refers to other classes.
  private func referrers(to key: Int64, by field: SyncedField, _ entity: BoundContract.Entity) throws -> [Int64] {
    let (table, source, column): (String, String, String)
    switch field.kind {
    case .reference(let own, let destination) where destination.root === entity.root:
      (table, source, column) = (field.property.owner.root.table, primaryKeyColumn, own)
    case .links(let join, let destination) where destination.root === entity.root:
      (table, source, column) = (join.name, join.ownerColumn, join.destinationColumn)
    default: return []
    }
    return try connection.keys(
      """
      SELECT \(quotedIdentifier(source)) FROM \(quotedIdentifier(table)) WHERE \(quotedIdentifier(column)) = ?
      """, key)
  }
}
