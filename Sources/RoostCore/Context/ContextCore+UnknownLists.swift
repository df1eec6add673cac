// Lists without an inverse: their members do not know of them.
extension ContextCore {
  /// The live models whose lists were read and have some models, and whom of these.
  ///
  /// The first time all owners are looked at, as one deletion is not worth an index. The second time it is.
  func owners(of members: Set<Int64>, in list: PropertyInfo) -> [(owner: any PersistentModel, member: Int64)] {
    guard case .joinTable(let table, _, let column)? = list.relationship?.storage else { return [] }
    var found: [(owner: any PersistentModel, member: Int64)] = []
    guard let index = pending.members ?? indexMembers(after: list) else {
      for owner in siblings(of: 0, ordinal: list.owner.ordinal, with: list.index, limit: .max) {
        for key in owner._$edit(list.index, .collect).keys where members.contains(key) { found.append((owner, key)) }
      }
      return found
    }
    for member in members.sorted() {
      for key in index.others(of: member, table, column) {
        siblingsSeen += 1
        guard let owner = existing(ordinal: list.owner.ordinal, key: key),
          schema.entities[owner._$state.ordinal].isKind(of: list.owner),
          owner._$edit(list.index, .collect).keys.contains(member)
        else { continue }
        found.append((owner, member))
      }
    }
    return found
  }

  /// Returns nil if nobody has asked for the list's owners since the last save.
  private func indexMembers(after list: PropertyInfo) -> LinkIndex? {
    if pending.searchedLists.insert(ObjectIdentifier(list.details)).inserted { return nil }
    let index = LinkIndex()
    for entity in schema.entities {
      for property in entity.ownProperties where property.isUnknownList {
        for owner in siblings(of: 0, ordinal: entity.ordinal, with: property.index, limit: .max) {
          let members = owner._$edit(property.index, .collect).keys
          index.note(members, in: property, of: owner._$state.key)
        }
      }
    }
    pending.members = index
    return index
  }
}

extension PropertyInfo {
  /// Whether it is a list without an inverse.
  fileprivate var isUnknownList: Bool { isList && relationship?.inverse == nil }
}

extension PendingChanges {
  /// Notes who is in a list that was set just now, or read.
  func noteMembers(of owner: any PersistentModel, _ list: PropertyInfo, joined: Int64?) {
    guard let members, list.isUnknownList else { return }
    let keys = if let joined { [joined] } else { owner._$edit(list.index, .collect).keys }
    members.note(keys, in: list, of: owner._$state.key)
  }
}

extension LinkIndex {
  fileprivate func note(_ members: [Int64], in list: PropertyInfo, of owner: Int64) {
    guard case .joinTable(let table, _, let column)? = list.relationship?.storage else { return }
    for member in members { note(owner, to: member, table, column) }
  }
}
