// One-to-one relationships: each of two rows refers to the other, or neither does.
//
// Two devices may give one row two partners. Whichever side was written last decides, as with any other field; the side
// that does not agree follows it.
extension ZoneMerger {
  /// Sees to it that a row's partners have it, and those that refer to it as theirs are its partners.
  mutating func matchPartners(of row: SyncRowID) throws {
    let partners = partners(of: row.entity)
    if partners.isEmpty { return }
    guard wasChanged(row), let record = try storage.record(row), record.deletion == nil else { return }
    // Where its partners are the same, those that changed see to theirs: any number of rows may refer
    // to it by another relationship.
    if let before = before(row), before.deletion == nil, !wereGone.contains(row), !hadOtherPartners.contains(row) {
      return
    }
    for (number, _) in partners {
      if case .row(let other)? = record.fields[number]?.value { try match(row, number, other) }
    }
    // Of other classes any number of rows may refer to it.
    for entity in Set(partners.map(\.reference.destination)).sorted() {
      for referrer in try storage.referrers(to: row, of: entity) {
        for (number, _) in self.partners(of: entity) { try match(referrer, number, row) }
      }
    }
  }

  /// Notes that a row has other partners than before the push, if it has.
  mutating func noteOtherPartners(of record: SyncRecord) {
    guard let before = before(record.row) else { return }
    func partner(_ field: Int, of record: SyncRecord) -> SyncValue { record.fields[field]?.value ?? .null }
    let isOther = partners(of: record.row.entity).contains {
      partner($0.field, of: before) != partner($0.field, of: record)
    }
    if isOther { hadOtherPartners.insert(record.row) }
  }

  /// The one-to-one relationships of a class, as they are asked for with each row.
  private mutating func partners(of entity: Int) -> [(field: Int, reference: SyncRegistry.Reference)] {
    if let known = knownPartners[entity] { return known }
    let found = registry.partners(of: entity)
    knownPartners[entity] = found
    return found
  }

  /// Has `other`, which a row's field refers to, refer back, or the row to none.
  private mutating func match(_ row: SyncRowID, _ number: Int, _ other: SyncRowID) throws {
    guard let record = try storage.record(row), record.deletion == nil, let field = record.fields[number],
      field.value == .row(other), let partner = try storage.record(other), partner.deletion == nil,
      let reference = known.references(of: row.entity)[number], let inverse = reference.inverse
    else { return }
    let back = partner.fields[inverse]
    if back?.value == .row(row) { return }
    if let back, back.stamp >= field.stamp, try !refersToGone(back), !reference.isRequired || back.value != .null {
      if reference.isRequired { return }
      // As nobody wrote it there: whatever anybody writes who does not know of it comes before it.
      try set(.null, number, of: record, .first(of: back.stamp.site))
    } else if try isTaken(.row(row), inverse, of: partner) {
      if reference.isRequired { return }
      try set(.null, number, of: record, .first(of: field.stamp.site))
    } else {
      try set(.row(row), inverse, of: partner, field.stamp)
      // Whoever has been its partner in between refers to it still, though it may have
      // the one again that it had before.
      if case .row(let former)? = back?.value { try match(former, number, other) }
    }
  }

  /// Whether a value is unique, and another row than the one that is to have it has it.
  private func isTaken(_ value: SyncValue, _ number: Int, of row: SyncRecord) throws -> Bool {
    var wanted = row
    wanted.fields[number] = SyncField(value: value, stamp: .first(of: 0), sequence: 0)
    return try registry.uniqueness(of: row.row.entity).contains { fields in
      guard fields.contains(number), let claim = SyncClaim(wanted, fields, registry) else { return false }
      return try storage.holder(of: claim, registry).map { $0 != row.row } ?? false
    }
  }

  /// Whether a field refers to a row that is gone, of which its own row is still to be told.
  private func refersToGone(_ field: SyncField) throws -> Bool {
    guard case .row(let row) = field.value, let deletion = try storage.deletion(of: row) else { return false }
    return deletion.mergedInto == nil
  }

  private mutating func set(_ value: SyncValue, _ number: Int, of record: SyncRecord, _ stamp: SyncStamp) throws {
    var changed = record
    changed.fields[number] = SyncField(value: value, stamp: stamp, sequence: head + 1)
    try put(changed, besides: record)
  }
}
