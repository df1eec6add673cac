import SyncMerge

/// A server with one row, and what it was sent.
struct Server {
  let rules: SyncRules
  private(set) var record: SyncRecord
  private(set) var sequence: Int64 = 1
  private(set) var conflicts: [SyncConflict] = []
  /// The edits that it has, so that none counts twice.
  private(set) var taken: Set<SyncStamp> = []

  init(_ rules: SyncRules, _ values: SyncFields<SyncValue>) {
    self.rules = rules
    let stamp = SyncStamp(time: 1, site: 0)
    record = SyncRecord(
      row: SyncRowID(entity: 1, site: 0, key: 1), sequence: 1,
      fields: values.mapValues { SyncField(value: $0, stamp: stamp, sequence: 1) })
  }

  mutating func take(_ edit: SyncEdit) {
    guard taken.insert(edit.stamp).inserted else { return }
    sequence += 1
    let merge = edit.merged(into: record, rules, at: sequence)
    record = merge.record
    conflicts += merge.conflicts
  }
}

/// A device that shows the row, edits it, and sends what it did some time.
struct Device {
  private(set) var shown: SyncRecord
  var replica: SyncReplica
  private(set) var clock: SyncClock
  /// The stamp of its last edit of each field.
  var pendingStamps: [Int: SyncStamp] = [:]
  /// Those that it found before the server could.
  private(set) var conflicts: [SyncConflict] = []
  let rules: SyncRules

  init(_ server: Server, site: UInt64) {
    (shown, rules) = (server.record, server.rules)
    replica = SyncReplica(row: shown.row, sequence: shown.sequence)
    clock = SyncClock(site: site, last: 1)
  }

  /// Later than what nobody knows the time of.
  private static let start: UInt64 = 1 << 40

  mutating func write(_ value: SyncValue, to field: Int, now: UInt64 = 0) {
    let stamp = clock.stamp(now: Self.start + now)
    replica.write(value, to: field, former: shown.fields[field]?.value ?? .null, stamp)
    shown.fields[field] = SyncField(value: value, stamp: stamp, sequence: replica.sequence)
    shown.deletion = nil
  }

  mutating func delete(now: UInt64 = 0) {
    let stamp = clock.stamp(now: Self.start + now)
    replica.delete(stamp)
    shown.deletion = SyncDeletion(stamp: stamp, sequence: replica.sequence)
  }

  /// Sends what there is. The server may get it late, twice, or not at all.
  mutating func send() -> SyncEdit? { replica.send() }

  /// Sends what there is, and hears of it.
  mutating func push(to server: inout Server) {
    while let edit = send() {
      server.take(edit)
      pull(server)
    }
  }

  mutating func pull(_ server: Server) {
    let record = server.record
    for field in record.fields.values { clock.see(field.stamp) }
    if let deletion = record.deletion { clock.see(deletion.stamp) }
    let includesSent = replica.sent.map { server.taken.contains($0.stamp) } ?? false
    guard let received = replica.receive(record, includesSent: includesSent, rules) else { return }
    shown = received.shown
    conflicts += received.conflicts
  }
}
