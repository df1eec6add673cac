import RoostCore
import SyncMerge

// What this program shows in place of a later one's values: of a property that is not optional, something for nil; of
// one that is no list, one row of a list.
extension SyncTransaction {
  /// Notes the server's value where this program shows another in its place, so that this is not sent as its own.
  ///
  /// - Parameters:
  ///   - value: what the server has.
  ///   - index: the field's.
  ///   - known: the row.
  ///   - type: the row's class.
  ///   - entity: that of the root.
  func noteStandIn(
    for value: SyncValue, _ index: Int, of known: inout KnownRow, _ type: String?, _ entity: BoundContract.Entity
  ) {
    let (field, number) = (entity.fields[index], entity.numbers[index])
    let isStoodInFor =
      switch value {
      case .null: field.isRequiredAttribute && isKind(type, of: field.property.owner, entity)
      case .list: field.isReference
      default: false
      }
    if isStoodInFor {
      known.seen[number] = value
      if state.standIns?[entity.number]?.contains(number) != true {
        state.standIns = (state.standIns ?? [:]).merging([entity.number: [number]]) { $0.union($1) }
      }
    } else if !known.seen.isEmpty {
      known.seen[number] = nil
    }
  }

  /// The nil of a field that nobody ever wrote, where this program must show something, or one
  /// before it had to; nil for any other.
  func unwrittenStandIn(for field: SyncedField, _ known: KnownRow, _ number: Int, isNew: Bool) -> SyncValue? {
    if isNew { return field.isRequiredAttribute && field.unwritten == .null ? .null : nil }
    return !field.isNotedAsSeen && known.seen[number] == .null ? .null : nil
  }

  /// All that is synced of a row that is known: the server's values stay that this program shows others in place of.
  ///
  /// `mayBeEdited`: whether somebody may have written another value, of which nothing was noted.
  func values(
    of row: StoredRow, _ known: KnownRow, _ entity: BoundContract.Entity, mayBeEdited: Bool
  ) throws -> SyncFields<SyncValue> {
    var values = try values(of: row, known.key, entity)
    for (number, value) in known.seen {
      guard let field = entity.indexes[number].map({ entity.fields[$0] }), !field.isNotedAsSeen else { continue }
      if mayBeEdited, !field.differsByRow, try shown(for: value, field) != values[number] { continue }
      values[number] = value
    }
    return values
  }

  /// What this program shows in place of a value.
  func shown(for value: SyncValue, _ field: SyncedField) throws -> SyncValue {
    guard field.isReference else { return field.standIn ?? .null }
    return try column(value, field).flatMap { try self.value(of: field, $0) } ?? .null
  }

  /// Has rows fetched anew in which a program before this one showed others in place of values that this one has.
  func leaveStandIns() throws {
    for (number, fields) in state.standIns ?? [:] {
      guard let entity = contract.byNumber[number] else { continue }
      let shown = fields.filter { field in
        entity.indexes[field].map { !entity.fields[$0].isReference && !entity.fields[$0].isRequiredAttribute } ?? false
      }
      if shown.isEmpty { continue }
      fetchAnew()
      state.standIns?[number] = fields.subtracting(shown)
      // What was the list is no list that this program has had.
      let lists = shown.filter { field in entity.indexes[field].map { entity.fields[$0].isNotedAsSeen } ?? false }
      if lists.isEmpty { continue }
      for (_, key) in try keys("entity = \(historyNumber(entity)) AND seen IS NOT NULL", limit: -1) {
        guard var known = try known(key, of: entity), lists.contains(where: { known.seen[$0] != nil }) else { continue }
        for field in lists { known.seen[field] = nil }
        try keep(known, entity)
      }
    }
  }
}
