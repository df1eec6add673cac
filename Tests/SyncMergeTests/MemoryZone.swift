import SyncMerge

/// A zone's rows in memory.
struct MemoryZone: SyncZoneStorage {
  private(set) var head: Int64 = 0
  private(set) var rows: [SyncRowID: SyncRecord] = [:]
  private var pushes: [UInt64: Int64] = [:]

  func record(_ row: SyncRowID) -> SyncRecord? { rows[row] }

  func records(behind sequence: Int64, limit: Int) -> [SyncRecord] {
    Array(rows.values.filter { $0.sequence > sequence }.sorted { $0.sequence < $1.sequence }.prefix(limit))
  }

  mutating func put(_ record: SyncRecord) {
    rows[record.row] = record
    head = record.sequence
  }

  func lastPush(of site: UInt64) -> Int64 { pushes[site] ?? 0 }
  mutating func setLastPush(of site: UInt64, to number: Int64) { pushes[site] = number }
}
