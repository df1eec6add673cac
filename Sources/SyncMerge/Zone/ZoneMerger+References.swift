// Relationships: what the deletion of a row does to those that refer to it.
extension ZoneMerger {
  /// Sees to it that a row refers to none that is gone, and that those are looked at which refer to it if it is.
  ///
  /// Each with all that it refers to, as a list may lose as many as a push deletes.
  mutating func followReferences(of row: SyncRowID) throws {
    guard let record = try storage.record(row) else { return }
    if let deletion = record.deletion {
      if deletion.mergedInto != nil { return }
      let referrers = try storage.referrers(to: row)
      try noteOwners(of: record, among: referrers)
      for referrer in referrers where try storage.deletion(of: referrer) == nil { look(at: referrer) }
      return
    }
    var (others, gone): ([SyncRowID: SyncRowID], [SyncRowID]) = ([:], [])
    for other in record.references {
      guard try storage.deletion(of: other) != nil else { continue }
      // It may have become one that became another one in its turn.
      if let last = try merged(other) { others[other] = last } else { gone.append(other) }
    }
    if !others.isEmpty { try redirect(record) { others[$0] } }
    if !gone.isEmpty { try follow(gone, of: record) }
  }

  /// Does what a row's relationships to those that are gone say.
  private mutating func follow(_ gone: [SyncRowID], of record: SyncRecord) throws {
    // What goes with one of them needs none of the others.
    let owners = owners(takingAlong: record)
    var dangling = DanglingReferences()
    for other in gone.filter(owners.contains) + gone.filter({ !owners.contains($0) }) {
      guard let present = try storage.record(record.row), present.deletion == nil else { return }
      guard let other = try storage.record(other), let deletion = other.deletion, deletion.mergedInto == nil else {
        continue
      }
      try noteOwners(of: other, among: [record.row])
      dangling.add(other.row, of: try follow(other, in: present), by: deletion.stamp.site)
    }
    guard let present = try storage.record(record.row), present.deletion == nil else { return }
    // Some may be there again, as the row or others must have them, or be others now, to which the row will refer.
    try dangling.removeAll { row in
      guard let deletion = try storage.deletion(of: row) else { return true }
      return deletion.mergedInto != nil
    }
    try nilOut(dangling, in: present)
  }

  /// The rows that a row goes with.
  private func owners(takingAlong record: SyncRecord) -> Set<SyncRowID> {
    let references = known.references(of: record.row.entity)
    return record.fields.reduce(into: []) { owners, field in
      if references[field.key]?.deleteRule == .cascade { owners.formUnion(field.value.value.references) }
    }
  }

  /// Does what a row's relationships to one that is gone say. Returns the fields that are to refer to it no more.
  private mutating func follow(_ gone: SyncRecord, in record: SyncRecord) throws -> [Int] {
    guard let deletion = gone.deletion else { return [] }
    let references = known.references(of: record.row.entity)
    let found = referring.fields(of: record, to: gone.row).compactMap { number in
      references[number].map { (number, $0) }
    }
    .filter { $1.deleteRule != .noAction }
    if found.isEmpty { return [] }
    let isNeeded = found.contains { $1.deleteRule.keepsRow(isRequired: $1.isRequired) }
    // A program that does not have the relationship says of none of its rows that it let go.
    let isEdited =
      known.rules(of: gone.row.entity).deletion == .editWins
      && found.contains { number, _ in !registry.isDropped(number, of: record.row.entity) }
    // What stays though a deletion was to take it does not go with another one that this took.
    let isKept =
      found.contains { $1.deleteRule == .cascade }
      && (kept.contains(record.row) || deletion.stamps.contains(where: record.outlived.contains))
    if isNeeded || isEdited || isKept {
      if mayBringBack(for: record.row) { try bringBack(gone, for: record) }
      return []
    }
    if found.contains(where: { $1.deleteRule == .cascade }) {
      if let seen = record.fields.values.map(\.stamp).max() {
        note(record.row, isDeleted: true, edit: seen, with: gone, deletion)
      }
      var taken = record
      taken.deletion = SyncDeletion(stamp: deletion.stamp, sequence: head + 1)
      taken.deletion?.isTaken = true
      taken.deletion?.others = deletion.others
      try release(record)
      try put(taken, was: record)
      return []
    }
    return found.map(\.0)
  }

  /// A row that is there after all, without large values, and the stamps of deletions that were to
  /// take it, with which others went.
  struct Returned {
    let record: SyncRecord
    let stamps: [SyncStamp]

    init(_ record: SyncRecord, _ stamps: [SyncStamp]) {
      (self.record, self.stamps) = (record.withoutLargeValues, stamps)
    }
  }

  /// Has a row there again that others must have, with those that it took along.
  private mutating func bringBack(_ gone: SyncRecord, for other: SyncRecord) throws {
    if let back = try bringBackAlone(gone, for: other) { try bringBackTaken(with: [back]) }
  }

  /// `isByZone`: whether it comes with a row that was moved away, so that nobody must have
  /// it: it goes with that one again.
  private mutating func bringBackAlone(
    _ gone: SyncRecord, for other: SyncRecord, isByZone: Bool = false
  ) throws -> Returned? {
    guard let deletion = gone.deletion else { return nil }
    wereGone.insert(gone.row)
    if !isByZone { kept.insert(gone.row) }
    let edit = other.fields.values.map(\.stamp).max() ?? deletion.stamp
    note(gone.row, isDeleted: false, edit: edit, with: gone, deletion)
    var record = gone
    (record.deletion, record.owners) = (nil, [])
    let owners = owners(of: gone)
    notedOwners[gone.row] = nil
    if !isByZone { for stamp in deletion.stamps.reversed() { record.outlive(stamp) } }
    try put(record, was: gone)
    try claim(record.row, mayRevert: false)
    try giveBack(record.row, to: owners)
    return Returned(record, deletion.stamps)
  }

