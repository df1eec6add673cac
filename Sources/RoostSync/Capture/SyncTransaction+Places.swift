import RoostCore
import RoostEngine
import RoostSQL
import SyncMerge

// Places in lists.
//
// A member of a list stands by its place, or where it has none by its key, which differs between devices. So each row that
// is noted gets a place, and no two devices give the same: each adds a little that is its own.
extension SyncTransaction {
  /// Gives a row a place in each list that it is a member of, where it has none, or one that this device chose.
  func placeInLists(_ row: inout StoredRow, _ known: inout KnownRow, _ entity: BoundContract.Entity) throws {
    var places: [String: Double] = [:]
    for (index, field) in entity.fields.enumerated() {
      guard case .position(let column, let owner) = field.kind else { continue }
      guard case .integer(let list)? = row.columns[owner] else { continue }
      let stored: Double? =
        switch row.columns[column] {
        case .real(let number): number
        case .integer(let number): Double(number)
        default: nil
        }
      if let stored, known.seen[entity.numbers[index]] == .real(stored) { continue }
      var place = own(stored ?? Double(known.key))
      while try isTaken(place, column, owner, list, but: known.key, entity) { place = place.nextUp }
      row.columns[column] = .real(place)
      places[column] = place
    }
    if places.isEmpty { return }
    let columns = places.keys.sorted()
    let statement = try connection.statement(entity.sql.update(columns))
    for (index, column) in columns.enumerated() { statement.bind(places[column] ?? 0, at: Int32(index + 1)) }
    statement.bind(known.key, at: Int32(columns.count + 1))
    try statement.run()
    written.insert(entity.root.table)
  }

  /// A number so near another that nothing fits between, and which only this device chooses.
  private func own(_ place: Double) -> Double {
    // A copy of the device has the same name, for a while.
    let own = ((state.site ^ UInt64(session)) &* 0x9e37_79b9_7f4a_7c15) >> 44
    return place + place.ulp * Double(own + 1)
  }

  /// Whether another member of a list has a place: this device may have chosen it for one that was there before.
  private func isTaken(
    _ place: Double, _ column: String, _ owner: String, _ list: Int64, but key: Int64, _ entity: BoundContract.Entity
  ) throws -> Bool {
    let select = SQLSelect(
      [SQLResultColumn(.column(primaryKeyColumn))], from: .table(entity.root.table),
      where: .all([
        .binary(.equal, .column(owner), .parameter), .binary(.equal, .column(column), .parameter),
        .binary(.notEqual, .column(primaryKeyColumn), .parameter),
      ]))
    let statement = try connection.statement(SQLitePrinter.template(select))
    defer { statement.reset() }
    statement.bind(list, at: 1)
    statement.bind(place, at: 2)
    statement.bind(key, at: 3)
    return try statement.step()
  }

  /// Notes the members of lists that were moved: history says whose lists.
  func noteMoves(_ change: CapturedChange, of owner: Int64, _ entity: BoundContract.Entity) throws {
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
    let statement = try connection.statement(
      "SELECT \(name) FROM \(quotedIdentifier(members.root.table)) WHERE \(quotedIdentifier(column)) = ?")
    defer { statement.reset() }
    statement.bind(owner, at: 1)
    var keys: [Int64] = []
    while try statement.step() { keys.append(statement.int64(0)) }
    statement.reset()
    let number = members.numbers[index]
    for key in keys {
      guard var known = try known(key, of: members), !known.isFresh, var row = try storedRow(key, members) else {
        continue
      }
      let former = known.seen[number] ?? .null
      try placeInLists(&row, &known, members)
      let value = try value(of: members.fields[index], row, key)
      if value == former { continue }
      known.seen[number] = value
      known.replica.write(value, to: number, former: former, stamp(change.time))
      if known.turn == nil { known.turn = change.transaction }
      try keep(known, members)
    }
  }
}
