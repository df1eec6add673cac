import RoostCore
import RoostEngine
import RoostSQL
import SyncMerge

// Rows that history has nothing of: those that were there before the store was synced, and, where history was deleted,
// those that may have changed since. Also those that a migration made, and what it computed of others.
extension SyncTransaction {
  /// Has all rows that are there looked at, some at a time, and those that are known noted as changed.
  func beginSweeps() {
    for entity in contract.byOrdinal.values { state.sweep(entity.root.name, again: true) }
    state.transaction = (try? HistoryTables.lastNumber(connection)) ?? state.transaction
  }

  /// Has all rows looked at that are not known, as a migration may have made them; those of classes that are left
  /// out once they are synced again.
  func beginSweepsOfMigrated() {
    for entity in store.schema.entities where entity.superentity == nil {
      state.sweep(entity.name, isMigrated: true)
    }
  }

  /// Takes note that rows of models which the program does not have are gone: a migration dropped their tables. Nobody
  /// deleted them, and a later program may have the models again.
  func moveRowsOfGoneModelsAside() throws {
    let numbers = try store.historyNumbers(connection)
    let present = Set(store.schema.entities.compactMap { numbers.number(of: $0) })
    let isGone = "pk > 0 AND entity NOT IN (\(present.sqlList))"
    if try connection.editedKeys("\(isGone) LIMIT 1").isEmpty { return }
    fetchAnew()
    // With nothing to be sent it is as if this device had never had them: nothing says that they were deleted.
    try connection.execute("DELETE FROM _roost_sync_row WHERE sent IS NULL AND pending IS NULL AND \(isGone)")
    for (entity, key) in try connection.editedKeys(isGone) { _ = try moveAside(key, of: entity) }
  }

  /// Takes note that a migration removed a row, which others do with their own rows: of two with the same unique values
  /// another one may be left there. So it stays at the server.
  func noteMigratedAway(_ known: inout KnownRow, _ entity: BoundContract.Entity) throws {
    fetchAnew()
    // Other edits may refer to one of which nobody has heard.
    if known.replica.isSynced, !known.isFresh {
      let statement = try connection.statement("DELETE FROM _roost_sync_row WHERE entity = ? AND pk = ?")
      statement.bind(historyNumber(entity), at: 1)
      statement.bind(known.key, at: 2)
      return try statement.run()
    }
    try moveAside(&known, entity)
    try keep(known, entity)
  }

  /// Has all of the server's rows fetched from the start: some that it has are not here any more.
  func fetchAnew() { (state.pulled, state.cursor) = (.start, 0) }

  /// Looks at so many rows at most; at fewer where these are large, as all are kept in one transaction.
  func sweepRows(_ limit: Int) throws {
    var rest = limit
    let mostBytes = keptBytes + pushSize.sweepBytes
    for (_, entity) in contract.byOrdinal.sorted(by: { $0.key < $1.key }) {
      guard rest > 0, let sweep = state.sweeps[entity.root.name] else { continue }
      let keys = try keys(behind: sweep.done, rest, entity)
      for key in keys {
        try self.sweep(key, sweep, entity)
        if keptBytes >= mostBytes {
          state.sweeps[entity.root.name]?.done = key
          return
        }
      }
      if keys.count < rest {
        try sweepGone(entity, isByMigration: sweep.isMigrated ?? false)
        state.sweeps[entity.root.name] = nil
      } else if let last = keys.last {
        state.sweeps[entity.root.name]?.done = last
      }
      rest -= keys.count
    }
  }

  /// Looks at all that is left of rows of which the server has others' values, which are about to be shown:
  /// what is not noted before is lost.
  func finishSweeps() throws {
    while contract.byOrdinal.values.contains(where: { state.sweeps[$0.root.name]?.isOfKnown ?? false }) {
      try sweepRows(1_000)
    }
  }

  private func keys(behind done: Int64, _ limit: Int, _ entity: BoundContract.Entity) throws -> [Int64] {
    try connection.keys(entity.sql.keys, done, Int64(limit))
  }

  private func sweep(_ key: Int64, _ sweep: SyncState.Sweep, _ entity: BoundContract.Entity) throws {
    let known = try known(key, of: entity)
    let hasAll = known.map { !$0.isFresh } ?? false
    if hasAll, !sweep.again, sweep.fields?.isEmpty ?? true { return }
    guard var row = try storedRow(key, entity) else { return }
    guard hasAll, var known else { return try noteInsertion(known, &row, key, entity, (state.transaction, stamp())) }
    let fields = key > sweep.fieldsDone ?? 0 ? sweep.fields ?? [] : []
    if sweep.again { try noteAgain(&row, &known, but: fields, entity) }
    let isNoted = try noteNewFields(fields, isMigrated: sweep.isMigrated ?? false, of: row, &known, entity)
    if sweep.again || isNoted { try keep(known, entity) }
  }

