// What pending changes mean for a to-many relationship that is read from the store just now.
extension PendingChanges {
  /// Makes the members that the store has, by owner, those that the context sees.
  ///
  /// `existing`: the live model of a member's key.
  func apply(
    to members: inout [Int64: [Int64]], of owners: some Collection<Int64>, _ relationship: RelationshipInfo,
    existing: (Int64) -> (any PersistentModel)?
  ) {
    // Asked of each member: those to be deleted may be many more, and these be read one by one.
    defer {
      if hasDeletions {
        for owner in members.keys {
          members[owner]?.removeAll { existing($0)?._$state.flags.contains(.deleted) ?? false }
        }
      }
    }
    switch relationship.storage {
    case .inverseColumn(let column):
      guard let inverse = relationship.inverse else { return }
      let classes = Set(relationship.destination.selfAndDescendants.map(\.ordinal)).filter(isListed)
      if classes.isEmpty { return }
      let links = indexedLinks()
      func pendingModel(_ key: Int64) -> (any PersistentModel)? {
        linksSeen += 1
        return existing(key).flatMap { classes.contains($0._$state.ordinal) && $0.hasPending(inverse) ? $0 : nil }
      }
      for owner in owners {
        let joined = links.others(of: owner, relationship.destination.table, column)
        members[owner] = Self.shown(members[owner] ?? [], joined, of: owner, inverse, pendingModel)
      }
    case .joinTable(let table, let own, let other):
      if allJoinRows.isEmpty { return }
      let links = indexedLinks()
      for owner in owners {
        let changed = links.others(of: owner, table, own)
        linksSeen += changed.count
        let rows = changed.map { JoinRow(table: table, columns: (own, other), keys: (owner, $0)) }
        members[owner] = shown(members[owner] ?? [], zip(changed, rows))
      }
    case .column: break
    }
  }

  /// Without models that were given to another owner, and with those that came to this one: rows and then new models.
  private static func shown(
    _ stored: [Int64], _ joined: [Int64], of owner: Int64, _ inverse: Int,
    _ pendingModel: (Int64) -> (any PersistentModel)?
  ) -> [Int64] {
    func refers(_ model: any PersistentModel) -> Bool { model._$edit(inverse, .collect).keys.first == owner }
    // Set to the owner that it had, a model keeps its position.
    let kept = stored.filter { key in pendingModel(key).map(refers) ?? true }
    if joined.isEmpty { return kept }
    let known = Set(kept)
    let new = joined.filter { !known.contains($0) }.compactMap(pendingModel).filter(refers)
    let rows = new.filter { !$0._$state.flags.contains(.inserted) }
    return kept + (rows + new.filter { $0._$state.flags.contains(.inserted) }).map { $0._$state.key }
  }

  /// With what the rows of a join table add or remove.
  private func shown(_ stored: [Int64], _ changed: some Sequence<(Int64, JoinRow)>) -> [Int64] {
    var (added, removed): ([Int64], Set<Int64>) = ([], [])
    for (member, row) in changed {
      switch allJoinRows[row] {
      case true?: added.append(member)
      case false?: removed.insert(member)
      case nil: break
      }
    }
    if added.isEmpty && removed.isEmpty { return stored }
    let known = Set(stored)
    return stored.filter { !removed.contains($0) } + added.filter { !known.contains($0) }
  }
}

extension PersistentModel {
  /// Whether a save would write a property.
  fileprivate func hasPending(_ index: Int) -> Bool {
    if _$state.flags.contains(.deleted) { return false }
    if _$state.flags.contains(.inserted) { return true }
    return _$state.changed.contains(index) && !_$state.flags.contains(.vanished)
  }
}
