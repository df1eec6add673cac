import RoostEngine
import SyncMerge

// When another store pushes under the same name, as a copy of this one does.
extension SyncedStore {
  /// Goes on under another name: what was on its way is to be sent under that.
  ///
  /// It needs no session, as none begins before.
  ///
  /// - Parameters:
  ///   - site: a random number.
  ///   - refused: the name that was refused; nil for whichever the store has. Another program may have taken another since,
  ///     and nothing is done then.
  /// - Throws: what the database reports.
  package func takeSite(_ site: UInt64, insteadOf refused: UInt64? = nil) throws {
    try writing { connection in
      let facts = SyncFacts(connection)
      guard var state = try facts.state else { throw SyncedStoreError.notBegun }
      if let refused, refused != state.site { return }
      if let outstanding = state.outstanding, let probe = outstanding.probe, probe != outstanding.identity {
        // The server has a push of its number, which is most likely that.
        state.outstanding?.probe = outstanding.identity
        return try facts.set(state)
      }
      try connection.takeBackSent(turn: state.transaction)
      try connection.renameWriter(to: site)
      // Pushes have other numbers from here on.
      try connection.execute("UPDATE _roost_sync_inbox SET taken = 0")
      state.outstanding = nil
      state.lastPush = 0
      state.clock = SyncClock(site: site, last: state.clock.last)
      state.nextKey = 1
      try facts.set(state)
    }
  }
}

extension Connection {
  /// Has all that is to be sent be another writer's, of the same times: whoever writes under a name has seen what was written
  /// under it before, and a copy has not seen what its original wrote since.
  fileprivate func renameWriter(to site: UInt64) throws {
    for (entity, key) in try editedKeys("pending IS NOT NULL") {
      guard var row = try editedRow(entity, key) else { continue }
      for isDeletion in [false, true] {
        row.replica.restamp(isSent: false, isDeletion: isDeletion) { SyncStamp(time: $0.time, site: site) }
      }
      try keep(row)
    }
  }
}
