/// Where a zone's rows are. A server calls it within one transaction of its own.
package protocol SyncZoneStorage {
  /// The place of the zone's last change.
  var place: SyncPlace { get throws }
  /// What told the push that ended at a sequence; nil where none did.
  func mark(at sequence: Int64) throws -> UInt64?
  /// The sequence of the first place of which the zone still knows what told it; 0 where it knows that of all.
  var oldestPlace: Int64 { get throws }
  /// Keeps the zone's last place.
  mutating func setPlace(_ place: SyncPlace) throws
  func record(_ row: SyncRowID) throws -> SyncRecord?
  /// What is known of a row without its values, which may be large; nil for a row that never was there.
  func state(of row: SyncRowID) throws -> SyncRowState?
  /// A row that is there and whose last change is behind a place; nil for any other.
  func record(_ row: SyncRowID, behind sequence: Int64) throws -> SyncRecord?
  /// The rows whose last change is behind a place, in the zone's order.
  func records(behind sequence: Int64, limit: Int) throws -> [SyncRecord]
  /// Tells of each row that is there, in any order, with the place of its last change.
  func forEachRow(_ body: (SyncRowID, Int64) -> Void) throws
  /// Keeps a row, and which others it refers to.
  mutating func put(_ record: SyncRecord) throws
  /// The rows that refer to one, those that are deleted too.
  func referrers(to row: SyncRowID) throws -> [SyncRowID]
  /// Those of one class.
  func referrers(to row: SyncRowID, of entity: Int) throws -> [SyncRowID]
  /// The row that has unique values; nil for none.
  func claimant(of claim: SyncClaim) throws -> SyncRowID?
  /// Keeps which row has unique values; nil for none.
  mutating func setClaimant(of claim: SyncClaim, to row: SyncRowID?) throws
  /// nil for none.
  func lastPush(of site: UInt64) throws -> SyncTakenPush?
  /// Which one that is; ``SyncPushID/none`` for none.
  func lastPushID(of site: UInt64) throws -> SyncPushID
  mutating func setLastPush(of site: UInt64, to push: SyncTakenPush) throws
  var registry: SyncRegistry { get throws }
  mutating func setRegistry(_ registry: SyncRegistry) throws
}

/// What is known of a row without its values.
package struct SyncRowState: Hashable, Sendable {
  /// The place of the row's last change in the order of its zone.
  package var sequence: Int64
  package var isDeleted: Bool

  package init(sequence: Int64, isDeleted: Bool) { (self.sequence, self.isDeleted) = (sequence, isDeleted) }

  package init(_ record: SyncRecord) { self.init(sequence: record.sequence, isDeleted: record.deletion != nil) }
}

extension SyncZoneStorage {
  /// The deletion of a row that is gone; nil for any other. A list may refer to thousands that are there.
  func deletion(of row: SyncRowID) throws -> SyncDeletion? {
    try state(of: row)?.isDeleted ?? false ? try record(row)?.deletion : nil
  }

  /// A row that is there; nil for any other.
  func present(_ row: SyncRowID) throws -> SyncRecord? {
    try state(of: row)?.isDeleted ?? true ? nil : try record(row)
  }
}

