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
      try Self.takeBackSent(connection, turn: state.transaction)
      // Pushes have other numbers from here on.
      try connection.execute("UPDATE _roost_sync_inbox SET taken = 0")
      state.outstanding = nil
      state.lastPush = 0
      state.clock = SyncClock(site: site, last: state.clock.last)
      state.nextKey = 1
      try facts.set(state)
    }
  }

  /// Has all that is on its way be still to be sent. `turn`: the transaction of history that it is said to be of.
  private static func takeBackSent(_ connection: Connection, turn: Int64) throws {
    var rows: [(entity: Int64, key: Int64, replica: SyncReplica)] = []
    let selection = try connection.statement(
      "SELECT entity, pk, sequence, sent, pending FROM _roost_sync_row WHERE sent IS NOT NULL")
    defer { selection.reset() }
    while try selection.step() {
      let sent = try selection.decoded(SyncEdit.self, 3)
      let pending = selection.isNull(4) ? nil : try selection.decoded(SyncEdit.self, 4)
      var replica = SyncReplica(row: sent.row, sequence: selection.int64(2), sent: sent, pending: pending)
      replica.takeBack()
      rows.append((selection.int64(0), selection.int64(1), replica))
    }
    selection.reset()
    let update = try connection.statement(
      """
      UPDATE _roost_sync_row SET sent = NULL, pending = ?3, turn = ifnull(turn, ?4), sequence = ?5 \
      WHERE entity = ?1 AND pk = ?2
      """)
    for row in rows {
      guard let pending = row.replica.pending else { continue }
      update.bind(row.entity, at: 1)
      update.bind(row.key, at: 2)
      update.bind(coded: pending, at: 3)
      update.bind(turn, at: 4)
      update.bind(row.replica.sequence, at: 5)
      try update.run()
    }
  }
}
