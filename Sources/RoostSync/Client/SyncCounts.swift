package import Foundation
import RoostCore
import RoostEngine
import RoostSQL
import SyncMerge

extension SyncedStore {
  /// What waits to be sent, and to be shown.
  package func counts() throws -> SyncCounts {
    try SwiftDataError.translating { try store.pool.read { try counts($0) } }
  }

  func counts(_ connection: Connection) throws -> SyncCounts {
    let names = try modelNames(connection)
    let isSynced = "+entity IN (\(names.keys.sqlList))"
    // Each has an index.
    let (isPresent, isGone) = (
      "turn IS NOT NULL AND pk >= 0 AND \(isSynced)", "turn IS NOT NULL AND pk < 0 AND \(isSynced)"
    )
    let statement = try connection.statement(
      """
      SELECT (SELECT count(*) FROM _roost_sync_row WHERE \(isPresent)) + (SELECT count(*) FROM _roost_sync_row WHERE \(isGone)), \
      (SELECT count(*) FROM _roost_sync_row WHERE sent IS NOT NULL), \
      (SELECT count(*) FROM _roost_sync_inbox WHERE is_unknown = 0), \
      (SELECT count(*) FROM _roost_transaction WHERE id > (SELECT json_extract(value, '$.transaction') \
      FROM _roost_sync_state WHERE name = 'state')), \
      (SELECT min(time) FROM _roost_transaction WHERE id >= (SELECT min(turn) FROM ( \
      SELECT min(turn) AS turn FROM _roost_sync_row WHERE \(isPresent) UNION ALL \
      SELECT min(turn) FROM _roost_sync_row WHERE \(isGone) UNION ALL \
      SELECT json_extract(value, '$.outstanding.oldest') FROM _roost_sync_state WHERE name = 'state' \
      AND EXISTS (SELECT 1 FROM _roost_sync_row WHERE sent IS NOT NULL) UNION ALL \
      SELECT json_extract(value, '$.transaction') + 1 FROM _roost_sync_state WHERE name = 'state'))), \
      (SELECT count(*) FROM _roost_sync_row WHERE \(SyncTransaction.isSetAside) AND \(isSynced))
      """)
    defer { statement.reset() }
    guard try statement.step() else { return SyncCounts() }
    let tooLarge = statement.int64(5)
    var counts = SyncCounts(
      pending: statement.int64(0), sent: statement.int64(1), collected: statement.int64(2),
      transactions: statement.int64(3),
      oldest: statement.isNull(4) ? nil : Date(timeIntervalSinceReferenceDate: statement.double(4)),
      tooLarge: tooLarge, tooLargeModels: tooLarge == 0 ? [] : try tooLargeModels(names, connection))
    try countUnseen(&counts, connection)
    return counts
  }

  /// Counts the rows that were not looked at yet: all, before a session with the zone that they are to be sent to; then
  /// those that history does not have.
  private func countUnseen(_ counts: inout SyncCounts, _ connection: Connection) throws {
    let facts = facts(connection)
    guard let state = try facts.state else { return }
    let isBegun = try state.account != nil && facts.sessionText != nil
    // These saves made, or changed, rows that are counted.
    if !isBegun { counts.transactions = 0 }
    let (key, numbers) = (quotedIdentifier(primaryKeyColumn), try store.historyNumbers(connection).fields)
    // Before a session without a range, so that SQLite reads the smallest index instead of the rows.
    let (range, isCounted) = isBegun ? ("\(key) > ? AND", "TRUE") : ("", "(pending IS NOT NULL OR sent IS NOT NULL)")
    for entity in contract.entities {
      let sweep = state.sweeps[entity.root.name]
      guard !isBegun || sweep != nil, let number = numbers.number(of: entity.root) else { continue }
      let statement = try connection.statement(
        """
        SELECT count(*) FROM \(quotedIdentifier(entity.root.table)) WHERE \(range) \
        \(key) NOT IN (SELECT pk FROM _roost_sync_row WHERE entity = ? AND \(isCounted))
        """)
      defer { statement.reset() }
      if let sweep, isBegun { statement.bind(sweep.done, at: 1) }
      statement.bind(number, at: isBegun ? 2 : 1)
      if try statement.step() { counts.unseen += statement.int64(0) }
    }
  }
}

extension SyncedStore {
  /// The names of the program's models, by the numbers that history has for them.
  private func modelNames(_ connection: Connection) throws -> [Int64: String] {
    let fields = try store.historyNumbers(connection).fields
    return Dictionary(
      contract.entities.compactMap { entity in fields.number(of: entity.root).map { ($0, entity.root.name) } },
      uniquingKeysWith: { first, _ in first })
  }

  private func tooLargeModels(_ names: [Int64: String], _ connection: Connection) throws -> [String] {
    try connection.keys("SELECT DISTINCT entity FROM _roost_sync_row WHERE \(SyncTransaction.isSetAside)")
      .compactMap { names[$0] }.sorted()
  }
}

/// How much a store has to send, and to show.
package struct SyncCounts: Hashable, Sendable {
  /// The rows with edits that are to be sent.
  package var pending: Int64 = 0
  /// The rows with edits that are on their way.
  package var sent: Int64 = 0
  /// The server's rows that are not shown yet, but for those that only a later program can show.
  package var collected: Int64 = 0
  /// The transactions of history that were not looked at yet.
  package var transactions: Int64 = 0
  /// The rows that were not looked at yet, as history does not have them: those of before sync was switched on.
  package var unseen: Int64 = 0
  /// When the oldest change was made that is to be sent.
  package var oldest: Date?
  /// The rows with edits that are larger than the server takes at once, or refer to new rows of which that is so.
  package var tooLarge: Int64 = 0
  /// The names of their models.
  package var tooLargeModels: [String] = []

  /// Why they are not sent, and what to do.
  package var tooLargeReason: String {
    let waiting =
      "\(collected) row\(collected == 1 ? " of another device is" : "s of other devices are") not shown yet. "
    return
      "Changes of \(tooLarge) row\(tooLarge == 1 ? "" : "s") of \(tooLargeModels.joined(separator: ", ")) are not sent: each is larger than "
      + "the server, or a proxy before it, takes at once, or refers to a new row like that. Store smaller values, or have the proxy take "
      + "9 MiB and start the program again. \(collected == 0 ? "" : waiting)All else is synced."
  }

  package var isUpToDate: Bool { self == SyncCounts() }

  /// Whether nothing waits but rows of the server.
  var isOnlyCollected: Bool { collected > 0 && self == SyncCounts(collected: collected) }
}
