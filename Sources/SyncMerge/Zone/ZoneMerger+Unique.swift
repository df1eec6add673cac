// Unique values.
//
// The row that had them first keeps them. A new row with the same is that row, as a save has it: its values are merged
// into the other's, and what refers to it refers to the other. A row that was there keeps the values that it had.
extension ZoneMerger {
  mutating func claimAll() throws {
    let changed = changed
    // Values that a row gives up may be taken by another in the same push.
    for row in changed { if let before = before(row) { try release(before) } }
    for row in changed { try claim(row, mayRevert: true) }
    try claimReplaced()
  }

  /// What follows as a row became another one: that one has other values to claim, for which it may become another in
  /// turn, and then what refers to the row refers to what it is by now.
  enum MergeStep {
    case claim(SyncRowID)
    case redirect(SyncRowID)
  }

  /// Claims the values of rows that got theirs back, or refer to others now. No recursion: what
  /// becomes of one may have others do so.
  mutating func claimReplaced() throws {
    while true {
      if let (row, reverted) = displaced.popLast() {
        try claim(row, mayRevert: true, besides: reverted)
      } else if let row = replaced.popLast() {
        try claim(row, mayRevert: false)
      } else if !becameOthers.isEmpty {
        try redirectReferrers()
      } else {
        return
      }
    }
  }

  /// Gives up the values of a row that goes, or becomes another one: all but those that this has too.
  mutating func release(_ record: SyncRecord, but present: SyncRecord? = nil) throws {
    for fields in registry.uniqueness(of: record.row.entity) {
      guard let claim = SyncClaim(record, fields, registry),
        claim != present.flatMap({ SyncClaim($0, fields, registry) }),
        try storage.claimant(of: claim) == record.row
      else { continue }
      try storage.setClaimant(of: claim, to: nil)
    }
  }

  /// Claims the values of a row that is there, with what follows from that. No recursion: a push may make a chain of
  /// all its rows. It gets those back that it had before, once of each constraint; `mayRevert`: also where these are
  /// the same by now, as what it refers to became another row.
  mutating func claim(_ row: SyncRowID, mayRevert: Bool, besides reverted: Set<[Int]> = []) throws {
    try claimAlone(row, mayRevert: mayRevert, besides: reverted)
    while let step = merges.popLast() {
      switch step {
      case .claim(let row): try claimAlone(row, mayRevert: true)
      case .redirect(let row): try redirectUnique(to: row)
      }
    }
  }

  private mutating func claimAlone(_ row: SyncRowID, mayRevert: Bool, besides reverted: Set<[Int]> = []) throws {
    guard let record = try storage.record(row), record.deletion == nil else { return }
    for fields in registry.uniqueness(of: row.entity) {
      guard let claim = SyncClaim(record, fields, registry), let other = try storage.holder(of: claim, registry),
        other != row
      else { continue }
      // Rows that had the same values before the push, as they were there before the constraint, both keep them, but
      // where it is new. Programs show both of two rows that have one partner.
      let mayBeTwo = site != 0 || registry.isPartner(fields, of: row.entity)
      if try mayBeTwo && hadBefore(claim, fields, row) && hadBefore(claim, fields, other) { continue }
      if reverted.contains(fields) {
        // Each has what it had, which is the same by now: neither has anything else to go back to.
        let had = wasChanged(other) ? before(other) : try storage.record(other)
        if let had, had.deletion == nil, try hasClaim(claim, fields, had) { return try merge(record, into: other) }
        try displace(other, claim, fields)
        continue
      }
      // Rows that were there never become each other, but for a new constraint: one keeps what it had, and another
      // that took it has its own again.
      if site != 0, let former = before(row), former.deletion == nil, let taker = before(other), taker.deletion == nil,
        try hasClaim(claim, fields, former) && !hasClaim(claim, fields, taker)
      {
        try displace(other, claim, fields)
        continue
      }
      guard let former = before(row), former.deletion == nil,
        try mayRevert || site != 0 && !hasClaim(claim, fields, former),
        try !wouldGo(former, fields)
      else { return try merge(record, into: other) }
      try revert(record, fields, former)
      return try claimAlone(row, mayRevert: true, besides: reverted.union([fields]))
    }
    for fields in registry.uniqueness(of: row.entity) {
      guard let claim = SyncClaim(record, fields, registry), try storage.holder(of: claim, registry) == nil else {
        continue
      }
      try storage.setClaimant(of: claim, to: row)
    }
  }

