/// Where a zone's rows are. A server calls it within one transaction of its own.
package protocol SyncZoneStorage {
  /// The place of the zone's last change; 0 for none.
  var head: Int64 { get throws }
  func record(_ row: SyncRowID) throws -> SyncRecord?
  /// The rows whose last change is behind a place, in the zone's order.
  func records(behind sequence: Int64, limit: Int) throws -> [SyncRecord]
  /// Keeps a row. Its sequence is the zone's head from then on.
  mutating func put(_ record: SyncRecord) throws
  /// The number of a site's last push; 0 for none.
  func lastPush(of site: UInt64) throws -> Int64
  mutating func setLastPush(of site: UInt64, to number: Int64) throws
}

/// Rows whose edits are put in one order.
package struct SyncZone<Storage: SyncZoneStorage> {
  package var storage: Storage
  private let rules: (_ entity: Int) -> SyncRules
  /// How many milliseconds devices' clocks may be ahead.
  private let tolerance: UInt64

  package init(_ storage: Storage, tolerance: UInt64 = 60_000, rules: @escaping (_ entity: Int) -> SyncRules) {
    (self.storage, self.tolerance, self.rules) = (storage, tolerance, rules)
  }

  /// Takes a push, once however often it comes.
  ///
  /// - Parameters:
  ///   - push: what a device sent.
  ///   - now: milliseconds since 1970.
  /// - Returns: the rows as they are now, and what the push met.
  /// - Throws: ``SyncZoneError``, and nothing is changed then; what the storage throws.
  package mutating func take(_ push: SyncPush, now: UInt64) throws -> SyncPushAnswer {
    let last = try storage.lastPush(of: push.site)
    guard push.number <= last + 1 else { throw SyncZoneError.missingPush(last + 1) }
    var conflicts: [SyncConflict] = []
    if push.number == last + 1 {
      try check(push, now)
      for edit in push.edits { conflicts += try merge(edit) }
      try storage.setLastPush(of: push.site, to: push.number)
    }
    let records = try push.edits.compactMap { try storage.record($0.row) }
    return SyncPushAnswer(number: push.number, records: records, conflicts: conflicts)
  }

  private func check(_ push: SyncPush, _ now: UInt64) throws {
    let head = try storage.head
    for edit in push.edits {
      let stamps = [edit.stamp] + edit.fields.values.map(\.stamp)
      if stamps.contains(where: { SyncClock.isAhead($0, now: now, tolerance: tolerance) }) {
        throw SyncZoneError.clockAhead(now: now)
      }
      let bases = [edit.base] + edit.fields.values.map(\.base)
      if bases.contains(where: { $0 > head }) { throw SyncZoneError.unknownPlace(head: head) }
    }
  }

  private mutating func merge(_ edit: SyncEdit) throws -> [SyncConflict] {
    let merge = edit.merged(into: try storage.record(edit.row), rules(edit.row.entity), at: try storage.head + 1)
    if merge.isChanged { try storage.put(merge.record) }
    return merge.conflicts
  }

  /// What changed behind a place, for one site.
  ///
  /// - Parameters:
  ///   - cursor: the place; 0 for all rows.
  ///   - site: who asks.
  ///   - limit: the most rows, at least 1.
  /// - Returns: the rows whose last change is behind it, the earliest first.
  /// - Throws: ``SyncZoneError/unknownPlace(head:)``; what the storage throws.
  package func page(behind cursor: Int64, for site: UInt64, limit: Int) throws -> SyncPage {
    let head = try storage.head
    guard cursor <= head else { throw SyncZoneError.unknownPlace(head: head) }
    let records = try storage.records(behind: cursor, limit: max(1, limit))
    let end = records.last?.sequence ?? head
    return SyncPage(
      records: records, cursor: end, isLast: end == head, taken: try storage.lastPush(of: site))
  }
}
