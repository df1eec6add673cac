// Relationships: what the deletion of a row does to those that refer to it.
extension ZoneMerger {
  /// Sees to it that a row refers to none that is gone, and none refers to it if it is.
  mutating func followReferences(of row: SyncRowID) throws {
    guard let record = try storage.record(row) else { return }
    if let deletion = record.deletion {
      if deletion.mergedInto != nil { return }
      for referrer in try storage.referrers(to: row) {
        guard let other = try storage.record(referrer), other.deletion == nil else { continue }
        // It may be there again.
        guard let gone = try storage.record(row), gone.deletion != nil else { return }
        try follow(gone, in: other)
      }
      return
    }
    for other in record.references {
      guard let gone = try storage.record(other), let deletion = gone.deletion, deletion.mergedInto == nil,
        let present = try storage.record(row), present.deletion == nil
      else { continue }
      try follow(gone, in: present)
    }
  }

  /// Does what a row's relationships to one that is gone say.
  private mutating func follow(_ gone: SyncRecord, in record: SyncRecord) throws {
    guard let deletion = gone.deletion else { return }
    let references = registry.references(of: record.row.entity)
    let fields = record.fields.filter { $0.value.value.references.contains(gone.row) }.keys
    let found = fields.compactMap { number in references[number].map { (number, $0) } }
    if found.isEmpty { return }
    let isNeeded = found.contains { $1.deleteRule == .deny || $1.deleteRule == .nullify && $1.isRequired }
    if isNeeded || registry.rules(of: gone.row.entity).deletion == .editWins || kept.contains(record.row) {
      return try bringBack(gone, for: record)
    }
    if found.contains(where: { $1.deleteRule == .cascade }) {
      if let seen = record.fields.values.map(\.stamp).max() {
        note(record.row, .client, server: seen, client: deletion.stamp)
      }
      var taken = record
      taken.deletion = SyncDeletion(stamp: deletion.stamp, sequence: head + 1)
      return try put(taken, was: record)
    }
    let numbers = Set(found.map(\.0))
    try replace(gone.row, by: .null, in: record, where: numbers.contains, deletion.stamp)
  }

  /// Has a row there again that others must have.
  private mutating func bringBack(_ gone: SyncRecord, for other: SyncRecord) throws {
    guard let deletion = gone.deletion else { return }
    kept.insert(gone.row)
    note(gone.row, .server, server: other.fields.values.map(\.stamp).max() ?? deletion.stamp, client: deletion.stamp)
    var record = gone
    record.deletion = nil
    try put(record, was: gone)
    try claim(record.row, mayRevert: false)
    try bringBackTaken(with: record, deletion.stamp)
  }

  /// Has those there again that went with a row which did not go after all: in this push, or taken along by the zone.
  mutating func bringBackTaken(with record: SyncRecord, _ stamp: SyncStamp) throws {
    for row in try storage.referrers(to: record.row) + changed where !kept.contains(row) {
      guard let taken = try storage.record(row), let deletion = taken.deletion, deletion.mergedInto == nil,
        deletion.stamp == stamp || touched.contains(row) && before(row)?.deletion == nil
      else { continue }
      let before = before(row) ?? taken
      let references = registry.references(of: row.entity)
      let wentAlong = before.fields.contains { number, field in
        references[number]?.deleteRule == .cascade && field.value.references.contains(record.row)
      }
      if wentAlong { try bringBack(taken, for: record) }
    }
  }

  private mutating func note(
    _ row: SyncRowID, _ outcome: SyncConflict.Outcome, server: SyncStamp, client: SyncStamp
  ) {
    conflicts.append(
      SyncConflict(
        row: row, field: nil, server: SyncStampedValue(value: .null, stamp: server),
        client: SyncStampedValue(value: .null, stamp: client), outcome: outcome))
  }
}
