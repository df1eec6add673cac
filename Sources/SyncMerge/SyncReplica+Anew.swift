// What a device does when it must send again, or in another way.
extension SyncReplica {
  /// Makes what was sent part of what is to be sent: the server has not taken it, as far as is known, and will not.
  package mutating func takeBack() {
    guard var edit = sent else { return }
    sent = nil
    // A copy of the device may have sent the row, or the server was put back: it is not one of which nobody has heard.
    if sequence == 0 { sequence = -1 }
    guard let later = pending else { return pending = edit }
    for (number, field) in later.fields {
      var field = field
      let isOfGone = field.stamp.time == 0 && field.value == .null
      if let earlier = edit.fields[number], field.base <= earlier.base, !isOfGone { field.ancestor = earlier.ancestor }
      edit.fields[number] = field
    }
    edit.base = later.base
    edit.stamp = later.stamp
    // What was not there is still to be made, and what came back is not to be deleted.
    if later.kind == .delete || edit.kind == .delete { edit.kind = later.kind }
    pending = edit
  }

  /// Notes once more an edit that the server left to the program: the device may show what
  /// others wrote, but has not merged it.
  ///
  /// A later edit, which was made upon the one that the server did not take, goes in its place.
  package mutating func writeAgain(_ value: SyncValue, to field: Int, former: SyncValue, _ stamp: SyncStamp) {
    let later = pending?.fields[field]
    change(stamp, .update) { edit in
      edit.fields[field] = SyncFieldEdit(
        value: later?.value ?? value, ancestor: former, base: 0, stamp: later?.stamp ?? stamp)
    }
  }

  /// Discards the unsent edit of a row that others deleted. Returns the conflict for the
  /// journal; nil where there was no edit.
  package mutating func discardPending(for deletion: SyncDeletion) -> SyncConflict? {
    guard let edit = pending, edit.kind != .delete else { return nil }
    pending = nil
    return SyncConflict(
      row: row, field: nil, server: SyncStampedValue(value: .null, stamp: deletion.stamp),
      client: SyncStampedValue(value: .null, stamp: edit.stamp), outcome: .server)
  }

  /// Adds the unsent edit of a row that became this one.
  package mutating func takeOver(_ edit: SyncEdit, _ rules: SyncRules) {
    let fields = edit.fields.filter { $0.key != SyncNumbers.classField }
    if edit.kind == .delete || fields.isEmpty { return }
    change(edit.stamp, .update) { own in
      for (number, field) in fields {
        guard let present = own.fields[number] else {
          // What the device saw was of the other row.
          own.fields[number] = field
          own.fields[number]?.base = 0
          continue
        }
        // Neither was made with the other in view.
        let shown = SyncField(value: present.value, stamp: present.stamp, sequence: .max)
        let both = field.merged(into: shown, rules.policy(of: number), at: .max).field
        own.fields[number] = SyncFieldEdit(
          value: both.value, ancestor: present.ancestor, base: present.base, stamp: both.stamp)
      }
    }
  }

  /// Notes all that a row has as to be sent: the server does not have it, or not as the device saw it. What was to be
  /// sent anyway is still what it was: written upon what the device saw, at its time.
  ///
  /// - Parameters:
  ///   - values: the row's; nil where it was deleted.
  ///   - common: the last place up to which the server's order is the one that the device saw.
  ///   - stamp: of now. What others wrote in another order is later than what the device saw, though:
  ///     that has a stamp before theirs.
  ///   - seenTime: the time of the latest that the device had seen of the zone, where it has no common place with that;
  ///     else nil. What was there before then the device saw, and what others wrote since is later.
  package mutating func sendAnew(
    _ values: SyncFields<SyncValue>?, common: Int64, _ stamp: SyncStamp, seenTime: UInt64? = nil
  ) {
    takeBack()
    let lost =
      seenTime.map { SyncStamp(time: $0, site: stamp.site) }
      ?? SyncStamp.lost(at: common < .max ? max(seen, common) : seen, of: stamp.site)
    forgetPlaces(behind: common)
    let (base, edit) = (min(seen, common), pending)
    // Others may have it all the same.
    sequence = base == 0 ? -1 : base
    guard let values else {
      return pending = edit ?? SyncEdit(row: row, kind: .delete, base: base, stamp: stamp)
    }
    // What others wrote since keeps what they added: nothing is known of what this device saw.
    var fields = values.mapValues { SyncFieldEdit(value: $0, ancestor: $0, base: base, stamp: lost) }
    for (number, field) in edit?.fields ?? [:] { fields[number] = field }
    pending = SyncEdit(row: row, kind: .insert, base: base, stamp: stamp, fields: fields)
  }

