/// What is left of an edit for a device that has seen more.
package struct SyncRebase: Hashable, Sendable {
  /// What is still to be sent; nil if nothing is.
  package var edit: SyncEdit?
  /// The conflicts that the server will not see any more.
  package var conflicts: [SyncConflict] = []
}

extension SyncEdit {
  /// What is left to be sent of this once the device has seen the row as the server has it, without this.
  ///
  /// The device shows the row with that merged in, before and afterwards the same.
  package func rebased(onto record: SyncRecord, _ rules: SyncRules) -> SyncRebase {
    var (edit, conflicts) = (self, [SyncConflict]())
    for (number, fieldEdit) in fields {
      guard let field = record.fields[number] else { continue }
      let (rest, outcome) = fieldEdit.rebased(onto: field, rules.policy(of: number))
      edit.fields[number] = rest
      if let outcome { conflicts.append(SyncConflict(row, number, field, fieldEdit, outcome)) }
    }
    if edit.kind == .insert, record.sequence > 0 { edit.kind = .update }
    // It may also delete the row, or bring it back.
    let merge = edit.merged(into: record, rules, at: record.sequence + 1)
    let isLeft = merge.isChanged || !merge.conflicts.isEmpty
    return SyncRebase(edit: isLeft ? edit : nil, conflicts: conflicts)
  }
}

extension SyncFieldEdit {
  fileprivate func rebased(
    onto field: SyncField, _ policy: SyncMergePolicy
  ) -> (edit: SyncFieldEdit?, outcome: SyncConflict.Outcome?) {
    if field.lastSequence <= base { return (self, nil) }
    // Both are kept: the server must see that one did not know of the other.
    if policy == .keepBoth { return (self, nil) }
    let merge = merged(into: field, policy, at: field.lastSequence)
    // A later edit of the same value still wins over what others wrote in between.
    let isLater = !policy.combines && !stamp.isTimeless && field.stamp < merge.field.stamp
    if merge.field.value == field.value, !isLater { return (nil, merge.outcome) }
    let edit = SyncFieldEdit(value: merge.field.value, ancestor: field.value, base: field.lastSequence, stamp: stamp)
    return (edit, merge.outcome)
  }
}
