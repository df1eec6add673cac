import RoostCore
import RoostEngine
import RoostSQL
import SyncMerge

// Rows that became others, which had their unique values at the server first.
extension SyncTransaction {
  /// Makes all collected ones the others, before these get keys.
  ///
  /// - Parameter refused: rows that are to wait, as the database would not take them before.
  /// - Throws: ``RefusedRows`` for those that a constraint stands in the way of.
  func takeMerged(besides refused: Set<SyncRowID>) throws {
    try mergeCollected(where: { $0.deletion?.mergedInto != nil && !refused.contains($0.row) }) { record, taken in
      guard let other = record.deletion?.mergedInto, let entity = contract.byNumber[record.row.entity],
        var known = try known(record.row), known.key > 0
      else { return }
      guard let received = known.replica.receive(record, includesSent: includesSent(taken), entity.rules) else {
        return
      }
      try merge(known, into: other, entity)
      note(received.conflicts)
      inbox.remove(record.row)
    }
  }

  /// Makes new rows that are too large to be sent the collected ones that have their unique values, as the server would
  /// if it took them: these would wait for ever.
  ///
  /// - Parameter refused: rows that are to wait, as the database would not take them before.
  /// - Throws: ``RefusedRows`` for those that a constraint stands in the way of.
  func mergeTooLarge(besides refused: Set<SyncRowID>) throws {
    if try keys(Self.isSetAside, limit: 1).isEmpty { return }
    try mergeCollected(where: { $0.deletion == nil && !refused.contains($0.row) }) { record, taken in
      guard let entity = contract.byNumber[record.row.entity] else { return }
      while let shown = try shown(record, taken), let other = try unsentRow(withValuesOf: shown, entity),
        other.isTooLarge, other.replica.isNew
      {
        try merge(other, into: record.row, entity)
      }
    }
  }

  /// The row that one of the server's became; nil for one that is itself.
  func merged(_ row: SyncRowID) throws -> SyncRowID? {
    var (found, visited): (SyncRowID?, Set<SyncRowID>) = (nil, [row])
    while let known = try known(found ?? row), known.key < 0, let next = known.mergedInto,
      visited.insert(next).inserted
    {
      found = next
    }
    return found
  }

  /// Does something for some of the collected rows, and again for those that a constraint stood in the way of, as long
  /// as it helps: others may have to become others before.
  private func mergeCollected(
    where isMeant: (SyncRecord) -> Bool, _ body: (SyncRecord, _ taken: Int64) throws -> Void
  ) throws {
    var rest: [(record: SyncRecord, taken: Int64)] = []
    forEachCollected { if isMeant($0) { rest.append(($0, $1)) } }
    while !rest.isEmpty {
      var reason = ""
      let waiting = try rest.filter { record, taken in
        do {
          try connection.savepoint { try body(record, taken) }
          return false
        } catch let error as DatabaseError where error.primaryCode == DatabaseError.constraint {
          reason = "\(error)"
          return true
        }
      }
      if waiting.count == rest.count { throw RefusedRows(rows: Set(rest.map(\.record.row)), reason: reason) }
      // Of a chain in the wrong order one would become another each time.
      rest = waiting.reversed()
    }
  }

  private func merge(_ known: KnownRow, into other: SyncRowID, _ entity: BoundContract.Entity) throws {
    let key = known.key
    var loser = known
    let rest = known.replica.pending
    if let target = try self.known(other), target.key > 0 {
      // Both are here: what refers to one refers to the other.
      try repoint(key, to: target.key, entity)
      if let rest { try carryLarge(in: rest, from: key, to: target, entity) }
      let statement = try connection.statement(entity.sql.delete)
      statement.bind(key, at: 1)
      try statement.run()
      written.insert(entity.root.table)
    }
    // Others may wait for it. Until all is shown, though, these are what rows wait for no longer.
    if loser.isTooLarge { (loser.isTooLarge, hasMergedLarge) = (false, true) }
    try moveAside(&loser, entity)
    loser.replica = SyncReplica(row: known.replica.row, sequence: known.replica.sequence)
    loser.turn = nil
    loser.mergedInto = other
    try keep(loser, entity)
    var target: KnownRow
    if let present = try self.known(other) {
      target = present
      // The row that is here becomes the other: a model that the program has stays one.
      if target.key < 0 {
        try bringBack(&target, as: key, entity)
        target.replica.withdrawDeletion()
      }
    } else {
      target = KnownRow(key: key, replica: SyncReplica(row: other, sequence: -1), seen: known.seen)
    }
    if let rest { target.replica.takeOver(rest, entity.rules) }
    try keep(target, entity)
  }

  /// Has a row have the values of another one that are too large to be in its edit, but where its own are later.
  private func carryLarge(
    in edit: SyncEdit, from key: Int64, to other: KnownRow, _ entity: BoundContract.Entity
  ) throws {
    for (number, edited) in edit.fields where edited.value == .tooLarge {
      guard let index = entity.indexes[number], let place = entity.columns[index], let row = try storedRow(key, entity),
        let former = try storedRow(other.key, entity)
      else { continue }
      let own = other.replica.pending?.fields[number] ?? other.replica.sent?.fields[number]
      if let own, edited.stamp < own.stamp { continue }
      release(former.columns[place], entity.fields[index])
      let statement = try connection.statement(entity.sql.update([entity.sql.columns[place]]))
      statement.bind(row.columns[place], at: 1)
      statement.bind(other.key, at: 2)
      try statement.run()
    }
  }

  /// Has all rows that refer to one refer to another, by relationships that are not synced too.
  private func repoint(_ key: Int64, to other: Int64, _ entity: BoundContract.Entity) throws {
    for referrer in store.schema.entities {
      for property in referrer.relationships where property.owner === referrer {
        guard let column = property.column, property.relationship?.destination.root === entity.root else { continue }
        try repoint(referrer.root.table, column, key, other, mayBeTwice: false)
      }
    }
    for join in store.schema.joinTables {
      if join.destination.root === entity.root {
        try repoint(join.name, join.destinationColumn, key, other, mayBeTwice: true)
      }
      if join.owner.root === entity.root { try repoint(join.name, join.ownerColumn, key, other, mayBeTwice: true) }
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
