package import SyncMerge

/// A device with many rows of one counter and one text each.
package struct Phone {
  package static let rules = SyncRules(policies: [1: .counter])
  package let site: UInt64
  package private(set) var shown: [SyncRowID: SyncRecord] = [:]
  package private(set) var cursor: Int64 = 0
  package private(set) var conflicts = 0
  private var replicas: [SyncRowID: SyncReplica] = [:]
  private var outstanding: SyncPush?
  private var pushes: Int64 = 0
  private var clock: SyncClock
  private var nextKey: Int64 = 1

  package init(site: UInt64) {
    self.site = site
    clock = SyncClock(site: site)
  }

  package var isSynced: Bool { outstanding == nil && replicas.values.allSatisfy(\.isSynced) }
  package var rows: [SyncRowID] { shown.filter { $0.value.deletion == nil }.keys.sorted() }

  // MARK: - What its user does

  package mutating func insert(now: UInt64) {
    let row = SyncRowID(entity: 1, site: site, key: nextKey)
    nextKey += 1
    let stamp = clock.stamp(now: now)
    replicas[row] = SyncReplica(row: row)
    replicas[row]?.insert([1: .integer(0), 2: .text("")], stamp)
    shown[row] = SyncRecord(row: row, sequence: 0)
    for (field, value) in [1: SyncValue.integer(0), 2: .text("")] {
      shown[row]?.fields[field] = SyncField(value: value, stamp: stamp, sequence: 0)
    }
  }

  package mutating func write(_ value: SyncValue, to field: Int, of row: SyncRowID, now: UInt64) {
    let stamp = clock.stamp(now: now)
    replicas[row]?.write(value, to: field, former: shown[row]?.fields[field]?.value ?? .null, stamp)
    shown[row]?.fields[field] = SyncField(value: value, stamp: stamp, sequence: 0)
  }

  package mutating func delete(_ row: SyncRowID, now: UInt64) {
    let stamp = clock.stamp(now: now)
    replicas[row]?.delete(stamp)
    shown[row]?.deletion = SyncDeletion(stamp: stamp, sequence: 0)
  }

  // MARK: - What it sends and gets

  /// The same push until it is answered.
  package mutating func push() -> SyncPush? {
    if let outstanding { return outstanding }
    let edits = replicas.keys.sorted().compactMap { replicas[$0]?.send() }
    if edits.isEmpty { return nil }
    pushes += 1
    outstanding = SyncPush(site: site, number: pushes, edits: edits)
    return outstanding
  }

  package mutating func receive(_ answer: SyncPushAnswer) {
    guard answer.number == outstanding?.number else { return }
    for record in answer.records { receive(record, includesSent: true) }
    outstanding = nil
  }

  package mutating func receive(_ page: SyncPage) {
    for record in page.records {
      receive(record, includesSent: outstanding.map { $0.number <= page.taken.number } ?? false)
    }
    // It may have been on its way while a later one came.
    cursor = max(cursor, page.cursor)
  }

  private mutating func receive(_ record: SyncRecord, includesSent: Bool) {
    for field in record.fields.values { clock.see(field.stamp) }
    if let deletion = record.deletion { clock.see(deletion.stamp) }
    var replica = replicas[record.row] ?? SyncReplica(row: record.row)
    if let received = replica.receive(record, includesSent: includesSent, Self.rules) {
      shown[record.row] = received.shown
      conflicts += received.conflicts.count
    }
    replicas[record.row] = replica
  }
}
