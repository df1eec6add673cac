import Foundation
import RoostCore
import RoostEngine
import RoostQuery
import RoostSQL
import SyncMerge

// What programs changed becomes edits for the server.
//
// History says which rows and which fields, and what these were. What they are now the rows themselves say: so several
// transactions that are noted together are one edit.
extension SyncTransaction {
  /// Notes what history has behind the last transaction that was noted, and some of the rows that it has nothing of.
  ///
  /// - Parameters:
  ///   - rows: of how many rows changes are noted at a time.
  ///   - limit: the most rows that history has nothing of.
  /// - Throws: what the database reports.
  func capture(_ rows: Int, sweep limit: Int) throws {
    let (former, leftOut) = (state.transaction, contract.leftOut)
    captureStart = state.clock.last
    let isForgotten = try store.historyFloor(connection) > former
    if isForgotten {
      try store.transactions(after: former, connection) { row, _ in
        // What it removed nobody deleted.
        if row.migration != nil { beginSweepsOfMigrated() }
      }
      beginSweeps()
    }
    overwritten = try OverwrittenValues(takenFrom: connection)
    let reader = try HistoryReader(store, connection)
    var changes = CapturedChanges(contract, reader)
    try store.transactions(after: state.transaction, connection) { row, packed in
      state.transaction = max(state.transaction, row.number)
      if row.migration != nil { changes.isMigrated = true }
      try reader.records(of: row, packed()) { record in
        changes.add(record, row)
        if changes.count >= rows { try note(&changes, isLast: false) }
      }
    }
    try note(&changes, isLast: true)
    // History says nothing of what a migration did to rows.
    if changes.isMigrated { beginSweepsOfMigrated() }
    if changes.isMigrated || isForgotten { try moveRowsOfGoneModelsAside() }
    let isSweeping = contract.byOrdinal.values.contains { state.sweeps[$0.root.name] != nil }
    if state.transaction > former || isSweeping { partOrder = nil }
    // What was changed of classes that are left out is looked for once they are synced again.
    if state.transaction > former { for name in leftOut { state.sweep(name, again: true) } }
    try sweepRows(limit)
    takenPositions = [:]
  }

  private func note(_ changes: inout CapturedChanges, isLast: Bool) throws {
    let taken = try changes.take(isLast: isLast) { place in
      try contract.byOrdinal[place.ordinal].map { try isThere(place.key, $0) } ?? false
    }
    hasMoreChanges = !isLast
    for (place, change) in taken {
      guard let entity = contract.byOrdinal[place.ordinal] else { continue }
      var change = change
      // What is noted of it was said by the first that said so.
      for field in unchanged[place] ?? [] { change.fields[field] = nil }
      let isMigrated = changes.isMigrated || state.sweeps[entity.root.name]?.isMigrated ?? false
      let fields = try note(change, of: place.key, entity, isMigrated: isMigrated)
      if !isLast, !fields.isEmpty { unchanged[place, default: []].formUnion(fields) }
    }
  }

  /// `isMigrated`: whether a migration may have removed the row that had the key. Returns the indexes of the fields
  /// that were changed, and are what they were.
  private func note(
    _ change: CapturedChange, of key: Int64, _ entity: BoundContract.Entity, isMigrated: Bool
  ) throws -> [Int] {
    let row = try storedRow(key, entity)
    var known = try known(key, of: entity)
    // What was noted of the former row while others were still to be noted are the values
    // of the one that has its key now.
    if change.isAnother || change.isNew {
      let place = CapturedChanges.Place(ordinal: entity.root.ordinal, key: key)
      known?.replica.forgetFields(since: captureStart, former: formerEdits[place])
    }
    if isMigrated, change.isNew, var former = known, !former.isFresh {
      try noteMigratedAway(&former, entity)
      known = nil
    }
    // An identity of which nothing was noted is that of the row there now, to which others refer.
    let isAnother = (change.isAnother || change.isNew) && known?.isFresh == false
    if var known, row == nil || isAnother {
      let removal = change.removal ?? (change.last, change.time)
      try noteDeletion(
        &known, entity, (change.transaction, deletionStamp(of: removal.transaction, removal.time)))
      if row == nil { return [] }
    }
    guard var row else { return [] }
    guard var known, !isAnother, !known.isFresh else {
      let turn = (transaction: change.transaction, stamp: stamp(change.time))
      try noteInsertion(isAnother ? nil : known, &row, key, entity, turn)
      try noteMoves(change, of: key, entity)
      if isAnother, let known {
        try noteReferrers(to: key, entity, before: known.replica.row, (change.transaction, change.time))
      }
      return []
    }
    return try noteUpdate(&known, &row, change, entity)
  }

