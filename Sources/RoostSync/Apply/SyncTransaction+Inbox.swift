import Foundation
import RoostEngine
import SyncMerge

// The server's rows that are not shown yet: those of pages of which more are to come, and those that wait for another row.
extension SyncTransaction {
  /// Collects rows; of one that is there already the later stays.
  ///
  /// `taken`: the number of this device's last push that the rows have in them.
  func collect(_ records: [SyncRecord], taken: Int64) throws {
    let statement = try connection.statement(
      """
      INSERT INTO _roost_sync_inbox (entity, site, key, sequence, taken, body) VALUES (?1, ?2, ?3, ?4, ?5, ?6) \
      ON CONFLICT (entity, site, key) DO UPDATE SET sequence = ?4, taken = ?5, body = ?6, is_unknown = 0 \
      WHERE sequence <= ?4
      """)
    for record in records {
      // A program that knows of its class fetches it anew.
      if contract.byNumber[record.row.entity] == nil { continue }
      for field in record.fields.values { see(field) }
      if let deletion = record.deletion { state.clock.see(deletion.stamp) }
      statement.bind(record.row.entity, at: 1)
      statement.bind(Int64(bitPattern: record.row.site), at: 2)
      statement.bind(record.row.key, at: 3)
      statement.bind(record.sequence, at: 4)
      statement.bind(taken, at: 5)
      statement.bind(coded: record, at: 6)
      try statement.run()
    }
  }

  private func see(_ field: SyncField) {
    state.clock.see(field.stamp)
    for other in field.others { state.clock.see(other.stamp) }
  }

  /// Gives `body` the collected rows in the zone's order, and the pushes that are in them.
  func eachCollected(_ body: (SyncRecord, Int64) throws -> Void) throws {
    // In parts, as `body` writes.
    var last: Int64 = -1
    while true {
      let part = try collected(behind: last, limit: 1_000)
      for (record, taken) in part { try body(record, taken) }
      guard let end = part.last?.0.sequence else { return }
      last = end
    }
  }

  private func collected(behind sequence: Int64, limit: Int) throws -> [(SyncRecord, Int64)] {
    let statement = try connection.statement(
      "SELECT body, taken FROM _roost_sync_inbox WHERE sequence > ? ORDER BY sequence LIMIT ?")
    defer { statement.reset() }
    statement.bind(sequence, at: 1)
    statement.bind(limit, at: 2)
    var found: [(SyncRecord, Int64)] = []
    while try statement.step() {
      found.append((try statement.decoded(SyncRecord.self, 0), statement.int64(1)))
    }
    return found
  }

  /// Whether a row that is there, and not deleted, is among them.
  func isCollected(_ row: SyncRowID) throws -> Bool {
    let statement = try connection.statement(
      "SELECT 1 FROM _roost_sync_inbox WHERE entity = ? AND site = ? AND key = ?")
    defer { statement.reset() }
    statement.bind(row.entity, at: 1)
    statement.bind(Int64(bitPattern: row.site), at: 2)
    statement.bind(row.key, at: 3)
    return try statement.step()
  }

  /// Notes that a row is not to be shown by this program, which does not know of its class or of that of a row it refers to.
  func noteUnknown(_ row: SyncRowID) throws {
    let statement = try connection.statement(
      "UPDATE _roost_sync_inbox SET is_unknown = 1 WHERE entity = ? AND site = ? AND key = ? AND is_unknown = 0")
    statement.bind(row.entity, at: 1)
    statement.bind(Int64(bitPattern: row.site), at: 2)
    statement.bind(row.key, at: 3)
    try statement.run()
  }

  /// Removes a row that is shown by now.
  func removeCollected(_ row: SyncRowID) throws {
    let statement = try connection.statement("DELETE FROM _roost_sync_inbox WHERE entity = ? AND site = ? AND key = ?")
    statement.bind(row.entity, at: 1)
    statement.bind(Int64(bitPattern: row.site), at: 2)
    statement.bind(row.key, at: 3)
    try statement.run()
  }
}
