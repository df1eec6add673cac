import RoostCore
import RoostEngine
import RoostSQL
import SyncMerge

// Positions in lists.
//
// A member of a list stands by its position, or where it has none by its key, which differs between devices. So each
// row that is noted gets a position, and no two devices give the same: each adds a little that is its own.
extension SyncTransaction {
  /// Gives a row a position in each list that it is a member of, where it has none, or one that this device chose.
  func giveListPositions(_ row: inout StoredRow, _ known: inout KnownRow, _ entity: BoundContract.Entity) throws {
    var given: [String: Double] = [:]
    for (index, field) in entity.fields.enumerated() {
      guard case .position(let column, let owner) = field.kind else { continue }
      guard let positionColumn = entity.columns[index], let listColumn = entity.sql.indexes[owner],
        case .integer(let list) = row.columns[listColumn], let sql = entity.sql.lists[column]
      else { continue }
      let stored: Double? =
        switch row.columns[positionColumn] {
        case .real(let number) where ListPositions.isPosition(number): number
        case .integer(let number): Double(number)
        default: nil
        }
      let (positions, wanted) = (ListPositions(of: list, sql, connection), stored ?? Double(known.key))
      let other = try positions.member(at: wanted, but: known.key)
      if let stored, other == nil, known.seen[entity.numbers[index]] == .real(stored) { continue }
      // Members with one position are in the order of their keys.
      let own =
        if let other, other > known.key {
          try -own(-wanted, before: positions.former(before: wanted).map { -$0 })
        } else {
          try own(wanted, before: positions.next(behind: wanted))
        }
      let members = MemberList(owner: list, column: column)
      let position = try positions.free(from: own, but: known.key, &takenPositions[members, default: [:]])
      row.columns[positionColumn] = .real(position)
      given[column] = position
    }
    try update(known.key, given.mapValues { .real($0) }, entity)
  }

  /// A number so near another that nothing fits between, and which only this device
  /// chooses. `next`: what it stays before.
  private func own(_ position: Double, before next: Double?) -> Double {
    // A copy of the device has the same name, for a while.
    let part = Double(((state.site ^ UInt64(session)) &* 0x9e37_79b9_7f4a_7c15) >> 44 + 1)
    let own = position + position.ulp * part
    guard let next, own >= next else { return own }
    // Members were put there again and again: there is little room left.
    let near = position + (next - position) * (part / 0x1p21)
    return near < next ? near : position
  }

  /// Notes the members of lists that were moved: history says whose lists.
  func noteMoves(_ change: CapturedChange, of owner: Int64, _ entity: BoundContract.Entity) throws {
    if change.lists.isEmpty { return }
    for each in entity.synced.classes {
      for property in each.ownProperties where change.lists.contains(property.index) {
        guard case .toMany(let relationship) = property.kind, case .inverseColumn(let column) = relationship.storage,
          let members = contract.byOrdinal[relationship.destination.root.ordinal]
        else { continue }
        try noteMoves(of: owner, members, column, change)
      }
    }
  }

  private func noteMoves(
    of owner: Int64, _ members: BoundContract.Entity, _ column: String, _ change: CapturedChange
  ) throws {
    guard
      let index = members.fields.firstIndex(where: { if case .position(_, column) = $0.kind { true } else { false } })
    else { return }
    let name = quotedIdentifier(primaryKeyColumn)
    let keys = try connection.keys(
      "SELECT \(name) FROM \(quotedIdentifier(members.root.table)) WHERE \(quotedIdentifier(column)) = ?", owner)
    let number = members.numbers[index]
    for key in keys {
      guard var known = try known(key, of: members), !known.isFresh, var row = try storedRow(key, members) else {
        continue
      }
      let former = known.seen[number] ?? .null
      try giveListPositions(&row, &known, members)
      guard let value = try self.value(at: index, of: row, key, members), value != former else { continue }
      known.seen[number] = value
      known.replica.write(
        value, to: number, former: former, stamp(change.time), seen: try placeSeen(of: number, known.replica.row))
      known.wait(since: change.transaction)
      try keep(known, members)
    }
  }
}
