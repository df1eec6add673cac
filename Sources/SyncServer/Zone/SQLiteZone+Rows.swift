import RoostEngine
package import SyncMerge

extension SQLiteZone {
  package func record(_ row: SyncRowID) throws -> SyncRecord? {
    if let known = cache.record(row, of: id) { return known }
    let statement = try bound("SELECT body FROM record WHERE zone = ? AND entity = ? AND site = ? AND key = ?")
    defer { statement.reset() }
    statement.bind(row, at: 2)
    let record = try statement.step() ? decode(SyncRecord.self, statement, 0) : nil
    cache.note(record, row, of: id)
    return record
  }

  package func state(of row: SyncRowID) throws -> SyncRowState? {
    if let known = cache.record(row, of: id) { return known.map(SyncRowState.init) }
    let statement = try bound(
      "SELECT sequence, is_deleted FROM record WHERE zone = ? AND entity = ? AND site = ? AND key = ?")
    defer { statement.reset() }
    statement.bind(row, at: 2)
    guard try statement.step() else { return nil }
    return SyncRowState(sequence: statement.int64(0), isDeleted: statement.int64(1) != 0)
  }

  package func record(_ row: SyncRowID, behind sequence: Int64) throws -> SyncRecord? {
    let statement = try bound(
      """
      SELECT body FROM record WHERE zone = ? AND entity = ? AND site = ? AND key = ? AND sequence > ? AND is_deleted = 0
      """)
    defer { statement.reset() }
    statement.bind(row, at: 2)
    statement.bind(sequence, at: 5)
    return try statement.step() ? decode(SyncRecord.self, statement, 0) : nil
  }

  /// Fewer than the limit where their bytes are more than a page has room for.
  package func records(behind sequence: Int64, limit: Int) throws -> [SyncRecord] {
    let statement = try bound("SELECT body FROM record WHERE zone = ? AND sequence > ? ORDER BY sequence LIMIT ?")
    defer { statement.reset() }
    statement.bind(sequence, at: 2)
    statement.bind(limit, at: 3)
    var (records, bytes): ([SyncRecord], Int) = ([], 0)
    while bytes < SyncWire.pageBytes, try statement.step() {
      records.append(try decode(SyncRecord.self, statement, 0))
      bytes += statement.withBlob(0) { $0.count }
    }
    return records
  }

  package func forEachRow(_ body: (SyncRowID, Int64) -> Void) throws {
    let statement = try bound("SELECT entity, site, key, sequence FROM record WHERE zone = ? AND is_deleted = 0")
    defer { statement.reset() }
    while try statement.step() { body(statement.row(0), statement.int64(3)) }
  }

  package func put(_ record: SyncRecord) throws {
    let former = try self.record(record.row)
    let statement = try bound(
      """
      INSERT INTO record (zone, entity, site, key, sequence, is_deleted, body) VALUES (?, ?, ?, ?, ?, ?, ?) \
      ON CONFLICT DO UPDATE SET sequence = excluded.sequence, is_deleted = excluded.is_deleted, body = excluded.body
      """)
    statement.bind(record.row, at: 2)
    statement.bind(record.sequence, at: 5)
    statement.bind(record.deletion == nil ? 0 : 1, at: 6)
    record.encoded.withUnsafeBytes { statement.bind($0, at: 7) }
    try statement.run()
    cache.note(record, record.row, of: id)
    try putReferences(of: record, former: former)
  }

  /// The rows that one list has and another does not, and the other way round. Most of a long list is
  /// their common beginning and end.
  private static func difference(
    _ left: [SyncRowID], _ right: [SyncRowID]
  ) -> (removed: Set<SyncRowID>, added: Set<SyncRowID>) {
    let most = min(left.count, right.count)
    let first = (0..<most).first { left[$0] != right[$0] } ?? most
    let last = (0..<most - first).first { left[left.count - 1 - $0] != right[right.count - 1 - $0] } ?? most - first
    var (removed, added) = (Set(left[first..<left.count - last]), Set(right[first..<right.count - last]))
    (removed, added) = (removed.subtracting(added), added.subtracting(removed))
    // A row may be in a list twice, as fields refer to it and owners are it.
    removed = removed.count < 8 ? removed.filter { !right.contains($0) } : removed.subtracting(right)
    return (removed, added)
  }