  /// The stamp of all rows that a transaction of history deleted: so the server knows what went together, in however
  /// many pushes it comes. They are noted last, so that it is later than all that was written to them before.
  func deletionStamp(of transaction: Int64, _ time: UInt64? = nil) -> SyncStamp {
    if let known = deletionStamps[transaction] { return known }
    let new = stamp(time)
    deletionStamps[transaction] = new
    return new
  }

  /// Notes that a row is gone.
  func noteDeletion(
    _ known: inout KnownRow, _ entity: BoundContract.Entity, _ turn: (transaction: Int64, stamp: SyncStamp)
  ) throws {
    if !known.isFresh {
      known.replica.delete(turn.stamp)
      known.wait(since: turn.transaction)
    }
    // Known all the same: what is still to be sent may refer to it.
    try moveAside(&known, entity)
    try keep(known, entity)
  }

  /// Notes a row of which nothing was noted before.
  func noteInsertion(
    _ known: KnownRow?, _ row: inout StoredRow, _ key: Int64, _ entity: BoundContract.Entity,
    _ turn: (transaction: Int64, stamp: SyncStamp)
  ) throws {
    var new = known ?? KnownRow(key: key, replica: SyncReplica(row: newIdentity(entity)))
    // So that a row that refers to itself finds it.
    if known == nil, entity.refersToItself { try keep(new, entity) }
    try giveListPositions(&row, &new, entity)
    let values = try values(of: row, key, entity)
    noteAsSeen(values, &new, entity)
    new.replica.insert(written(values, entity), turn.stamp)
    new.turn = turn.transaction
    try keep(new, entity)
  }

  /// Those of a row's values that others must be told: all but what they take for granted of a new row.
  func written(_ values: SyncFields<SyncValue>, _ entity: BoundContract.Entity) -> SyncFields<SyncValue> {
    values.filter { number, value in
      value != .null || entity.indexes[number].map { entity.fields[$0].unwritten != .null } ?? false
    }
  }

  /// Keeps what history will not say of lists and positions in lists.
  func noteAsSeen(_ values: SyncFields<SyncValue>, _ known: inout KnownRow, _ entity: BoundContract.Entity) {
    for (index, field) in entity.fields.enumerated() where field.isNotedAsSeen {
      let number = entity.numbers[index]
      if let value = values[number] { known.seen[number] = value == .null ? nil : value }
    }
  }

  private func noteUpdate(
    _ known: inout KnownRow, _ row: inout StoredRow, _ change: CapturedChange, _ entity: BoundContract.Entity
  ) throws -> [Int] {
    if hasMoreChanges, let former = known.replica.pending, former.stamp.time <= captureStart {
      formerEdits[CapturedChanges.Place(ordinal: entity.root.ordinal, key: known.key)] = former
    }
    try giveListPositions(&row, &known, entity)
    var unchanged: [Int] = []
    var (stamp, isNoted): (SyncStamp?, Bool) = (nil, false)
    for (index, field) in entity.fields.enumerated() {
      let number = entity.numbers[index]
      let stored = change.fields[index]
      guard field.isPosition || stored != nil, let value = try self.value(at: index, of: row, known.key, entity) else {
        continue
      }
      let seen = field.isNotedAsSeen ? known.seen[number] : nil
      let former = try seen ?? self.former(field, stored)
      // Where nobody knows what it was, what others add to a counter or a set stays.
      let ancestor = former ?? (entity.rules.policy(of: number).combines ? value : .null)
      if field.isNotedAsSeen { known.seen[number] = value == .null ? nil : value }
      if value == former {
        if stored != nil { unchanged.append(index) }
        continue
      }
      if let seen, try isWithoutGone(field, value, seen) {
        let waiting = known.replica.pending?.fields[number]
        known.replica.write(
          value, to: number, former: seen, waiting?.stamp ?? .first(of: state.site),
          seen: try placeSeen(of: number, known.replica.row))
        isNoted = true
        continue
      }
      if value == .null, case .value(let stored)? = stored, try isGone(field, stored) {
        // Out of a list that it was shown in place of the server takes that row alone.
        if case .list? = known.seen[number] { continue }
        known.replica.write(
          value, to: number, former: ancestor, .first(of: state.site),
          seen: try placeSeen(of: number, known.replica.row))
        isNoted = true
        continue
      }
      isNoted = true
      // It is not shown in place of another one any more.
      if !field.isNotedAsSeen, !known.seen.isEmpty { known.seen[number] = nil }
      let time = stamp ?? self.stamp(change.time)
      stamp = time
      if let seen = try overwritten.ancestor(of: field, known.key, entity).flatMap({ try self.value(of: field, $0) }) {
        known.replica.writeUnseen(value, to: number, former: seen, time)
      } else if field.isLinks, seen == nil {
        // Of a list that nothing was noted of the server may have more.
        known.replica.writeUnseen(value, to: number, former: ancestor, time)
      } else {
        known.replica.write(
          value, to: number, former: isNew(number, known, entity) ? .null : ancestor, time,
          seen: try placeSeen(of: number, known.replica.row))
      }
    }
    if isNoted { known.wait(since: change.transaction) }
    try keep(known, entity)
    try noteMoves(change, of: known.key, entity)
    return unchanged
  }

