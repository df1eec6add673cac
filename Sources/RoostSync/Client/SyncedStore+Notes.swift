import RoostCore
import RoostEngine
import RoostQuery

// What programs changed is noted also where nothing is sent.
extension SyncedStore {
  /// Notes what programs changed, so that a copy of the file has the same names for new rows.
  package func noteChanges(now: UInt64) throws {
    try store.ensureIndexes()
    try transaction(now: now, isForNotes: true) { _ in }
  }

  /// Notes what programs changed before they delete rows: what a row has as it goes is in no table any more, and where
  /// others keep the row it comes back with that, and with the rows that it took along.
  ///
  /// Where that fails the rows come back as they were noted last.
  func noteChangesBeforeDeletion() {
    let isNeeded = try? store.pool.read { try hasChangesToNote($0) }
    if isNeeded ?? true { try? noteChanges(now: SyncEngine.clockTime) }
  }

  /// How many transactions that delete rows and do nothing else wait at most: each deletion looks at them.
  private static var mostDeletions: Int { 50 }

  /// Whether history has anything that is not noted but a few deletions, which can wait: many of these
  /// often come one after the other.
  private func hasChangesToNote(_ connection: Connection) throws -> Bool {
    // In a transaction of the program's own nothing can be noted.
    guard !connection.isInTransaction else { return false }
    let facts = facts(connection)
    guard let state = try facts.state, try facts.sessionText != nil else { return false }
    let (former, latest) = try HistoryTables.notedChanges(connection)
    if try latest != former || store.historyFloor(connection) > state.transaction { return true }
    let reader = try HistoryReader(store, connection)
    var (isFound, count) = (false, 0)
    try store.transactions(after: state.transaction, limit: Self.mostDeletions, connection) { row, packed in
      count += 1
      if isFound { return }
      isFound = try row.migration != nil || reader.hasRecord(of: row, packed()) { $0.kind != .deleted }
    }
    return isFound || count == Self.mostDeletions
  }
}
