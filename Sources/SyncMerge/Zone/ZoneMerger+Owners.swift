// Rows that another one takes along by a relationship of its own, as they need not refer to it.
//
// When one is deleted, all that refer to it let go of it. It remembers its owners, as one of them may turn out to stay: the
// owner's deletion may come in a later push, or be refused.
extension ZoneMerger {
  /// The rows that a row's deletion takes along.
  func owned(_ record: SyncRecord) -> [SyncRowID] {
    takingAlong(record).flatMap { record.fields[$0]?.value.references ?? [] }
  }

  /// The fields of a row that take along what they refer to.
  private func takingAlong(_ record: SyncRecord) -> [Int] {
    registry.references(of: record.row.entity).filter { $0.value.takesAlong == true }.keys.sorted()
  }

  /// The fields of a row that do not have it go with what they refer to.
  private func lettingGo(_ record: SyncRecord) -> [Int] {
    registry.references(of: record.row.entity).filter { $0.value.deleteRule == .nullify }.keys.sorted()
  }

  /// Notes which rows take along one that is gone, before they let go of it; of one that the zone took along all that refer to it, as
  /// its device may have moved it away, of which a later push tells.
  mutating func noteOwners(of gone: SyncRecord, among referrers: [SyncRowID]) throws {
    let isTaken = gone.deletion?.isTaken ?? false
    guard isTaken || cascading.owned.contains(gone.row.entity) else { return }
    var noted = gone
    var known = Set(gone.owners)
    for referrer in referrers {
      guard let record = try storage.record(referrer), record.deletion == nil else { continue }
      for field in isTaken ? lettingGo(record) : takingAlong(record)
      where record.fields[field]?.value.references.contains(gone.row) ?? false {
        let owner = SyncOwner(row: referrer, field: field)
        if known.insert(owner).inserted { noted.owners.append(owner) }
      }
    }
    if noted != gone { try put(noted, was: gone) }
  }

  /// Has the rows that let go of one refer to it again, unless they refer to another by now. That is nobody's edit either.
  mutating func giveBack(_ row: SyncRowID, to owners: [SyncOwner]) throws {
    for owner in owners {
      guard let record = try storage.record(owner.row), record.deletion == nil, let field = record.fields[owner.field]
      else { continue }
      let isList = registry.rules(of: owner.row.entity).policy(of: owner.field) == .set
      let value: SyncValue
      switch field.value {
      case .null: value = isList ? .list([.row(row)]) : .row(row)
      case .list(let elements) where !elements.contains(.row(row)): value = .list(elements + [.row(row)])
      default: continue
      }
      var changed = record
      var given = SyncField(value: value, stamp: field.stamp, sequence: head + 1)
      given.otherSequence = field.otherSequence
      changed.fields[owner.field] = given
      try put(changed, besides: record)
    }
  }
}
