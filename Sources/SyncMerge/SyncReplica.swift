/// What a device keeps of a row besides the row itself: how far it has seen it, and what others have yet to see.
package struct SyncReplica: Hashable, Sendable {
  package let row: SyncRowID
  /// The place of the row's last change that the device has seen; 0 while the server does not have it. Negative, -1
  /// less that place, where the server has changes of the row since, or may have.
  package internal(set) var sequence: Int64
  /// What is on its way to the server, or is to be sent again until the server says that it has it.
  package internal(set) var sent: SyncEdit?
  /// What was done since.
  package internal(set) var pending: SyncEdit?

  package init(row: SyncRowID, sequence: Int64 = 0, sent: SyncEdit? = nil, pending: SyncEdit? = nil) {
    (self.row, self.sequence, self.sent, self.pending) = (row, sequence, sent, pending)
  }

  /// The place of the row's last change that the device has seen; 0 for none.
  package var seen: Int64 { sequence < 0 ? -1 - sequence : sequence }

  /// Whether ``acknowledge()`` was called, and the row was not shown since.
  package var isAcknowledged: Bool { sent == nil && sequence < 0 }

  /// Whether the server has yet to hear of the row, or of one of some fields.
  package func hasToSend(any fields: Set<Int>) -> Bool {
    [sent, pending].contains { edit in
      edit.map { $0.kind == .insert || $0.fields.contains { number, _ in fields.contains(number) } } ?? false
    }
  }

  /// Whether the row is still to be made at the server, as far as this device knows, and nothing of it is on its way.
  /// One that is sent anew others may have.
  package var isNew: Bool {
    guard let edit = pending, edit.kind == .insert, sent == nil, seen == 0 else { return false }
    return sequence == 0 || !edit.fields.contains { $1.value != .null && $1.ancestor == $1.value }
  }

  /// Whether the server has all.
  package var isSynced: Bool { sent == nil && pending == nil }
}

// What the device does.
extension SyncReplica {
  /// Notes that the row was made.
  package mutating func insert(_ values: SyncFields<SyncValue>, _ stamp: SyncStamp) {
    change(stamp, .insert) { edit in
      for (field, value) in values { edit.fields[field] = SyncFieldEdit(value: value, base: edit.base, stamp: stamp) }
    }
  }

  /// Notes that a value was written.
  ///
  /// - Parameters:
  ///   - value: the value.
  ///   - field: the field's number.
  ///   - former: what the row had, or what was seen last.
  ///   - stamp: when.
  ///   - place: up to where its writer had seen what others wrote; nil for as far as the row.
  package mutating func write(
    _ value: SyncValue, to field: Int, former: SyncValue, _ stamp: SyncStamp, seen place: Int64? = nil
  ) {
    let (base, sent) = (seen, sent?.fields[field])
    // What nobody wrote takes no deletion back.
    let kind = stamp.time == 0 && pending?.kind == .delete ? SyncEdit.Kind.delete : .update
    let isOfGone = stamp.time == 0 && value == .null
    change(stamp, kind) { edit in
      // What was to be sent of it was written upon the same, or was rebased. What nobody wrote says which row is gone.
      let ancestor = isOfGone ? former : edit.fields[field].map(\.ancestor) ?? former
      // Who writes upon an edit of this device has seen no more than that had: another value may be kept beside it.
      let upon = edit.fields[field] ?? sent.flatMap { $0.value == former ? $0 : nil }
      // What an edit replaced unseen is still unseen when that edit is changed. See ``writeUnseen(_:to:former:_:)``.
      let isUnseen = upon.map { $0.base == 0 && $0.value == former && $0.ancestor != former } ?? false
      let known = upon.map(\.base) ?? 0
      let last = isUnseen || known > 0 ? known : base
      edit.fields[field] = SyncFieldEdit(value: value, ancestor: ancestor, base: min(place ?? last, last), stamp: stamp)
    }
  }

  /// Notes that a value was written by somebody who had not seen what it replaced. `former`: what was seen last.
  package mutating func writeUnseen(_ value: SyncValue, to field: Int, former: SyncValue, _ stamp: SyncStamp) {
    write(value, to: field, former: former, stamp, seen: 0)
  }

  /// Notes a value that nobody wrote, so that whatever anybody wrote stays, also what the device has seen and not
  /// known. It does not take back a deletion.
  package mutating func compute(_ value: SyncValue, of field: Int, _ stamp: SyncStamp) {
    if pending?.kind == .delete { return }
    change(stamp, .update) { $0.fields[field] = SyncFieldEdit(value: value, ancestor: value, base: 0, stamp: stamp) }
  }

