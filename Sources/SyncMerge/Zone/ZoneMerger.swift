/// What the edits of a push make of a zone's rows, with all that follows from them.
///
/// Edits are merged first, each by itself. What holds for rows together is looked at when all are there,
/// as a device sends what it did to several rows in one push: a row that is deleted may have been let go
/// of by all that referred to it.
struct ZoneMerger<Storage: SyncZoneStorage> {
  var storage: Storage
  let registry: SyncRegistry
  let known: KnownRules
  let referring = KnownReferences()
  /// The place of the last change.
  var head: Int64
  /// Who made the push.
  let site: UInt64
  var conflicts = ToldConflicts()
  /// The rows that were changed, in order, with what they were before the push.
  var touched: [SyncRowID] = []
  /// The rows that are to be looked at, as they were changed, or one that they refer to
  /// is gone; and where each is last.
  private var toLookAt: [SyncRowID] = []
  private var lastLook: [SyncRowID: Int] = [:]
  /// The rows that became others, whose referrers are still to refer to these. See ``redirectReferrers()``.
  var becameOthers: [SyncRowID] = []
  /// What is still to be done as rows became others, the next last. See ``claim(_:mayRevert:besides:)``.
  var merges: [MergeStep] = []
  /// The rows that refer to others than before, whose unique values are still to be claimed.
  var replaced: [SyncRowID] = []
  private var former: [SyncRowID: SyncRecord?] = [:]
  private var knownUniqueness: [Int: Set<Int>] = [:]
  /// The rows that were brought back, as others must have them: they are not deleted again.
  var kept: Set<SyncRowID> = []
  /// The rows that were gone for a while in this push, so that others may have looked past them.
  var wereGone: Set<SyncRowID> = []
  /// The rows that had another partner for a while in this push, or have, so that others may have looked past them.
  var hadOtherPartners: Set<SyncRowID> = []
  /// The rows that must have others which are gone, in order; those of them that wait; and the
  /// one that may have them back now.
  private var bringingBack: [SyncRowID] = []
  private var waitingToBringBack: Set<SyncRowID> = []
  private var bringingBackNow: SyncRowID?
  /// The rows that are there though somebody deleted them, with the deletions' stamps:
  /// others edited them, before or since.
  private var refused: [(row: SyncRowID, stamps: [SyncStamp])] = []
  /// The rows that are there though the zone took them along with one that was deleted: they were moved away.
  private var moved: [(row: SyncRowID, stamps: [SyncStamp])] = []
  /// The rows that get back unique values which they had, as other rows take theirs, with the
  /// constraints. See ``claimReplaced()``.
  var displaced: [(row: SyncRowID, reverted: Set<[Int]>)] = []
  /// The rows that went in this push, and which of them referred to a row. See ``bringBackTaken(with:isByZone:)``.
  var gone: Set<SyncRowID> = []
  var goneMembers: [SyncRowID: [SyncRowID]] = [:]
  /// How many of ``touched`` these two are made of.
  var seenTouched = 0

  /// The rows that the push deletes, and which fields let go of those of them that may stay.
  let deleted: Set<SyncRowID>
  var letGo: [SyncRowID: [SyncOwner]] = [:]
  var notedOwners: [SyncRowID: NotedOwners] = [:]
  /// What lists get back, in one go each: as many may come back as a push has. See ``giveBackLists()``.
  var returning: [SyncOwner: [SyncRowID]] = [:]

  lazy var cascading = registry.cascading
  lazy var staying = registry.staying
  /// The one-to-one relationships of the classes that were asked for. See ``partners(of:)``.
  var knownPartners: [Int: [(field: Int, reference: SyncRegistry.Reference)]] = [:]

  init(_ storage: Storage, _ registry: SyncRegistry, head: Int64, _ push: SyncPush) {
    (self.storage, self.registry, self.head, site) = (storage, registry, head, push.site)
    known = KnownRules(registry)
    deleted = Set(push.edits.filter { $0.kind == .delete }.map(\.row))
  }

  /// Merges an edit.
  mutating func take(_ edit: SyncEdit) throws {
    guard var edit = try redirected(edit) else { return }
    let record = try storage.record(edit.row)
    // To bring back a row of which nobody has heard would make one that nobody wrote.
    if record == nil, edit.kind == .update, edit.fields.isEmpty { return }
    let isDeletion = edit.kind == .delete
    let moved = record.flatMap { isMove(edit, of: $0) ? $0.deletion : nil }
    if let moved { edit.base = max(edit.base, moved.sequence) }
    if isDeletion, let record, record.deletion == nil, try hasOutlived(edit.stamp, record) {
      note(record, outlives: edit.stamp)
      edit.kind = .update
    }
    let merge = edit.merged(into: record, known.rules(of: edit.row.entity), at: head + 1)
    conflicts.append(merge.conflicts)
    if merge.isChanged { try put(merge.record, was: record) }
    guard merge.record.deletion == nil else { return }
    if let record, !deleted.isEmpty || edit.fields.contains(where: { $1.stamp.time == 0 }) {
      noteLetGo(by: merge.record, was: record, edit)
    }
    // Somebody has it back, and so all that it goes with.
    if !isDeletion, edit.fields.isEmpty, record?.deletion != nil { kept.insert(edit.row) }
    if isDeletion { refused.append((edit.row, [edit.stamp])) }
    if let moved {
      self.moved.append((edit.row, moved.stamps))
    } else if let deletion = record?.deletion {
      refused.append((edit.row, deletion.stamps))
    }
  }

