/// A to-many relationship of one model whose order the store may not have.
struct ChangedList {
  let owner: any PersistentModel
  let index: Int
  let relationship: RelationshipInfo
  let ownerKey: Int64
  /// All members in order; only for a list that was rearranged, or whose owner is new and has been read.
  let members: [Int64]?
  /// Those that came since the last save.
  let joined: [Int64]

  /// Whether what the store has of the list may be asked for.
  var readsStore: Bool { ownerKey > 0 && (members != nil || joined.contains { $0 > 0 }) }
}

extension ContextCore {
  func changedLists(_ changes: SaveChanges) -> [ChangedList] {
    var lists: [ChangedList] = []
    for (index, row) in changes.rows.enumerated() where schema.hasLists[row.ordinal] {
      let model = changes.inserted[index]
      for property in schema.entities[row.ordinal].lists {
        let list = model._$edit(property.index, .collect)
        let joined = list.wasLoaded ? list.keys : model._$edit(property.index, .collectJoined).keys
        if !joined.isEmpty { add(model, property, list.wasLoaded ? joined : nil, joined) }
      }
    }
    for (place, address) in changes.updated.states.enumerated() where schema.hasLists[address.state.ordinal] {
      let model = changes.updated[place]
      for property in schema.entities[model._$state.ordinal].lists
      where model._$state.changed.contains(property.index) {
        let list = model._$edit(property.index, .collect)
        let joined = model._$edit(property.index, .collectJoined).keys
        if list.isRearranged || !joined.isEmpty {
          add(model, property, list.isRearranged ? list.keys : nil, joined)
        }
      }
    }
    return lists

    func add(_ model: any PersistentModel, _ property: PropertyInfo, _ members: [Int64]?, _ joined: [Int64]) {
      guard let relationship = property.relationship else { return }
      lists.append(
        ChangedList(
          owner: model, index: property.index, relationship: relationship, ownerKey: model._$state.key,
          members: members, joined: joined))
    }
  }
}
