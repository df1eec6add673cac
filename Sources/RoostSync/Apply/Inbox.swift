import RoostEngine
import SyncMerge

/// The server's rows that are not shown yet: those that have just come, and those that wait
/// for others, which the file keeps.
struct Inbox {
  struct Entry {
    let record: SyncRecord
    /// The number of this device's last push that the record has in it.
    let taken: Int64
  }

  /// In the zone's order; nil for those that were removed.
  private var entries: [Entry?] = []
  /// The indexes of rows among them.
  private var indexes: [SyncRowID: Int] = [:]
  /// Those that only a later program can show.
  private var unknown: Set<SyncRowID> = []
  /// What the file has: the sequence of each row's last change, and whether it is unknown.
  private var stored: [SyncRowID: (sequence: Int64, isUnknown: Bool)] = [:]

  init() {}

  /// Reads what the file has.
  init(_ connection: Connection) throws {
    let statement = try connection.statement(
      "SELECT body, taken, is_unknown FROM _roost_sync_inbox ORDER BY sequence")
    defer { statement.reset() }
    while try statement.step() {
      let record = try statement.decoded(SyncRecord.self, 0)
      stored[record.row] = (record.sequence, statement.int64(2) != 0)
      if statement.int64(2) != 0 { unknown.insert(record.row) }
      put(Entry(record: record, taken: statement.int64(1)))
    }
  }

  private mutating func put(_ entry: Entry) {
    indexes[entry.record.row] = entries.count
    entries.append(entry)
  }

  /// How many entries there are, with those that were removed.
  var count: Int { entries.count }

  /// The row at an index, in the zone's order; nil where it was removed.
  subscript(index: Int) -> Entry? { entries[index] }

  func has(_ row: SyncRowID) -> Bool { indexes[row] != nil }

  func entry(of row: SyncRowID) -> Entry? { indexes[row].flatMap { entries[$0] } }

  /// How many rows of a class there are.
  func count(of entity: Int) -> Int { entries.count { $0?.record.row.entity == entity } }

  /// Adds rows; of one that is there already the later stays.
  mutating func add(_ records: [SyncRecord], taken: Int64) {
    var last = entries.last { $0 != nil }??.record.sequence ?? 0
    var isInOrder = true
    indexes.reserveCapacity(indexes.count + records.count)
    entries.reserveCapacity(entries.count + records.count)
    for record in records {
      if let index = indexes[record.row] {
        if record.sequence < entries[index]?.record.sequence ?? 0 { continue }
        entries[index] = nil
      }
      if record.sequence < last { isInOrder = false }
      last = record.sequence
      put(Entry(record: record, taken: taken))
    }
    if isInOrder { return }
    let sorted = entries.compactMap(\.self).sorted { $0.record.sequence < $1.record.sequence }
    (entries, indexes) = ([], [:])
    sorted.forEach { put($0) }
  }

  mutating func remove(_ row: SyncRowID) {
    if let index = indexes.removeValue(forKey: row) { entries[index] = nil }
  }

  /// The sequence of a row's last change; nil for one that is not there.
  func sequence(of row: SyncRowID) -> Int64? { entry(of: row)?.record.sequence }

  mutating func removeAll(where isMeant: (SyncRecord) -> Bool) {
    for case let entry? in entries where isMeant(entry.record) { remove(entry.record.row) }
  }

  func isUnknown(_ row: SyncRowID) -> Bool { unknown.contains(row) && has(row) }

  /// Notes which of the rows only a later program can show, and no other.
  mutating func setUnknown(_ rows: Set<SyncRowID>) { unknown = rows }

  /// Keeps in the file what is not shown.
  func write(to connection: Connection) throws {
    for row in stored.keys.sorted() where !has(row) {
      let statement = try connection.statement(
        "DELETE FROM _roost_sync_inbox WHERE entity = ? AND site = ? AND key = ?")
      Self.bind(row, to: statement)
      try statement.run()
    }
    for case let entry? in entries {
      let row = entry.record.row
      if let known = stored[row], known == (entry.record.sequence, unknown.contains(row)) { continue }
      let statement = try connection.statement(
        """
        INSERT OR REPLACE INTO _roost_sync_inbox (entity, site, key, sequence, taken, body, is_unknown) \
        VALUES (?, ?, ?, ?, ?, ?, ?)
        """)
      Self.bind(row, to: statement)
      statement.bind(entry.record.sequence, at: 4)
      statement.bind(entry.taken, at: 5)
      statement.bind(coded: entry.record, at: 6)
      statement.bind(unknown.contains(row) ? 1 : 0, at: 7)
      try statement.run()
    }
  }

  private static func bind(_ row: SyncRowID, to statement: Statement) {
    statement.bind(row.entity, at: 1)
    statement.bind(Int64(bitPattern: row.site), at: 2)
    statement.bind(row.key, at: 3)
  }
}
