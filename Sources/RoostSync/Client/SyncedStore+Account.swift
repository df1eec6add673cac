import Foundation
import RoostCore
import RoostEngine
import RoostSQL
import SyncMerge

// When the server's zone is not the one that the store was synced with.
extension SyncedStore {
  /// Has all rows of the store sent to the zone that the next session begins with.
  package func leaveAccount() throws { try changeState { $0.account = nil } }

  /// Removes all rows that are synced, those that no server has too, so that the next session fetches its zone's.
  package func discardRows(now: UInt64) throws {
    try transaction(now: now) { transaction, _ in try transaction.discardRows() }
  }
}

extension SyncTransaction {
  func discardRows() throws {
    // All at once, whatever refers to what.
    try connection.execute("PRAGMA defer_foreign_keys = ON")
    for entity in contract.byOrdinal.values {
      for field in entity.fields {
        guard case .links(let join, _) = field.kind else { continue }
        try connection.execute("DELETE FROM \(quotedIdentifier(join.name))")
        written.insert(join.name)
      }
    }
    for entity in contract.byOrdinal.values {
      try connection.execute("DELETE FROM \(quotedIdentifier(entity.root.table))")
      written.insert(entity.root.table)
    }
    try connection.execute("DELETE FROM _roost_sync_row; DELETE FROM _roost_sync_inbox")
    state.account = nil
    state.outstanding = nil
    state.lastPush = 0
    (state.seen, state.pulled, state.cursor) = (.start, .start, 0)
    state.sweeps = [:]
  }
}
