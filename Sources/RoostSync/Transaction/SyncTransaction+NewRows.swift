import RoostEngine
import SyncMerge

// What is kept of rows that are new to this device, many at a time: SQLite finds the place of
// each from that of the one before.
extension SyncTransaction {
  /// How many are kept by one statement. Larger batches are no faster per row.
  private static let batch = 64

  /// Keeps what is known of a row that was shown: at once, or for a new one by the next ``keepNewRows()``.
  ///
  /// Until then `known(_:)` has it as one that only has a key.
  func keepShown(_ row: KnownRow, _ entity: BoundContract.Entity) throws {
    guard row.isNew, row.replica.isSynced else { return try keep(row, entity) }
    newRows.append((row, entity))
    if newRows.count == Self.batch { try keepNewRows() }
  }

  /// Keeps all new rows that were shown.
  func keepNewRows() throws {
    let rows = newRows
    newRows.removeAll(keepingCapacity: true)
    guard rows.count == Self.batch else {
      for (row, entity) in rows { try keep(row, entity) }
      return
    }
    let statement = try connection.statement(Self.insertion)
    var next: Int32 = 1
    for (row, entity) in rows {
      statement.bind(historyNumber(entity), at: next)
      statement.bind(row.key, at: next + 1)
      statement.bind(Int64(bitPattern: row.replica.row.site), at: next + 2)
      statement.bind(row.replica.row.key, at: next + 3)
      statement.bind(row.replica.sequence, at: next + 4)
      bindSeen(of: row, to: statement, at: next + 5)
      next += 6
    }
    try statement.run()
    for (row, _) in rows { noteKnown(row.replica.row) }
  }

  private static let insertion = """
    INSERT INTO _roost_sync_row (entity, pk, site, key, sequence, seen) \
    VALUES \(Array(repeating: "(?, ?, ?, ?, ?, ?)", count: batch).joined(separator: ", ")) \
    ON CONFLICT (entity, pk) DO UPDATE SET sequence = excluded.sequence, turn = NULL, sent = NULL, pending = NULL, \
    seen = excluded.seen
    """
}
