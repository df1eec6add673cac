// Rows that another one takes along by a relationship of its own, as they need not refer to it.
//
// One that is deleted is let go of by all that refer to it. It keeps who took it along, as that one may turn out to stay: its
// deletion comes in a later push, or the zone refuses it.
extension ZoneMerger {
  /// The rows that a row's deletion takes along.
  func owned(_ record: SyncRecord) -> [SyncRowID] {
    registry.references(of: record.row.entity).filter { $0.value.takesAlong == true }.keys.sorted()
      .flatMap { record.fields[$0]?.value.references ?? [] }
  }

  /// Notes whose fields are about to let go of a row that is gone.
  mutating func noteOwner(_ owner: SyncRowID, _ fields: [Int], of row: SyncRowID) throws {
    guard !fields.isEmpty, let gone = try storage.record(row) else { return }
    var noted = gone
    for field in fields.sorted().map({ SyncOwner(row: owner, field: $0) }) where !noted.owners.contains(field) {
      noted.owners.append(field)
    }
    if noted != gone { try put(noted, was: gone) }
  }

  /// Has the rows that let go of one refer to it again, unless they refer to another by now.
  mutating func giveBack(_ row: SyncRowID, to owners: [SyncOwner], _ stamp: SyncStamp) throws {
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
      changed.fields[owner.field] = SyncField(value: value, stamp: max(field.stamp, stamp), sequence: head + 1)
      try put(changed, besides: record)
    }
  }
}