  /// Whether nobody has heard of what a row had in a field, which is to be added to what others have.
  private func isNew(_ number: Int, _ known: KnownRow, _ entity: BoundContract.Entity) -> Bool {
    guard let sweep = state.sweeps[entity.root.name], sweep.fields?.contains(number) ?? false,
      entity.rules.policy(of: number).combines, known.replica.sent?.fields[number] == nil
    else { return false }
    return known.key > max(sweep.done, sweep.fieldsDone ?? 0)
      && state.unseen?[entity.number]?[number]?.origin == .people
  }

  /// Whether the row that a field referred to is gone, so that it is nobody's edit that it refers to none now.
  ///
  /// Of two rows that have each other alone it is one: where the deletion comes later, the other side would be the last
  /// edit. So it is of a row that would have gone too, or would have kept the other: it was let go of before.
  private func isGone(_ field: SyncedField, _ stored: SQLValue) throws -> Bool {
    guard case .reference(_, let destination) = field.kind, case .integer(let key) = stored,
      let entity = contract.byOrdinal[destination.ordinal], field.definition.reference?.inverse == nil,
      field.definition.reference?.deleteRule == .nullify
    else { return false }
    return try !isThere(key, entity)
  }

  /// Whether a list is what was seen last without rows that are gone, so that it is nobody's edit either.
  private func isWithoutGone(_ field: SyncedField, _ value: SyncValue, _ seen: SyncValue) throws -> Bool {
    guard case .links(_, let destination) = field.kind, case .list(let rows) = value, case .list(let former) = seen,
      field.definition.reference?.deleteRule == .nullify, let entity = contract.byOrdinal[destination.ordinal]
    else { return false }
    let present = Set(rows)
    return try former.filter { row in
      guard !present.contains(row), case .row(let other) = row, let known = try known(other) else {
        return present.contains(row)
      }
      return try known.mergedInto != nil || known.key > 0 && isThere(known.key, entity)
    } == rows
  }

  /// What a field was; nil where nobody knows, as of a value whose file is gone, or that is too large. A row that is
  /// gone by now was some row that the server knows as gone. `stored`: nil for what history says nothing of.
  private func former(_ field: SyncedField, _ stored: CapturedChange.Former?) throws -> SyncValue? {
    guard case .value(let stored)? = stored else { return stored == nil || field.isNotedAsSeen ? .null : nil }
    guard case .reference(_, let destination) = field.kind else {
      return try value(of: field, stored).flatMap { $0 == .tooLarge ? nil : $0 }
    }
    guard case .integer(let key) = stored, let entity = contract.byOrdinal[destination.ordinal] else { return .null }
    return try known(key, of: entity).map { .row($0.replica.row) } ?? .null
  }
}

extension SyncedField {
  /// Whether history does not say what it was, so that it is kept. The file of a list is gone
  /// by the time that anybody asks.
  var isNotedAsSeen: Bool {
    switch kind {
    case .links, .position: true
    case .elements: fileType != nil
    case .attribute, .reference: false
    }
  }
}
