import Foundation
import RoostEngine
import SyncMerge

// What is sent again, or otherwise.
extension SyncTransaction {
  /// Has all sent that this device saw behind a place: the server's data there is another's.
  ///
  /// - Parameters:
  ///   - common: the place; `Int64.max` where the server's order is the one that the device saw.
  ///   - isRenumbered: whether the server has other numbers for classes and fields, so that no edit is one
  ///     any more: what has some is sent as it is now, and all is fetched from the start. What has none the
  ///     server has by its new numbers.
  ///   - isOtherZone: whether it is another account's, of which what is gone here may not be gone there.
  /// - Throws: what the database reports.
  func sendAnew(common: Int64, isRenumbered: Bool, isOtherZone: Bool) throws {
    if isRenumbered {
      try noteSeenAnew()
      state.standIns = nil
    }
    // How far the server is with what it acknowledged is not known: it may be behind the place.
    let isBehind = common == .max ? "sent IS NOT NULL" : "sequence > ?1 OR sequence < 0 OR sent IS NOT NULL"
    let condition = isRenumbered ? "(\(isBehind) OR pending IS NOT NULL)" : "(\(isBehind))"
    for (entity, key) in try keys(condition, limit: -1, common == .max ? [] : [common]) {
      guard var known = try known(key, of: entity, isRenumbered: isRenumbered) else { continue }
      if isOtherZone, known.key < 0, known.replica.isSynced {
        // That zone may never hear of it, so that nothing that is sent may refer to it.
        known.replica = SyncReplica(row: known.replica.row)
      } else if known.mergedInto != nil, known.replica.isSynced {
        // Nobody deleted it: where its values come again, so does what it became.
        known.replica = SyncReplica(row: known.replica.row, sequence: -1)
      } else if isRenumbered || known.replica.sequence > common || known.replica.sequence < 0 {
        try sendAnew(&known, common: common, entity, seenTime: common == 0 && !isOtherZone ? state.seenTime : nil)
      } else {
        known.replica.takeBack()
        known.wait(since: state.transaction)
      }
      try keep(known, entity)
    }
    try sendLeftOutAnew(common: common, isRenumbered: isRenumbered)
    let isIncomplete = try forgetCollected(behind: isRenumbered ? 0 : common)
    state.outstanding = nil
    state.forgetFormer(behind: common)
    if isRenumbered || isIncomplete || state.pulled.sequence > common { state.pulled = .start }
    state.seen = state.pulled == .start ? .start(of: state.account ?? 0) : state.pulled
    state.cursor = state.pulled.sequence
  }

  /// Has what was on its way of classes that the program does not sync any more be still to be sent. Where numbers are
  /// others now, it cannot be read any more. All rows of these classes are looked at once they are synced again.
  private func sendLeftOutAnew(common: Int64, isRenumbered: Bool) throws {
    let isLeftOut = "entity NOT IN (\(Set(contract.byOrdinal.values.map(historyNumber)).sqlList))"
    if isRenumbered {
      try connection.execute(
        """
        UPDATE _roost_sync_row SET sequence = -1, turn = NULL, sent = NULL, pending = NULL, seen = NULL WHERE \(isLeftOut)
        """)
      return
    }
    try connection.takeBackSent(turn: state.transaction)
    if common == .max { return }
    // Places behind that one are of another order, and the server may have nothing of the row, its
    // lists and positions in lists too.
    try connection.execute(
      """
      UPDATE _roost_sync_row SET sequence = \(common == 0 ? -1 : common), seen = NULL \
      WHERE \(isLeftOut) AND (sequence > \(common) OR sequence < \(-1 - common))
      """)
    for (entity, key) in try connection.editedKeys("pending IS NOT NULL AND \(isLeftOut)") {
      guard var row = try connection.editedRow(entity, key) else { continue }
      row.replica.forgetPlaces(behind: common)
      try connection.keep(row)
    }
    for name in contract.leftOut { state.sweep(name, again: true) }
  }

  /// Forgets the server's rows that wait, but for those before a place, which are not asked for again.
  ///
  /// - Returns: whether there were others: they may be there in an earlier version, which is to be asked for.
  private func forgetCollected(behind common: Int64) throws -> Bool {
    let lost = try connection.strings("SELECT key FROM _roost_sync_inbox WHERE sequence > \(common) LIMIT 1")
    // Pushes may have lower numbers from here on.
    try connection.execute(
      "DELETE FROM _roost_sync_inbox WHERE sequence > \(common); UPDATE _roost_sync_inbox SET taken = 0")
    return !lost.isEmpty
  }

  /// Notes the lists, and positions in lists, of all rows that have nothing to send by the numbers of now.
  private func noteSeenAnew() throws {
    let condition = "seen IS NOT NULL AND sent IS NULL AND pending IS NULL"
    for (entity, key) in try keys(condition, limit: -1) {
      guard var known = try known(key, of: entity, isRenumbered: true) else { continue }
      if known.key > 0, let row = try storedRow(known.key, entity) {
        noteAsSeen(try values(of: row, known.key, entity), &known, entity)
      }
      try keep(known, entity)
    }
  }

  private func sendAnew(
    _ known: inout KnownRow, common: Int64, _ entity: BoundContract.Entity, seenTime: UInt64?
  ) throws {
    let row = known.key > 0 ? try storedRow(known.key, entity) : nil
    var present: SyncFields<SyncValue>?
    if let row {
      let values = try values(of: row, known, entity, mayBeEdited: false)
      noteAsSeen(values, &known, entity)
      // Also values that are nil by now: the server may have the former ones. But not of what
      // nobody here has written, or seen.
      present = values
      for (index, field) in entity.fields.enumerated() where values[entity.numbers[index]] == field.unwritten {
        if try placeSeen(of: entity.numbers[index], known.replica.row) != nil { present?[entity.numbers[index]] = nil }
      }
    }
    known.replica.sendAnew(present, common: common, stamp(), seenTime: seenTime)
    for number in entity.numbers {
      if let place = try placeSeen(of: number, known.replica.row) {
        known.replica.forgetPlaces(behind: place, of: number)
      }
    }
    known.wait(since: state.transaction)
  }

  /// Gives all that is to be sent stamps of now, in the order of those that it has: of what was written together, such
  /// as both sides of a relationship, neither may come to be before what the other is behind.
  func restamp() throws {
    state.clock = SyncClock(site: state.site)
    let keys = try connection.editedKeys("pending IS NOT NULL OR sent IS NOT NULL")
    var stamps: Set<SyncStamp> = []
    for (entity, key) in keys {
      if let row = try connection.editedRow(entity, key) { stamps.formUnion(row.replica.stamps) }
    }
    var others: [SyncStamp: SyncStamp] = [:]
    for former in stamps.sorted() where !former.isTimeless { others[former] = stamp() }
    for (entity, key) in keys {
      guard var row = try connection.editedRow(entity, key) else { continue }
      row.replica.restamp { others[$0] ?? $0 }
      try connection.keep(row)
    }
  }
}
