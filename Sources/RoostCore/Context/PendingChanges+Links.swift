// Who is linked to a model by pending changes. That is asked for each list that is read, and many of both may be there.
extension PendingChanges {
  /// All pending links, and those that are taken back or removed. What is linked later is noted there.
  func indexedLinks() -> LinkIndex {
    if let links { return links }
    let index = LinkIndex()
    for model in all {
      linksSeen += 1
      for property in schema.entities[model._$state.ordinal].relationships { Self.note(model, property, in: index) }
    }
    for row in allJoinRows.keys {
      linksSeen += 1
      index.note(row)
    }
    links = index
    return index
  }

  /// Notes whom a relationship refers to that was set just now, or read.
  ///
  /// `joined`: the key of the only one that it did not refer to before.
  func noteReference(of model: any PersistentModel, _ index: Int, joined: Int64?) {
    if links == nil && members == nil { return }
    let property = schema.entities[model._$state.ordinal].properties[index]
    if property.isList { return noteMembers(of: model, property, joined: joined) }
    if let links { Self.note(model, property, in: links) }
  }

  private static func note(_ model: any PersistentModel, _ property: PropertyInfo, in index: LinkIndex) {
    guard let relationship = property.relationship, case .column(let column) = relationship.storage,
      relationship.inverse != nil, !relationship.inverseIsToOne,
      let target = model._$edit(property.index, .collect).keys.first
    else { return }
    index.note(model._$state.key, to: target, property.owner.table, column)
  }

  /// Forgets what was found by models' keys, which may be others by now.
  func forgetLinks() {
    links = nil
    members = nil
    searchedLists = []
    keptLists.forget()
  }
}