  /// Whether a row had unique values before the push.
  private func hadBefore(_ claim: SyncClaim, _ fields: [Int], _ row: SyncRowID) throws -> Bool {
    let former = wasChanged(row) ? before(row) : try storage.record(row)
    return former.flatMap { SyncClaim($0, fields, registry) } == claim
  }

  /// Whether a row would have unique values if it had again what it had, as that is by now.
  private func hasClaim(_ claim: SyncClaim, _ fields: [Int], _ former: SyncRecord) throws -> Bool {
    var record = former
    for number in fields { try record.fields[number].map { record.fields[number]?.value = try current($0.value) } }
    return SyncClaim(record, fields, registry) == claim
  }

  /// A value with what the rows that it refers to are by now.
  private func current(_ value: SyncValue) throws -> SyncValue {
    value.references.isEmpty ? value : try value.replacing { row in try merged(row).map { .row($0) } }
  }

  /// Has a row give up values that it took in this push, and that another one had before and gets back. If it was there
  /// before the push, it gets its own back too.
  private mutating func displace(_ row: SyncRowID, _ claim: SyncClaim, _ fields: [Int]) throws {
    if try hadBefore(claim, fields, row) { return }
    try storage.setClaimant(of: claim, to: nil)
    guard let record = try storage.record(row), let former = before(row), former.deletion == nil,
      try !wouldGo(former, fields)
    else { return displaced.append((row, [])) }
    try revert(record, fields, former)
    displaced.append((row, [fields]))
  }

  /// Whether a row would go if it had again what it had: with one that is gone.
  private func wouldGo(_ former: SyncRecord, _ fields: [Int]) throws -> Bool {
    if kept.contains(former.row) { return false }
    let references = known.references(of: former.row.entity)
    return try fields.filter { references[$0]?.deleteRule == .cascade }.contains { number in
      try (former.fields[number]?.value.references ?? []).contains { row in
        guard let deletion = try storage.deletion(of: row), deletion.mergedInto == nil else { return false }
        return known.rules(of: row.entity).deletion == .deletionWins
      }
    }
  }

  /// Has a row keep the values that it had.
  private mutating func revert(_ present: SyncRecord, _ fields: [Int], _ former: SyncRecord) throws {
    var record = present
    for number in fields {
      let had = former.fields[number]
      let formerValue = try had.map { try current($0.value) } ?? registry.unwritten(number, of: record.row.entity)
      guard let field = record.fields[number], field.value != formerValue else { continue }
      // As of when that was written: later edits by who did not know of the other value win over it.
      let value = SyncStampedValue(value: formerValue, stamp: had?.stamp ?? .first(of: field.stamp.site))
      conflicts.append(
        SyncConflict(
          row: record.row, field: number, ancestor: value.value, server: value,
          client: SyncStampedValue(value: field.value, stamp: field.stamp), outcome: .server))
      record.fields[number] = SyncField(value: value.value, stamp: value.stamp, sequence: head + 1)
    }
    try put(record, was: present)
  }

  /// Makes a row another one.
  private mutating func merge(_ record: SyncRecord, into other: SyncRowID) throws {
    guard let winner = try storage.record(other) else { return }
    // What is to stay stays as that.
    if kept.contains(record.row) || before(record.row)?.deletion != nil { kept.insert(other) }
    let stamp = record.fields.values.map(\.stamp).max() ?? SyncStamp(time: 0, site: record.row.site)
    // What the new row does not have the other one keeps, and what it is.
    let fields = try record.fields.filter { $0.key != SyncNumbers.classField && $0.value.value != .null }.mapValues {
      SyncFieldEdit(value: try redirected($0.value), stamp: $0.stamp)
    }
    let edit = SyncEdit(row: other, kind: .update, base: head, stamp: stamp, fields: fields)
    var rules = known.rules(of: other.entity)
    // Nobody is told of a conflict who could decide it, where a new constraint makes them one.
    if site == 0 { rules.policies = rules.policies.filter { $0.value != .custom } }
    var present = winner
    present.fields = try winner.fields.mapValues { field in
      var field = field
      field.value = try redirected(field.value)
      return field
    }
    let merge = edit.merged(into: present, rules, at: head + 1)
    // Nobody is told of what a new constraint does.
    if site != 0 { conflicts.append(merge.conflicts, isOfPush: before(record.row) == nil) }
    try release(winner)
    var merged = merge.record
    // What was kept beside a value is not in the edit.
    for (number, field) in record.fields {
      for other in field.others {
        let edit = SyncFieldEdit(value: try redirected(other.value), stamp: other.stamp)
        merged.fields[number] = edit.merged(into: merged.fields[number], rules.policy(of: number), at: head + 1).field
      }
    }
    // Whoever deletes the one, and has not seen that it is the other too, has not seen all of it.
    for number in uniqueFields(of: other.entity) { merged.fields[number]?.otherSequence = head + 1 }
    try put(merged, was: winner)
    var loser = record
    loser.deletion = SyncDeletion(stamp: stamp, sequence: head + 1, mergedInto: other)
    try put(loser, was: record)
    merges += [.redirect(record.row), .claim(other)]
  }