  /// Notes that the row was deleted. What was written to it before is sent all the same, as it may come back.
  package mutating func delete(_ stamp: SyncStamp) {
    // Nobody else has heard of it, and nothing of it was ever sent.
    if pending?.kind == .insert, sequence == 0 { return pending = nil }
    change(stamp, .delete) { _ in }
  }

  /// Takes back what was noted of the row's fields since the clock had a time; of a row that the
  /// server does not have, nothing.
  ///
  /// `former`: what was to be sent before; nil for nothing, or where nobody kept it.
  package mutating func forgetFields(since time: UInt64, former: SyncEdit?) {
    guard var edit = pending, edit.kind != .insert || sequence != 0, edit.stamp.time > time else { return }
    if let former { return pending = former }
    edit.fields = edit.fields.filter { $0.value.stamp.time <= time }
    pending = edit.kind == .update && edit.fields.isEmpty ? nil : edit
  }

  /// Notes that the row is to be there again, with what the server has kept of it.
  package mutating func bringBack(_ stamp: SyncStamp) { change(stamp, .update) { _ in } }

  mutating func change(_ stamp: SyncStamp, _ kind: SyncEdit.Kind, _ body: (inout SyncEdit) -> Void) {
    var edit = pending ?? SyncEdit(row: row, kind: kind, stamp: stamp)
    // Whoever writes, deletes or brings back has seen whether the row is there. What nobody wrote says nothing of that.
    if kind != .delete || stamp.time > 0 { edit.base = seen }
    // A row that the server does not have is still to be made, and one that came back is not to be deleted.
    if kind == .delete || edit.kind == .delete { edit.kind = kind == .delete ? .delete : .update }
    edit.stamp = max(edit.stamp, stamp)
    body(&edit)
    pending = edit
  }

  /// What is to be sent now; nil if nothing is. It is the same until the server says that it has it.
  package mutating func send() -> SyncEdit? {
    if sent == nil { (sent, pending) = (pending, nil) }
    return sent
  }

  /// Takes fields out of what ``send()`` gave, for another time. Those of a deletion do not bring the row back.
  package mutating func holdBack(_ fields: Set<Int>) {
    guard var edit = sent else { return }
    let kind = edit.kind == .delete ? SyncEdit.Kind.delete : .update
    var rest = pending ?? SyncEdit(row: row, kind: kind, base: edit.base, stamp: edit.stamp)
    for (number, field) in edit.fields where fields.contains(number) { rest.fields[number] = field }
    edit.fields = edit.fields.filter { !fields.contains($0.key) }
    (sent, pending) = (edit, rest)
  }

  /// Takes all of what ``send()`` gave for another time: it was not sent yet.
  package mutating func withdraw() {
    guard var edit = sent else { return }
    for (number, field) in pending?.fields ?? [:] { edit.fields[number] = field }
    (sent, pending) = (nil, edit)
  }
}

/// What a device makes of a row that the server sent.
package struct SyncReceived: Hashable, Sendable {
  /// The row as the device shows it from now on.
  package var shown: SyncRecord
  /// Conflicts that the server will not see.
  package var conflicts: [SyncConflict]
}

// What others do.
extension SyncReplica {
  /// Takes note that the server has taken what was sent, and of nothing else: the row that it has cannot be shown yet.
  ///
  /// What is written meanwhile is written by somebody who sees the former row, but where the server
  /// has nothing else than was sent.
  ///
  /// `record`: the row as the server has it; nil where that is not known.
  package mutating func acknowledge(_ record: SyncRecord? = nil) {
    func isSeen(_ record: SyncRecord) -> Bool {
      record.deletion == nil
        && record.fields.allSatisfy { number, field in
          field.lastSequence <= seen || field.others.isEmpty && sent?.fields[number]?.value == field.value
        }
    }
    sequence = record.flatMap { isSeen($0) ? $0.sequence : nil } ?? -1 - seen
    sent = nil
  }

  /// Takes the row as the server has it.
  ///
  /// - Parameters:
  ///   - record: the row.
  ///   - includesSent: whether the server has taken what was sent.
  ///   - rules: how the row's class merges.
  /// - Returns: nil for what is older than what the device has seen, as an answer may be that was on its way for long.
  package mutating func receive(_ record: SyncRecord, includesSent: Bool, _ rules: SyncRules) -> SyncReceived? {
    if record.sequence < seen { return nil }
    sequence = record.sequence
    if includesSent { sent = nil }
    let base = sent?.merged(into: record, rules, at: sequence).record ?? record
    let rebase = pending?.rebased(onto: base, rules) ?? SyncRebase()
    pending = rebase.edit
    let shown = pending?.merged(into: base, rules, at: sequence).record ?? base
    return SyncReceived(shown: shown, conflicts: rebase.conflicts)
  }
}
