// Rows that another one takes along by a relationship of its own, as they need not refer to it.
//
// When one is deleted, all that refer to it let go of it. It remembers its owners, as one of them may turn out to stay:
// the owner's deletion may come in a later push, or be refused.
extension ZoneMerger {
  /// Owners of a row that the zone has yet to keep.
  struct NotedOwners {
    var known: Set<SyncOwner>
    private(set) var new: [SyncOwner] = []

    init(known: Set<SyncOwner>) { self.known = known }

    mutating func add(_ owner: SyncOwner) {
      if known.insert(owner).inserted { new.append(owner) }
    }
  }

  /// The rows that a row's deletion takes along.
  func owned(_ record: SyncRecord) -> [SyncRowID] {
    takingAlong(record).flatMap { record.fields[$0]?.value.references ?? [] }
  }

  /// The fields of a row that take along what they refer to.
  private func takingAlong(_ record: SyncRecord) -> [Int] {
    known.references(of: record.row.entity).filter { $0.value.takesAlong == true }.keys.sorted()
  }

  /// Whether a row's deletion takes along what one of its fields refers to.
  func takesAlong(_ owner: SyncOwner) -> Bool {
    known.references(of: owner.row.entity)[owner.field]?.takesAlong == true
  }

  /// Whether a row's deletion takes another one along.
  func takesAlong(_ owner: SyncRecord, _ row: SyncRowID) -> Bool {
    let references = known.references(of: owner.row.entity)
    return referring.fields(of: owner, to: row).contains { references[$0]?.takesAlong == true }
  }

  /// Notes which of a row's fields let go of rows that are deleted by the push, or by another push of the
  /// same save. These rows may stay.
  mutating func noteLetGo(by record: SyncRecord, was former: SyncRecord, _ edit: SyncEdit) {
    for field in lettingGo(record) {
      guard let before = former.fields[field]?.value.references, !before.isEmpty else { continue }
      let letGo = Set(edit.fields[field].flatMap { $0.stamp.time == 0 ? $0.ancestor.references : nil } ?? [])
      let gone = before.filter { (letGo.contains($0) || deleted.contains($0)) && staying.contains($0.entity) }
      if gone.isEmpty { continue }
      let present = Set(record.fields[field]?.value.references ?? [])
      for row in gone where !present.contains(row) {
        self.letGo[row, default: []].append(SyncOwner(row: record.row, field: field, isLoose: !deleted.contains(row)))
      }
    }
  }

  /// Keeps that with these rows, whether they are gone or stay.
  mutating func keepLetGo() throws {
    for (row, owners) in letGo.sorted(by: { $0.key < $1.key }) {
      guard let record = try storage.record(row) else { continue }
      var noted = record
      let known = Set(record.owners)
      noted.owners += owners.filter { !known.contains($0) }
      if noted == record { continue }
      // Devices never get owners, so a row that is otherwise as before is not sent to them again.
      if deleted.contains(row) { try put(noted, was: record) } else { try storage.put(noted) }
    }
  }

  /// The fields of a row that do not have it go with what they refer to.
  private func lettingGo(_ record: SyncRecord) -> [Int] {
    known.references(of: record.row.entity).filter { $0.value.deleteRule == .nullify }.keys.sorted()
  }

  /// Notes which rows take along one that is gone, before they let go of it; all that refer to one which may be there
  /// again, and to one that the zone took along, as its device may have moved it away, of which a later push tells.
  mutating func noteOwners(of gone: SyncRecord, among referrers: [SyncRowID]) throws {
    let isAny = gone.deletion?.isTaken ?? false || staying.contains(gone.row.entity)
    guard isAny || cascading.owned.contains(gone.row.entity) else { return }
    if notedOwners[gone.row] == nil { notedOwners[gone.row] = NotedOwners(known: Set(gone.owners)) }
    for referrer in referrers {
      guard let record = try storage.present(referrer) else { continue }
      let fields = referring.fields(of: record, to: gone.row)
      for field in isAny ? lettingGo(record) : takingAlong(record) where fields.contains(field) {
        let owner = SyncOwner(row: referrer, field: field)
        notedOwners[gone.row]?.add(owner)
      }
    }
  }

  /// What a row has as its owners, with what was noted since it was kept.
  func owners(of record: SyncRecord) -> [SyncOwner] { record.owners + (notedOwners[record.row]?.new ?? []) }

  /// Keeps the owners that were noted. At the end, each row once: a row may have as many as there are rows.
  mutating func keepNotedOwners() throws {
    for (row, owners) in notedOwners.sorted(by: { $0.key < $1.key }) where !owners.new.isEmpty {
      guard let record = try storage.record(row), record.deletion != nil else { continue }
      var noted = record
      noted.owners = self.owners(of: record)
      try put(noted, was: record)
    }
    notedOwners = [:]
  }

  /// Has the rows that let go of one refer to it again, or to the one that it is by now, unless they refer to
  /// another. That is nobody's edit either.
  mutating func giveBack(_ row: SyncRowID, to owners: [SyncOwner]) throws {
    let row = try merged(row) ?? row
    try tellAgain(ofReferrersTo: row)
    for owner in owners {
      // It may be another one by now, too.
      guard let record = try storage.record(try merged(owner.row) ?? owner.row), record.deletion == nil,
        let field = record.fields[owner.field], !owner.isLoose || field.stamp.time == 0
      else { continue }
      let isList = known.rules(of: owner.row.entity).policy(of: owner.field) == .set
      switch field.value {
      case .null where !isList: try give(.row(row), to: owner.field, of: record)
      case .null, .list: returning[SyncOwner(row: record.row, field: owner.field), default: []].append(row)
      default: continue
      }
    }
  }

  /// Has lists refer again to the rows that came back.
  mutating func giveBackLists() throws {
    let lists = returning.sorted { ($0.key.row, $0.key.field) < ($1.key.row, $1.key.field) }
    returning = [:]
    for (owner, rows) in lists {
      guard let record = try storage.record(try merged(owner.row) ?? owner.row), record.deletion == nil else {
        continue
      }
      let elements: [SyncValue]
      switch record.fields[owner.field]?.value {
      case .null?: elements = []
      case .list(let present)?: elements = present
      default: continue
      }
      var present = Set(elements)
      let new = try rows.map { SyncValue.row(try merged($0) ?? $0) }.filter { present.insert($0).inserted }
      if !new.isEmpty { try give(.list(elements + new), to: owner.field, of: record) }
    }
  }

  private mutating func give(_ value: SyncValue, to number: Int, of record: SyncRecord) throws {
    guard let field = record.fields[number] else { return }
    var changed = record
    var given = SyncField(value: value, stamp: field.stamp, sequence: head + 1)
    given.otherSequence = field.otherSequence
    // Nobody has seen it without.
    if field.stamp.time == 0, let before = before(record.row)?.fields[number], before.value == value { given = before }
    changed.fields[number] = given
    try put(changed, besides: record)
  }

  /// Has devices told once more of those that refer to a row and never let go of it (`.noAction`): a device that saw it
  /// gone shows nothing in its place.
  private mutating func tellAgain(ofReferrersTo row: SyncRowID) throws {
    for referrer in try storage.referrers(to: row) where !wasChanged(referrer) {
      guard let record = try storage.present(referrer) else { continue }
      let references = known.references(of: referrer.entity)
      let isLeftAlone = referring.fields(of: record, to: row).contains {
        (references[$0]?.deleteRule ?? .noAction) == .noAction
      }
      if isLeftAlone { try put(record, was: record) }
    }
  }
}