  /// Whether an edit moves a row away from one that was deleted, with which the zone took this one along: nobody
  /// deleted it, and had the edit come before the deletion, it would have stayed.
  private func isMove(_ edit: SyncEdit, of record: SyncRecord) -> Bool {
    guard edit.kind != .delete, record.deletion?.isTaken ?? false else { return false }
    let references = known.references(of: edit.row.entity)
    return edit.fields.contains { number, field in
      references[number]?.deleteRule == .cascade && field.stamp.time > 0 && !field.isSentAgain
        && field.value != record.fields[number]?.value
    }
  }

  /// Sees to it that unique values and relationships are what they should be.
  mutating func finish() throws {
    try claimAll()
    try keepLetGo()
    // A deletion that is refused takes nothing along.
    let staying = try refused.compactMap { row, stamps in
      try stay(row, outliving: stamps).map { Returned($0, stamps) }
    }
    try bringBackTaken(with: staying)
    let returned = try moved.compactMap { row, stamps in try stay(row, outliving: []).map { Returned($0, stamps) } }
    try bringBackTaken(with: returned, isByZone: true)
    // What follows from a change may be a change that something follows from. A row that comes again is looked at then.
    var (next, nextToBringBack) = (0, 0)
    while true {
      try giveBackLists()
      while next < toLookAt.count {
        defer { next += 1 }
        if lastLook[toLookAt[next]] == next { try seeTo(toLookAt[next]) }
      }
      if !returning.isEmpty { continue }
      guard nextToBringBack < bringingBack.count else { break }
      // All that goes is gone by now: it needs nothing any more.
      let row = bringingBack[nextToBringBack]
      nextToBringBack += 1
      waitingToBringBack.remove(row)
      bringingBackNow = row
      try seeTo(row)
      bringingBackNow = nil
    }
    try keepNotedOwners()
  }

  private mutating func seeTo(_ row: SyncRowID) throws {
    try followReferences(of: row)
    try matchPartners(of: row)
    try claimReplaced()
  }

  /// Whether a row may have another one back that it must have; later where not, as it may still go itself.
  mutating func mayBringBack(for row: SyncRowID) -> Bool {
    if bringingBackNow == row { return true }
    if waitingToBringBack.insert(row).inserted { bringingBack.append(row) }
    return false
  }

  /// Has those refer to a row again that let go of it as it was gone. `deletions`: those that the row notes that it
  /// outlived. Returns the row, which may be another one by now; nil where it is gone after all.
  private mutating func stay(_ row: SyncRowID, outliving deletions: [SyncStamp]) throws -> SyncRecord? {
    guard let former = try storage.record(row) else { return nil }
    guard let present = former.deletion == nil ? former : try merged(row).flatMap(storage.present) else { return nil }
    var record = present
    if record.row == row { record.owners = [] }
    for deletion in deletions.reversed() { record.outlive(deletion) }
    if record != present { try put(record, was: present) }
    try giveBack(row, to: former.owners)
    return record.row == row ? record : former
  }

  /// Keeps a row as changed.
  mutating func put(_ record: SyncRecord, was: SyncRecord?) throws {
    let size = record.approximateBytes
    if size > Self.largestRow, size > was?.approximateBytes ?? 0 { throw SyncServiceError.tooLarge }
    if former[record.row] == nil {
      let unique = uniqueFields(of: record.row.entity)
      former[record.row] = .some(was?.relating(unique))
    }
    noteOtherPartners(of: record)
    touched.append(record.row)
    look(at: record.row)
    head += 1
    var record = record
    record.sequence = head
    try storage.put(record)
  }

  /// How many bytes a row may grow to: no device reads an answer of more than twice that. Pushes have their own limits.
  static var largestRow: Int { 64 << 20 }

  /// Has a row looked at, behind all that wait for that.
  mutating func look(at row: SyncRowID) {
    lastLook[row] = toLookAt.count
    toLookAt.append(row)
  }

  /// What a row was before the push, with what is unique of it and what it refers to alone;
  /// nil for one that was not there.
  func before(_ row: SyncRowID) -> SyncRecord? { former[row] ?? nil }

  func wasChanged(_ row: SyncRowID) -> Bool { former[row] != nil }

  /// The fields of a class that are part of what is unique.
  mutating func uniqueFields(of entity: Int) -> Set<Int> {
    if let known = knownUniqueness[entity] { return known }
    let found = Set(registry.uniqueness(of: entity).joined())
    knownUniqueness[entity] = found
    return found
  }

  /// The rows that were changed, each once.
  var changed: [SyncRowID] {
    var known = Set<SyncRowID>()
    return touched.filter { known.insert($0).inserted }
  }

  /// An edit of the row that another one is now, and of rows that are now others; nil
  /// where it is about nothing any more.
  private func redirected(_ edit: SyncEdit) throws -> SyncEdit? {
    var edit = edit
    // What it took out of a list too, which has the other one by now.
    for (number, field) in edit.fields where !field.value.references.isEmpty || !field.ancestor.references.isEmpty {
      edit.fields[number] = try field.redirected(merged)
    }
    guard let other = try merged(edit.row) else { return edit }
    // Whoever deleted it meant a row that nobody else had.
    if edit.kind == .delete { return nil }
    // The other one stays of its class. What the device saw of the one says nothing of what it saw of the other.
    edit.fields[SyncNumbers.classField] = nil
    for number in edit.fields.keys { edit.fields[number]?.base = 0 }
    return SyncEdit(row: other, kind: .update, base: 0, stamp: edit.stamp, fields: edit.fields)
  }

  /// The row that one is by now, which may have become another one since; nil for one that is itself.
  func merged(_ row: SyncRowID) throws -> SyncRowID? {
    guard var last = try storage.deletion(of: row)?.mergedInto, last != row else { return nil }
    var visited: Set = [row, last]
    while let next = try storage.deletion(of: last)?.mergedInto, visited.insert(next).inserted { last = next }
    return last
  }
}
