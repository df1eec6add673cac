import RoostCore
import RoostEngine
import RoostSQL
import SyncMerge

// Rows that the server made others, which had their unique values first.
extension SyncTransaction {
  /// Makes all collected ones the others, before these get keys.
  func takeMerged() throws {
    try forEachCollected { record, taken in
      guard let other = record.deletion?.mergedInto, let entity = contract.byNumber[record.row.entity],
        var known = try known(record.row), known.key > 0
      else { return }
      guard let received = known.replica.receive(record, includesSent: includesSent(taken), entity.rules) else {
        return
      }
      note(received.conflicts)
      try merge(known, into: other, entity)
      inbox.remove(record.row)
    }
  }

  private func merge(_ known: KnownRow, into other: SyncRowID, _ entity: BoundContract.Entity) throws {
    let key = known.key
    var (loser, rest) = (known, known.replica.pending)
    if let target = try self.known(other), target.key > 0 {
      // Both are here: what refers to one refers to the other.
      try repoint(key, to: target.key, entity)
      let statement = try connection.statement(entity.sql.delete)
      statement.bind(key, at: 1)
      try statement.run()
      written.insert(entity.root.table)
    }
    try moveAside(&loser, entity)
    loser.replica = SyncReplica(row: known.replica.row, sequence: known.replica.sequence)
    (loser.turn, loser.seen) = (nil, [:])
    try keep(loser, entity)
    var target: KnownRow
    if let present = try self.known(other) {
      target = present
      // The row that is here becomes the other: a model that the program has stays one.
      if target.key < 0 { try bringBack(&target, as: key, entity) }
    } else {
      target = KnownRow(key: key, replica: SyncReplica(row: other, sequence: -1), seen: known.seen)
    }
    if rest?.kind == .delete { rest = nil }
    for (number, edit) in rest?.fields ?? [:] {
      target.replica.write(edit.value, to: number, former: edit.ancestor, edit.stamp)
    }
    try keep(target, entity)
  }

  /// Has all rows that refer to one refer to another.
  private func repoint(_ key: Int64, to other: Int64, _ entity: BoundContract.Entity) throws {
    for referrer in contract.byOrdinal.values {
      for field in referrer.fields {
        switch field.kind {
        case .reference(let column, let destination) where destination === entity.root:
          try repoint(referrer.root.table, column, key, other, mayBeTwice: false)
        case .links(let join, let destination):
          if destination === entity.root {
            try repoint(join.name, join.destinationColumn, key, other, mayBeTwice: true)
          }
          if referrer.root === entity.root { try repoint(join.name, join.ownerColumn, key, other, mayBeTwice: true) }
        default: break
        }
      }
    }
  }

  private func repoint(_ table: String, _ column: String, _ key: Int64, _ other: Int64, mayBeTwice: Bool) throws {
    let name = quotedIdentifier(column)
    let statement = try connection.statement(
      "UPDATE \(mayBeTwice ? "OR IGNORE " : "")\(quotedIdentifier(table)) SET \(name) = ? WHERE \(name) = ?")
    statement.bind(other, at: 1)
    statement.bind(key, at: 2)
    try statement.run()
    written.insert(table)
  }
}
