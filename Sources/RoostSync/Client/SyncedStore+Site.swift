import RoostEngine
package import SyncMerge

// When another store pushes under the same name, as a copy of this one does.
extension SyncedStore {
  /// What the server was asked last. It may refuse that after another program on the file has gone on: it has not
  /// refused what is in the file by then.
  package struct Asked: Sendable {
    /// The name that it was asked under; 0 before it was.
    private var site: UInt64 = 0
    /// For the beginning of a session, the number of the last push then.
    private var lastPush: Int64?
    /// For that too, what ``SyncState/zoneChanges`` was.
    private(set) var zoneChanges: Int?
    /// For a push, its number and identity.
    private var push: (number: Int64, identity: UInt64)?

    package init() {}

    /// A hello. `zoneChanges`: what they were before.
    package init(of hello: SyncHello, zoneChanges: Int? = nil) {
      (site, lastPush, self.zoneChanges) = (hello.site, hello.lastPush, zoneChanges)
    }

    package init(of push: SyncPush) { (site, self.push) = (push.site, (push.number, push.identity)) }

    func isStill(in state: SyncState) -> Bool {
      if site != state.site || lastPush ?? state.lastPush != state.lastPush { return false }
      guard let push else { return true }
      guard let outstanding = state.outstanding, outstanding.number == push.number else { return false }
      return [outstanding.identity, outstanding.probe].contains(push.identity)
    }
  }

  /// Goes on under another name: what was on its way is to be sent under that.
  ///
  /// It needs no session, as none begins before.
  ///
  /// - Parameters:
  ///   - site: a random number.
  ///   - refused: what was refused; nil for whatever the store would ask. Where another program has
  ///     gone on since, nothing is done.
  /// - Throws: what the database reports.
  package func takeSite(_ site: UInt64, insteadOf refused: Asked? = nil) throws {
    try writing { connection in
      let facts = facts(connection)
      var state = try facts.begunState()
      if let refused, !refused.isStill(in: state) { return }
      if let outstanding = state.outstanding, let probe = outstanding.probe, probe != outstanding.identity {
        // The server has a push of its number, which is most likely that.
        state.outstanding?.probe = outstanding.identity
        return try facts.set(state)
      }
      try connection.takeBackSent(turn: state.transaction)
      try connection.renameWriter(to: site)
      // Pushes have other numbers from here on.
      try connection.execute("UPDATE _roost_sync_inbox SET taken = 0")
      state.takeSite(site)
      state.nextKey = 1
      try facts.set(state)
    }
  }
}

extension SyncState {
  /// Pushes have numbers of their own under a name.
  mutating func takeSite(_ site: UInt64) {
    outstanding = nil
    lastPush = 0
    clock = SyncClock(site: site, last: clock.last)
  }
}

extension Connection {
  /// Has all that is to be sent be another writer's, of the same times: whoever writes under a name has seen what was
  /// written under it before, and a copy has not seen what its original wrote since.
  func renameWriter(to site: UInt64) throws {
    for (entity, key) in try editedKeys("pending IS NOT NULL") {
      guard var row = try editedRow(entity, key) else { continue }
      row.replica.restamp { SyncStamp(time: $0.time, site: site) }
      try keep(row)
    }
  }
}