  /// Has what is to be sent be written upon no later place than one: those behind it are of another order.
  package mutating func forgetPlaces(behind common: Int64) {
    if seen > common { sequence = common == 0 ? -1 : common }
    guard var edit = pending else { return }
    edit.base = min(edit.base, common)
    for (number, field) in edit.fields { edit.fields[number]?.base = min(field.base, common) }
    pending = edit
  }

  /// The same for one field.
  package mutating func forgetPlaces(behind place: Int64, of field: Int) {
    guard let base = pending?.fields[field]?.base else { return }
    pending?.fields[field]?.base = min(base, place)
  }

  /// Has an edit that is to be sent go without what large values were before, where nothing but the journal is to have
  /// it: with it, the edit is larger than the server takes.
  ///
  /// - Returns: false, with nothing done, where there is no such value.
  package mutating func leaveAncestorsOut(_ rules: SyncRules) -> Bool {
    guard let edit = pending else { return false }
    var isAnyLeft = false
    for (number, field) in edit.fields where field.ancestor != field.value && field.ancestor.isLarge {
      switch rules.policy(of: number) {
      case _ where field.ancestor == .tooLarge: break
      case .lastWriter, .max, .min: break
      case .keepBoth where field.base > 0: break
      default: continue
      }
      pending?.fields[number]?.ancestor = .null
      isAnyLeft = true
    }
    return isAnyLeft
  }

  /// Has a deletion that is to be sent go without what was written before, which is larger than the server takes.
  ///
  /// - Returns: false, with nothing done, for what is no such deletion.
  package mutating func leaveValuesOut() -> Bool {
    guard let edit = pending, edit.kind == .delete, !edit.fields.isEmpty else { return false }
    pending?.fields = [:]
    return true
  }

  /// Has what is to be sent refer to no row of which the server will never hear.
  package mutating func forgetReferences(where isUnknown: (SyncRowID) throws -> Bool) rethrows {
    guard let edit = pending else { return }
    for (number, field) in edit.fields {
      let value = try field.value.replacing { try isUnknown($0) ? .null : nil }
      if value != field.value { pending?.fields[number]?.value = value }
    }
  }

  /// Has what is to be sent be of the rows that some are by now. What is on its way the server sees to. `other`: which
  /// one a row is; nil for one that is itself.
  package mutating func redirect(_ other: (SyncRowID) throws -> SyncRowID?) rethrows {
    guard let edit = pending else { return }
    for (number, field) in edit.fields where !field.value.references.isEmpty || !field.ancestor.references.isEmpty {
      pending?.fields[number] = try field.redirected(other)
    }
  }

  /// Has a deletion that is to be sent not be one: another row of this device is the row by now.
  package mutating func withdrawDeletion() {
    guard let edit = pending, edit.kind == .delete else { return }
    pending?.kind = .update
    if edit.fields.isEmpty { pending = nil }
  }

  /// The stamps of what is on its way, and of what is to be sent.
  package var stamps: [SyncStamp] {
    [sent, pending].compactMap(\.self).flatMap { edit in [edit.stamp] + edit.fields.map(\.value.stamp) }
  }

  /// Gives what is on its way, and what is to be sent, other stamps. `other`: the one in place of another.
  package mutating func restamp(_ other: (SyncStamp) -> SyncStamp) {
    (sent, pending) = (sent?.restamped(other), pending?.restamped(other))
  }
}

extension SyncEdit {
  fileprivate func restamped(_ other: (SyncStamp) -> SyncStamp) -> SyncEdit {
    var edit = self
    edit.stamp = other(stamp)
    for (number, field) in fields { edit.fields[number]?.stamp = other(field.stamp) }
    return edit
  }
}