  /// Has those there again that went with a row which did not go after all: in this push, in one
  /// before, or taken along by the zone.
  ///
  /// No recursion, as a chain of such rows may be as long as the zone. `isByZone`: whether only those
  /// are meant that nobody deleted.
  mutating func bringBackTaken(with rows: [Returned], isByZone: Bool = false) throws {
    var waiting = rows.filter { cascading.owners.contains($0.record.row.entity) }
    if waiting.isEmpty { return }
    try noteGone()
    while let returned = waiting.popLast() {
      let record = returned.record
      let owned = owned(record)
      let isOwned = Set(owned).contains
      let present = try merged(record.row) ?? record.row
      // What referred to it may still have to be redirected.
      let former = present == record.row ? [] : try storage.referrers(to: record.row)
      let members = try storage.referrers(to: present) + former + (goneMembers[record.row] ?? []) + owned
      for row in members where !kept.contains(row) {
        guard let taken = try storage.record(row), let deletion = taken.deletion, deletion.mergedInto == nil,
          deletion.isTaken || !isByZone,
          // What was deleted by itself stays so, and what goes with another one that is gone.
          deletion.stamps.contains(where: returned.stamps.contains) || deletion.isTaken && gone.contains(row),
          try !goesWithAnother(taken, than: [record.row, present], of: returned.stamps)
        else { continue }
        let before = before(row) ?? taken
        let references = known.references(of: row.entity)
        let wentAlong =
          isOwned(row) || owners(of: taken).contains { $0.row == record.row && takesAlong($0) }
          || before.fields.contains { number, field in
            references[number]?.deleteRule == .cascade && field.value.references.contains(record.row)
          }
        if wentAlong, let back = try bringBackAlone(taken, for: record, isByZone: isByZone) { waiting.append(back) }
      }
    }
  }

  /// Whether a row goes with one that is gone, besides some, and that other deletions took: those
  /// of one save come back together.
  private func goesWithAnother(
    _ taken: SyncRecord, than rows: [SyncRowID], of stamps: [SyncStamp]
  ) throws -> Bool {
    try owners(takingAlong: taken).contains { owner in
      guard !rows.contains(owner), let deletion = try storage.deletion(of: owner) else { return false }
      return deletion.mergedInto == nil && !deletion.stamps.contains(where: stamps.contains)
    }
  }

  /// Notes the rows that went in this push, by those that they referred to before it: what was changed since it was
  /// called last, as it may be called for each row of a push.
  private mutating func noteGone() throws {
    while seenTouched < touched.count {
      let row = touched[seenTouched]
      seenTouched += 1
      guard let record = try storage.record(row), record.deletion != nil, before(row)?.deletion == nil,
        gone.insert(row).inserted
      else { continue }
      for owner in (before(row) ?? record).references { goneMembers[owner, default: []].append(row) }
    }
  }

  /// Whether a deletion is part of one that a row outlived, so that this row, which that took along, is to stay too.
  ///
  /// A save's deletions have one stamp, in however many pushes they come.
  mutating func hasOutlived(_ deletion: SyncStamp, _ record: SyncRecord) throws -> Bool {
    if record.outlived.contains(deletion) { return true }
    let references = known.references(of: record.row.entity)
    let owners = record.fields.filter { references[$0.key]?.deleteRule == .cascade }.values.flatMap(\.value.references)
    if try owners.contains(where: { try self.record($0, hasOutlived: deletion) != nil }) { return true }
    guard cascading.owned.contains(record.row.entity) else { return false }
    return try storage.referrers(to: record.row).contains { row in
      try self.record(row, hasOutlived: deletion).map { takesAlong($0, record.row) } ?? false
    }
  }

  /// A row that is there though a deletion was to take it; nil for any other.
  private func record(_ row: SyncRowID, hasOutlived deletion: SyncStamp) throws -> SyncRecord? {
    try storage.present(row).flatMap { $0.outlived.contains(deletion) ? $0 : nil }
  }

  /// Notes that a row stays which an edit deletes.
  mutating func note(_ record: SyncRecord, outlives deletion: SyncStamp) {
    let seen = record.fields.values.map(\.stamp).max() ?? deletion
    conflicts.append(
      SyncConflict(
        row: record.row, field: nil, server: SyncStampedValue(value: .null, stamp: seen),
        client: SyncStampedValue(value: .null, stamp: deletion), outcome: .server))
  }

  /// Notes that a deletion met an edit. `isDeleted`: whether the row is gone, with one that was deleted.
  private mutating func note(
    _ row: SyncRowID, isDeleted: Bool, edit: SyncStamp, with gone: SyncRecord, _ deletion: SyncDeletion
  ) {
    // The push deletes it, or refers to what others had deleted.
    let isOwn = before(gone.row).map { $0.deletion == nil } ?? false || deletion.stamp.site == site
    let (server, client) = isOwn ? (edit, deletion.stamp) : (deletion.stamp, edit)
    conflicts.append(
      SyncConflict(
        row: row, field: nil, server: SyncStampedValue(value: .null, stamp: server),
        client: SyncStampedValue(value: .null, stamp: client), outcome: isDeleted == isOwn ? .client : .server))
  }
}
