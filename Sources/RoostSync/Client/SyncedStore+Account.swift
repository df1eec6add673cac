import RoostCore
import RoostEngine
import RoostSQL
import SyncMerge
import Synchronization

// When the server's zone is not the one that the store was synced with.
extension SyncedStore {
  /// Has all rows of the store sent to the zone that the next session begins with.
  package func leaveAccount() throws {
    try changeState { state in
      state.noteZoneChange()
      state.leftAccount = state.account ?? state.leftAccount
      state.account = nil
    }
  }

  /// Removes all rows that are synced, those that no server has too, so that the next session fetches its zone's.
  ///
  /// A store that was never synced has them removed as well.
  package func discardRows() throws {
    try writingRows { connection, files in
      let fields = contract.entities.flatMap(\.fields)
      let joins = fields.compactMap { field in if case .links(let join, _) = field.kind { join.name } else { nil } }
      let tables = joins + contract.entities.map(\.root.table)
      try checkNeeds(connection)
      let roots = contract.entities.map(\.root)
      let leftOutRows = try LeftOutRows(store, besides: roots, connection)
      try leftOutRows.forgetPlaces(ofReferrersTo: roots, store, connection)
      try store.releaseRequired(of: roots, connection)
      for entity in contract.entities.flatMap(\.classes) { try files?.releaseAll(of: entity, connection) }
      for table in tables { try connection.execute("DELETE FROM \(quotedIdentifier(table))") }
      try leftOutRows.forgetGone(connection)
      let numbers = try store.historyNumbers(connection).fields
      let discarded = contract.entities.compactMap { numbers.number(of: $0.root) }
      // Rows of classes that are left out stay, and are still those that the account has.
      try connection.execute(
        """
        DELETE FROM _roost_sync_row WHERE entity IN (\(discarded.sqlList)); DELETE FROM _roost_sync_inbox; \
        DELETE FROM _roost_sync_overwritten; DELETE FROM _roost_sync_conflict
        """)
      return WrittenBySync(result: (), tables: { Set(tables) }) { own in
        let facts = self.facts(connection)
        guard var state = try facts.state else { return }
        state.noteZoneChange()
        state.leftAccount = state.account ?? state.leftAccount
        state.account = nil
        try connection.takeBackSent(turn: state.transaction)
        state.outstanding = nil
        state.lastPush = 0
        // Of no zone: whoever is asked has the device begin anew.
        (state.seen, state.pulled, state.cursor, state.former) = (.start(of: .max), .start, 0, nil)
        // Those of classes that are left out stay.
        let leftOut = try facts.sessionText.map { self.contract.leftOut(of: try SyncFacts.session($0)) } ?? []
        state.sweeps = Dictionary(leftOut.map { ($0, SyncState.Sweep(done: 0, again: true)) }) { first, _ in first }
        state.limitUnseen(to: 0)
        // There is nothing left to be noted.
        if let own { state.transaction = own }
        try facts.set(state)
      }
    }
  }
  /// Sees that no row stays that must refer to one of those that are synced.
  private func checkNeeds(_ connection: Connection) throws {
    let roots = contract.entities.map(\.root)
    for root in roots {
      let properties = try store.schema.needs(of: root) { property in roots.contains { $0 === property.owner.root } }
      for property in properties where try connection.hasReference(property) {
        throw SwiftDataError(
          .modelValidationFailure, "It is not synced, and has rows that must refer to ones which are to be removed.",
          model: property.owner.name, property: property.name,
          remedy: "Delete them first, or make the relationship optional.")
      }
    }
  }
}