  /// Has those refer to what a row became whose unique values it is part of.
  private mutating func redirectUnique(to row: SyncRowID) throws {
    becameOthers.append(row)
    let last = try merged(row)
    if let last, let present = try storage.record(row), present.deletion != nil, present.deletion?.mergedInto != last {
      var record = present
      // So that nobody has to follow a chain.
      record.deletion?.mergedInto = last
      try put(record, was: present)
    }
    for referrer in try storage.referrers(to: row) {
      guard let found = try storage.record(referrer), isUnique(found, by: row) else { continue }
      try redirect(found) { $0 == row ? last : nil }
    }
  }

  /// Whether a reference to a row is part of what is unique of another one.
  private func isUnique(_ referrer: SyncRecord, by row: SyncRowID) -> Bool {
    registry.uniqueness(of: referrer.row.entity).contains { fields in
      fields.contains { referrer.fields[$0]?.value.refers(to: row) ?? false }
    }
  }

  /// The same with the rows that some have become, whose referrers are still to be redirected.
  private func redirected(_ value: SyncValue) throws -> SyncValue {
    becameOthers.isEmpty ? value : try value.replacing { row in try merged(row).map { .row($0) } }
  }

  /// Has all that refer to rows which became others refer to these, each once: a list may
  /// have as many as the push has rows.
  mutating func redirectReferrers() throws {
    var others: [SyncRowID: SyncRowID] = [:]
    var referrers = Set<SyncRowID>()
    for row in becameOthers {
      others[row] = try merged(row)
      referrers.formUnion(try storage.referrers(to: row))
    }
    becameOthers = []
    for referrer in referrers.sorted() {
      if let record = try storage.record(referrer) { try redirect(record) { others[$0] } }
    }
  }

  /// Has a row refer to others in place of some, as of when it came to refer to these. `other`: nil for one that stays.
  mutating func redirect(_ record: SyncRecord, to other: (SyncRowID) throws -> SyncRowID?) throws {
    try replace(in: record) { _, field in
      (try field.value.replacing { row in try other(row).map { .row($0) } }, field.stamp)
    }
  }

  /// Has a row refer to others no more, which gives way to whatever anybody writes who does not know of it.
  mutating func nilOut(_ dangling: DanglingReferences, in record: SyncRecord) throws {
    try replace(in: record) { number, field in
      guard let gone = dangling.fields[number] else { return nil }
      // Who deleted the rows may have written what else the list has.
      var isOwnList = false
      if case .list = field.value { isOwnList = field.stamp.site == gone.site && field.stamp.time > 0 }
      let value = field.value.replacing { gone.rows.contains($0) ? .null : nil }
      return (value, .first(of: isOwnList ? 0 : gone.site))
    }
  }

  /// `change`: what a field has instead, and as of when; nil for what it has.
  private mutating func replace(
    in record: SyncRecord, _ change: (Int, SyncField) throws -> (value: SyncValue, stamp: SyncStamp)?
  ) throws {
    var changed = record
    for (number, field) in record.fields {
      guard let (value, stamp) = try change(number, field), value != field.value else { continue }
      var replaced = SyncField(value: value, stamp: stamp, sequence: head + 1)
      replaced.setLastEdit(of: field, besides: stamp.site)
      changed.fields[number] = replaced
    }
    if changed != record { try put(changed, besides: record) }
  }

  /// Keeps a row that refers to others than before: a relationship may be part of what is unique.
  mutating func put(_ changed: SyncRecord, besides record: SyncRecord) throws {
    try release(record, but: changed)
    try put(changed, was: record)
    replaced.append(record.row)
  }
}
