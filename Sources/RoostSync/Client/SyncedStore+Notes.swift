import RoostCore
import RoostEngine

// What programs changed is noted also where nothing is sent.
extension SyncedStore {
  /// Notes what programs changed, so that a copy of the file has the same names for new rows.
  package func noteChanges(now: UInt64) throws { try transaction(now: now) { _, _ in } }

  /// Notes what programs changed before they delete rows: what a row has as it goes is in no table any more, and where others keep the row
  /// it comes back with that, and with the rows that it took along.
  ///
  /// Where that fails the rows come back as they were noted last.
  func noteChangesBeforeDeletion() {
    let isNoted = try? store.pool.read { connection in
      // In a transaction of the program's own nothing can be noted.
      if connection.isInTransaction { return true }
      guard let state = try facts(connection).state else { return true }
      let (former, latest) = try HistoryTables.notedChanges(connection)
      return try former == latest && HistoryTables.lastNumber(connection) ?? 0 <= state.transaction
    }
    if isNoted != true { try? noteChanges(now: SyncEngine.clockTime) }
  }
}