/// Rows whose edits are put in one order.
package struct SyncZone<Storage: SyncZoneStorage> {
  package var storage: Storage
  package let limits: SyncLimits
  /// How many milliseconds devices' clocks may be ahead.
  private let tolerance: UInt64
  /// After how many bytes an answer to a push has no more rows.
  private let answerBytes: Int

  package init(
    _ storage: Storage, limits: SyncLimits = SyncLimits(), tolerance: UInt64 = 60_000,
    answerBytes: Int = SyncWire.pageBytes
  ) {
    (self.storage, self.limits, self.tolerance, self.answerBytes) = (storage, limits, tolerance, answerBytes)
  }

  /// Takes a push, once however often it comes.
  ///
  /// - Parameters:
  ///   - push: what a device sent.
  ///   - now: milliseconds since 1970.
  /// - Returns: the rows as they are now, and what the push met.
  /// - Throws: ``SyncZoneError``, and nothing is changed then; what the storage throws.
  package mutating func take(_ push: SyncPush, now: UInt64) throws -> SyncPushAnswer {
    try check(push.seen)
    var last = try storage.lastPush(of: push.site) ?? SyncTakenPush(number: 0, identity: 0)
    guard push.number <= last.number + 1 else { throw SyncZoneError.missingPush(last.number + 1) }
    if push.number == last.number + 1 {
      try check(push, now)
      last = SyncTakenPush(number: push.number, identity: push.identity, conflicts: try merge(push))
      try storage.setLastPush(of: push.site, to: last)
    } else if push.number < last.number || push.identity != last.identity {
      throw SyncZoneError.otherPush
    }
    let (records, rest) = try records(of: push)
    return SyncPushAnswer(
      number: push.number, records: records, rest: rest, conflicts: last.conflicts, place: try storage.place)
  }

  /// The first of the rows that a push is about, as many as an answer has room for, and the sequence behind which the
  /// others are. The device reads those page by page.
  private func records(of push: SyncPush) throws -> (records: [SyncRecord], rest: Int64?) {
    var (records, bytes): ([SyncRecord], Int) = ([], 0)
    var rest: Int64?
    for edit in push.edits {
      guard bytes < answerBytes else {
        if let state = try storage.state(of: edit.row) { rest = min(rest ?? .max, state.sequence - 1) }
        continue
      }
      guard let record = try storage.record(edit.row) else { continue }
      records.append(record.told)
      bytes += record.approximateBytes
    }
    return (records, rest)
  }

  /// Whether the zone's order has a place that a device has seen, or it is the zone that the device began with.
  func has(_ place: SyncPlace) throws -> Bool {
    if place == .start { return true }
    if place.sequence == 0 { return try storage.registry.identity == place.mark }
    return try storage.mark(at: place.sequence) == place.mark
  }

  /// Whether the zone came to a place's sequence so long ago that it does not know any more what told it: nothing says
  /// that the place is of another order.
  func hasForgotten(_ place: SyncPlace) throws -> Bool {
    try place.sequence > 0 && place.sequence < storage.oldestPlace
  }

  private func check(_ place: SyncPlace) throws {
    if try !has(place) { throw SyncZoneError.unknownPlace }
  }

  private func check(_ push: SyncPush, _ now: UInt64) throws {
    let (head, registry) = (try storage.place.sequence, try storage.registry)
    for edit in push.edits {
      // An older copy of the zone was put back: it has the place, and not the class that began since.
      guard registry.knows(edit) else { throw SyncZoneError.unknownPlace }
      let latest = edit.fields.reduce(edit.stamp) { max($0, $1.value.stamp) }
      if SyncClock.isAhead(latest, now: now, tolerance: tolerance) { throw SyncZoneError.clockAhead(now: now) }
      if edit.fields.reduce(edit.base, { max($0, $1.value.base) }) > head { throw SyncZoneError.unknownPlace }
    }
  }

  /// Merges a push's edits. `first`: what is done before them.
  mutating func merge(
    _ push: SyncPush, after first: (inout ZoneMerger<Storage>) throws -> Void = { _ in }
  ) throws -> [SyncConflict] {
    let place = try storage.place
    var merger = ZoneMerger(storage, try storage.registry, head: place.sequence, push)
    try first(&merger)
    for edit in push.edits { try merger.take(edit) }
    try merger.finish()
    storage = merger.storage
    if merger.head > place.sequence { try storage.setPlace(place.after(push, endingAt: merger.head)) }
    return merger.conflicts.all
  }

  /// What changed behind a place, for one site.
  ///
  /// - Parameters:
  ///   - cursor: the sequence; 0 for all rows.
  ///   - seen: the last place that the device has seen.
  ///   - site: who asks.
  ///   - limit: the most rows, at least 1; the server's own limit where that is smaller.
  /// - Returns: the rows whose last change is behind it, the earliest first.
  /// - Throws: ``SyncZoneError/unknownPlace``; what the storage throws.
  package func page(
    behind cursor: Int64, seen: SyncPlace = .start, for site: UInt64, limit: Int
  ) throws -> SyncPage {
    try check(seen)
    let place = try storage.place
    guard cursor <= place.sequence else { throw SyncZoneError.unknownPlace }
    let records = try storage.records(behind: cursor, limit: min(max(1, limit), limits.rows))
    let end = records.last?.sequence ?? place.sequence
    let others = end == place.sequence ? [] : try referred(by: records, behind: end)
    return SyncPage(
      records: (records + others).map(\.told), cursor: end, isLast: end == place.sequence,
      taken: try storage.lastPushID(of: site), place: place)
  }

  /// The rows that others refer to, and that changed behind a place, as many as have room in a page: without them none
  /// of the others could be shown until the page that they come with.
  private func referred(by records: [SyncRecord], behind sequence: Int64) throws -> [SyncRecord] {
    var known = Set(records.map(\.row))
    var bytes = records.reduce(0) { $0 + $1.approximateBytes }
    var (found, waiting): ([SyncRecord], [SyncRowID]) = ([], records.flatMap(\.references))
    while bytes < answerBytes, let row = waiting.popLast() {
      guard known.insert(row).inserted, let record = try storage.record(row, behind: sequence) else { continue }
      found.append(record)
      waiting += record.references
      bytes += record.approximateBytes
    }
    return found.sorted { $0.sequence < $1.sequence }
  }
}
