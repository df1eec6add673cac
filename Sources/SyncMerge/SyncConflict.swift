/// Two edits of one thing, neither of whose writers knew of the other.
package struct SyncConflict: Hashable, Sendable {
  package enum Outcome: String, Hashable, Sendable {
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

extension SyncConflict {
  /// The same by other numbers of a program's classes and fields; nil where one of them has none.
  package func renumbered(from former: SyncNumbers, to numbers: SyncNumbers) -> SyncConflict? {
    func entityName(_ number: Int) -> String? { former.entities.first { $0.value.number == number }?.key }
    func renumbered(_ row: SyncRowID) -> SyncRowID? {
      guard let entity = entityName(row.entity).flatMap({ numbers.entities[$0] }) else { return nil }
      return SyncRowID(entity: entity.number, site: row.site, key: row.key)
    }
    guard let name = entityName(self.row.entity), let row = renumbered(self.row) else { return nil }
    let fieldName = field.flatMap { field in former.entities[name]?.fields.first { $0.value == field }?.key }
    let number = fieldName.flatMap { numbers.entities[name]?.fields[$0] }
    if field != nil, number == nil { return nil }
    var conflict = SyncConflict(
      row: row, field: number, ancestor: ancestor, server: server, client: client, outcome: outcome)
    for path in [\SyncConflict.ancestor, \SyncConflict.server.value, \SyncConflict.client.value] {
      conflict[keyPath: path] = conflict[keyPath: path].replacing { row in renumbered(row).map { .row($0) } ?? .null }
    }
    return conflict
  }
}

/// A value of a conflict, and when it was written.
package struct SyncStampedValue: Hashable, Sendable {
  package var value: SyncValue
  package var stamp: SyncStamp

  package init(value: SyncValue, stamp: SyncStamp) { (self.value, self.stamp) = (value, stamp) }

  /// What stands for a value that there was no room for.
  static func unknown(of site: UInt64) -> SyncStampedValue {
    SyncStampedValue(value: .null, stamp: .unknown(of: site))
  }

  /// Whether it may stand for that.
  package var isUnknown: Bool { value == .null && stamp == .unknown(of: stamp.site) }
}
