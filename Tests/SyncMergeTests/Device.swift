import SyncMerge

/// A server with one row, and what it was sent.
struct Server {
  let rules: SyncRules
  private(set) var record: SyncRecord
  private(set) var sequence: Int64 = 1
  private(set) var conflicts: [SyncConflict] = []
  /// The edits that it has, so that none counts twice.
  private(set) var taken: Set<SyncStamp> = []

  init(_ rules: SyncRules, _ values: [Int: SyncValue]) {
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
  private(set) var known: SyncRecord
  /// On its way to the server, or to be sent again.
  private(set) var sent: SyncEdit?
  private(set) var pending: SyncEdit?
  private(set) var clock: SyncClock
  /// Those that it found before the server could.
  private(set) var conflicts: [SyncConflict] = []
  let rules: SyncRules

  init(_ server: Server, site: UInt64) {
    (known, rules) = (server.record, server.rules)
    clock = SyncClock(site: site, last: 1)
  }

  var isDone: Bool { pending == nil && sent == nil }

  /// The row with the device's own edits.
  var shown: SyncRecord { pending?.merged(into: base, rules, at: known.sequence).record ?? base }

  /// The row with what was sent.
  private var base: SyncRecord { sent?.merged(into: known, rules, at: known.sequence).record ?? known }

  mutating func write(_ value: SyncValue, to field: Int, now: UInt64 = 0) {
    let stamp = clock.stamp(now: now)
    var edit = pending ?? SyncEdit(row: known.row, kind: .update, base: known.sequence, stamp: stamp)
    edit.write(value, to: field, stamp, seeing: base)
    pending = edit
  }

  mutating func delete(now: UInt64 = 0) {
    let (base, fields) = (pending?.base ?? known.sequence, pending?.fields ?? [:])
    pending = SyncEdit(row: known.row, kind: .delete, base: base, stamp: clock.stamp(now: now), fields: fields)
  }

  /// Sends what there is. The answer may get lost.
  mutating func send(to server: inout Server) {
    if sent == nil { (sent, pending) = (pending, nil) }
    if let sent { server.take(sent) }
  }

  /// Sends what there is, and hears of it.
  mutating func push(to server: inout Server) {
    while !isDone {
      send(to: &server)
      pull(server)
    }
  }

  mutating func pull(_ server: Server) {
    known = server.record
    for field in known.fields.values { clock.see(field.stamp) }
    if let deletion = known.deletion { clock.see(deletion.stamp) }
    if let edit = sent, server.taken.contains(edit.stamp) { sent = nil }
    guard let rebase = pending?.rebased(onto: base, rules) else { return }
    pending = rebase.edit
    conflicts += rebase.conflicts
  }
}
