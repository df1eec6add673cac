// What pending changes mean for a to-many relationship that is read from the store just now.
extension PendingChanges {
  /// Makes the members that the store has, by owner, those that the context sees.
  ///
  /// `isDeleted`: whether the model of a member's key is to be deleted.
  func apply(
    to members: inout [Int64: [Int64]], of relationship: RelationshipInfo, isDeleted: (Int64) -> Bool
  ) {
    // Asked of each member: those to be deleted may be many more, and these be read one by one.
    defer { if hasDeletions { for owner in members.keys { members[owner]?.removeAll(where: isDeleted) } } }
    switch relationship.storage {
    case .inverseColumn: applyModels(to: &members, relationship)
    case .joinTable(let table, let own, _): applyJoinRows(to: &members, table, own)
    case .column: break
    }
  }

  /// Models that were given to another owner, or are new.
  private func applyModels(to members: inout [Int64: [Int64]], _ relationship: RelationshipInfo) {
    guard let inverse = relationship.inverse else { return }
    let ordinals = relationship.destination.selfAndDescendants.map(\.ordinal)
    var moved: [(member: Int64, owner: Int64?)] = []
    for model in changedModels
    where ordinals.contains(model._$state.ordinal) && model._$state.changed.contains(inverse)
      && !model._$state.flags.contains(.vanished)
    {
      moved.append((model._$state.key, model._$edit(inverse, .collect).keys.first))
    }
    if !moved.isEmpty {
      var former: [Int64: Int64] = [:]
      for (owner, keys) in members { for key in keys { former[key] = owner } }
      // Set to the owner that it had, a model keeps its position.
      moved.removeAll { $0.owner != nil && $0.owner == former[$0.member] }
      let left = Set(moved.map(\.member))
      for owner in members.keys { members[owner]?.removeAll(where: left.contains) }
    }
    for (member, owner) in moved {
      if let owner { members[owner, default: []].append(member) }
    }
    for model in insertedModels where ordinals.contains(model._$state.ordinal) {
      if let owner = model._$edit(inverse, .collect).keys.first {
        members[owner, default: []].append(model._$state.key)
      }
    }
  }

  /// Rows of a join table.
  private func applyJoinRows(to members: inout [Int64: [Int64]], _ table: String, _ own: String) {
    for (row, isLinked) in allJoinRows where row.table == table {
      let (owner, member) = row.columns.0 == own ? row.keys : (row.keys.1, row.keys.0)
      if isLinked {
        members[owner, default: []].append(member)
      } else {
        members[owner]?.removeAll { $0 == member }
      }
    }
  }
}