  private func putReferences(of record: SyncRecord, former: SyncRecord?) throws {
    // Of a deleted row too: it may come back with the one that it refers to.
    let (removed, added) = Self.difference(former?.listedReferences ?? [], record.listedReferences)
    for row in removed {
      let statement = try bound(
        """
        DELETE FROM ref WHERE zone = ? AND target_entity = ? AND target_site = ? AND target_key = ? \
        AND entity = ? AND site = ? AND key = ?
        """)
      statement.bind(row, at: 2)
      statement.bind(record.row, at: 5)
      try statement.run()
    }
    for row in added {
      let statement = try bound("INSERT OR IGNORE INTO ref VALUES (?, ?, ?, ?, ?, ?, ?)")
      statement.bind(row, at: 2)
      statement.bind(record.row, at: 5)
      try statement.run()
    }
  }

  package func referrers(to row: SyncRowID) throws -> [SyncRowID] {
    let statement = try bound(
      """
      SELECT entity, site, key FROM ref WHERE zone = ? AND target_entity = ? AND target_site = ? AND target_key = ?
      """)
    defer { statement.reset() }
    statement.bind(row, at: 2)
    return try rows(statement)
  }

  package func referrers(to row: SyncRowID, of entity: Int) throws -> [SyncRowID] {
    let statement = try bound(
      """
      SELECT entity, site, key FROM ref WHERE zone = ? AND target_entity = ? AND target_site = ? AND target_key = ? \
      AND entity = ?
      """)
    defer { statement.reset() }
    statement.bind(row, at: 2)
    statement.bind(entity, at: 5)
    return try rows(statement)
  }

  /// Sites are unsigned, which SQLite's order is not.
  private func rows(_ statement: Statement) throws -> [SyncRowID] {
    var rows: [SyncRowID] = []
    while try statement.step() { rows.append(statement.row(0)) }
    return rows.sorted()
  }

  package func claimant(of claim: SyncClaim) throws -> SyncRowID? {
    let statement = try bound("SELECT entity, site, key FROM claim WHERE zone = ? AND claim = ?")
    defer { statement.reset() }
    claim.key.withUnsafeBytes { statement.bind($0, at: 2) }
    return try statement.step() ? statement.row(0) : nil
  }

  package func setClaimant(of claim: SyncClaim, to row: SyncRowID?) throws {
    let statement = try bound(
      row == nil
        ? "DELETE FROM claim WHERE zone = ? AND claim = ?" : "INSERT OR REPLACE INTO claim VALUES (?, ?, ?, ?, ?)")
    claim.key.withUnsafeBytes { statement.bind($0, at: 2) }
    if let row { statement.bind(row, at: 3) }
    try statement.run()
  }
}

extension Statement {
  /// Binds the three parts of a row's identity.
  fileprivate func bind(_ row: SyncRowID, at index: Int32) {
    bind(row.entity, at: index)
    bind(Int64(bitPattern: row.site), at: index + 1)
    bind(row.key, at: index + 2)
  }

  /// The identity in three columns.
  fileprivate func row(_ column: Int32) -> SyncRowID {
    SyncRowID(
      entity: Int(int64(column)), site: UInt64(bitPattern: int64(column + 1)), key: int64(column + 2))
  }
}

extension SyncClaim {
  /// The same bytes for values that a device's file takes for the same: it has one zero.
  fileprivate var key: [UInt8] {
    var writer = SyncWriter()
    writer.write(entity)
    writer.write(count: fields.count)
    for field in fields { writer.write(field) }
    writer.write(values.map { $0 == .real(0) ? .real(0) : $0 })
    return writer.bytes
  }
}