  /// Notes all of a row as written, but for some fields: nobody knows what of it has changed. So whatever others have
  /// written meanwhile comes before it, and what they add to a counter or a set stays.
  private func noteAgain(
    _ row: inout StoredRow, _ known: inout KnownRow, but fields: Set<Int>, _ entity: BoundContract.Entity
  ) throws {
    try giveListPositions(&row, &known, entity)
    let values = try values(of: row, known, entity, mayBeEdited: true).filter { !fields.contains($0.key) }
    for (number, value) in values {
      let isSeen = entity.indexes[number].map { entity.fields[$0].isNotedAsSeen } ?? false
      let former = isSeen ? known.seen[number] ?? .null : value
      let waiting = known.replica.pending?.fields[number] ?? known.replica.sent?.fields[number]
      if waiting.map({ $0.value == value }) ?? (isSeen && value == former) { continue }
      let stamp = waiting?.stamp ?? .unknown(of: state.site)
      if known.seen[number] == nil, entity.indexes[number].map({ entity.fields[$0].isLinks }) ?? false {
        known.replica.writeUnseen(value, to: number, former: former, stamp)
      } else {
        known.replica.write(
          value, to: number, former: former, stamp, seen: try placeSeen(of: number, known.replica.row))
      }
    }
    noteAsSeen(values, &known, entity)
  }

  /// Notes what a row has in fields that are new, or that the program has again. What a migration computed gives way to
  /// whatever anybody wrote: a device that has no former version of the row would never have it. What people may have
  /// written while the field was `.localOnly` is an edit of unknown time. Returns false for nothing.
  private func noteNewFields(
    _ fields: Set<Int>, isMigrated: Bool, of row: StoredRow, _ known: inout KnownRow, _ entity: BoundContract.Entity
  ) throws -> Bool {
    var isNoted = false
    for number in fields.sorted() {
      guard let index = entity.indexes[number], !entity.fields[index].isPosition,
        let value = try self.value(at: index, of: row, known.key, entity)
      else { continue }
      let (field, unseen) = (entity.fields[index], state.unseen?[entity.number]?[number])
      let isWritten = (unseen?.origin ?? .migration) != .migration
      let seen = known.seen[number]
      // It is there in place of what the server has.
      if !field.isNotedAsSeen, let seen, try shown(for: seen, field) == value { continue }
      if field.isNotedAsSeen {
        known.seen[number] = value == field.unwritten ? nil : value
        if known.seen[number] != seen { isNoted = true }
      }
      let waiting = known.replica.pending?.fields[number] ?? known.replica.sent?.fields[number]
      if let waiting, !isWritten || waiting.value == value { continue }
      // Rows have it that nobody has written.
      if value == field.unwritten, waiting == nil, seen == nil { continue }
      isNoted = true
      if isMigrated && !isWritten || field.mayBeNobodys(value) {
        known.replica.compute(value, of: number, .first(of: state.site))
      } else {
        // What it had when it was synced is in what others have: a counter is to count it once.
        let former = field.isNotedAsSeen ? seen : unseen?.origin == .former ? value : nil
        let place = unseen?.place ?? 0
        known.replica.write(value, to: number, former: former ?? .null, .unknown(of: state.site), seen: place)
      }
    }
    return isNoted
  }

  /// Rows that are known, and gone without anybody having noted it. `isByMigration`: whether a
  /// migration may have removed them.
  private func sweepGone(_ entity: BoundContract.Entity, isByMigration: Bool) throws {
    let name = quotedIdentifier(primaryKeyColumn)
    let keys = try connection.keys(
      """
      SELECT pk FROM _roost_sync_row WHERE entity = ? AND pk > 0 AND NOT EXISTS \
      (SELECT 1 FROM \(quotedIdentifier(entity.root.table)) WHERE \(name) = pk)
      """, Int64(historyNumber(entity)))
    for key in keys {
      guard var gone = try known(key, of: entity) else { continue }
      if isByMigration {
        try noteMigratedAway(&gone, entity)
      } else {
        try noteDeletion(&gone, entity, (state.transaction, deletionStamp(of: state.transaction)))
      }
    }
  }
}
