/// Two edits of one thing, neither of whose writers knew of the other.
package struct SyncConflict: Hashable, Sendable, Codable {
  package enum Outcome: String, Hashable, Sendable, Codable {
    /// The edit that came is not to be seen.
    case server
    /// What was there is not to be seen.
    case client
    /// Both are.
    case merged
    /// The program decides.
    case open
  }

  package var row: SyncRowID
  /// The number of the field; nil for a deletion against an edit.
  package var field: Int?
  /// What the edit's device saw when it wrote.
  package var ancestor: SyncValue
  /// What was there; no value for a deletion.
  package var server: SyncStampedValue
  /// What the edit says; no value for a deletion.
  package var client: SyncStampedValue
  package var outcome: Outcome

  package init(
    row: SyncRowID, field: Int?, ancestor: SyncValue = .null, server: SyncStampedValue, client: SyncStampedValue,
    outcome: Outcome
  ) {
    self.row = row
    self.field = field
    self.ancestor = ancestor
    self.server = server
    self.client = client
    self.outcome = outcome
  }
}

extension SyncConflict {
  /// That of an edit of a value with what the server has.
  init(_ row: SyncRowID, _ number: Int, _ field: SyncField, _ edit: SyncFieldEdit, _ outcome: Outcome) {
    self.init(
      row: row, field: number, ancestor: edit.ancestor,
      server: SyncStampedValue(value: field.value, stamp: field.stamp),
      client: SyncStampedValue(value: edit.value, stamp: edit.stamp), outcome: outcome)
  }
}

/// A value of a conflict, and when it was written.
package struct SyncStampedValue: Hashable, Sendable, Codable {
  package var value: SyncValue
  package var stamp: SyncStamp

  package init(value: SyncValue, stamp: SyncStamp) { (self.value, self.stamp) = (value, stamp) }
}
