/// What an edit makes of a row.
package struct RowMerge: Hashable, Sendable {
  package var record: SyncRecord
  /// Whether the row is another one now.
  package var isChanged: Bool
  package var conflicts: [SyncConflict]
}

extension SyncEdit {
  /// What this makes of a row, as the change at a place of the zone's order.
  ///
  /// The server calls it with what devices send, and devices with what the server sends and what they have yet to send:
  /// so they show by then what the server will have. Edits of different fields never meet. The server takes each edit
  /// once: what was added to a counter twice counts twice.
  ///
  /// - Parameters:
  ///   - record: the row as the server has it; nil for one that it does not have.
  ///   - rules: how the row's class merges.
  ///   - sequence: later than the row's own.
  /// - Returns: the row, unchanged where nothing of the edit is new.
  package func merged(into record: SyncRecord?, _ rules: SyncRules, at sequence: Int64) -> RowMerge {
    let former = record ?? SyncRecord(row: row, sequence: 0)
    var (merged, conflicts) = (former, [SyncConflict]())
    for (number, edit) in fields {
      let field = former.fields[number]
      let merge = edit.merged(into: field, rules.policy(of: number), at: sequence)
      merged.fields[number] = merge.field
      guard let outcome = merge.outcome, let field else { continue }
      conflicts.append(SyncConflict(row, number, field, edit, outcome))
    }
    if let conflict = mergeDeletion(into: &merged, former, rules, sequence) { conflicts.append(conflict) }
    let isChanged = record == nil || merged != former
    if isChanged { merged.sequence = sequence }
    return RowMerge(record: merged, isChanged: isChanged, conflicts: conflicts)
  }

  private func mergeDeletion(
    into merged: inout SyncRecord, _ former: SyncRecord, _ rules: SyncRules, _ sequence: Int64
  ) -> SyncConflict? {
    func conflict(_ outcome: SyncConflict.Outcome, _ server: SyncStamp) -> SyncConflict {
      SyncConflict(
        row: row, field: nil, server: SyncStampedValue(value: .null, stamp: server),
        client: SyncStampedValue(value: .null, stamp: stamp), outcome: outcome)
    }
    /// The last edit that whoever deletes it did not know of; nil for none.
    func unseen() -> SyncStamp? {
      former.fields.values.filter { !$0.isSeen(by: stamp, base: base) && !$0.isNobodys(since: base) }.map(\.stamp).max()
    }
    switch (kind, former.deletion) {
    case (.delete, let deletion?):
      // It went with another one that the same save deleted, before anybody could see whether it is to stay.
      if deletion.isTaken, deletion.stamps.contains(stamp), rules.deletion == .editWins, let unseen = unseen() {
        merged.deletion = nil
        return conflict(.server, unseen)
      }
      merged.deletion?.add(stamp)
      merged.deletion?.isTaken = false
      return nil
    case (.delete, nil):
      let unseen = unseen()
      if let unseen, rules.deletion == .editWins { return conflict(.server, unseen) }
      merged.deletion = SyncDeletion(stamp: stamp, sequence: sequence)
      return unseen.map { conflict(.client, $0) }
    case (_, nil):
      return nil
    // What nobody wrote brings no row back, nor what was written nobody knows when, by somebody
    // who has not seen that it is gone.
    case _ where !fields.isEmpty && fields.values.allSatisfy(\.bringsNothingBack): return nil
    case (_, let deletion?):
      // Who has seen the deletion and writes all the same brings the row back. So does who made it. What the zone took
      // along with another row it asks further of.
      if deletion.stamp.site == stamp.site && !deletion.isTaken || deletion.sequence <= base {
        merged.deletion = nil
        return nil
      }
      if merged == former || !fields.isEmpty && fields.values.allSatisfy(\.isSentAgain) { return nil }
      if rules.deletion == .editWins { merged.deletion = nil }
      return conflict(rules.deletion == .editWins ? .client : .server, deletion.stamp)
    }
  }
}
