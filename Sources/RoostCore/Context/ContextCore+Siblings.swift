// Who is read together with a model that lacks something, so that a loop over rows runs few statements.
extension ContextCore {
  /// The most targets of to-one relationships that are read at once: few of all that are kept for a while, so that what
  /// a walk has read along one relationship is still there when it has read along others.
  static let targetLimit = 1_024
  /// The same of lists' members.
  static let memberLimit = 4_096
  /// The most siblings that are read with one that lacks a property, and how many with the first.
  private static let siblingLimit = 8_192
  private static let firstSiblings = 64
  /// So many are looked at even for few.
  private static let firstLooks = 1_024

  /// Live models that have a property of one of them, by its index there, the nearest by their keys first.
  func siblings(of key: Int64, ordinal: Int, with index: Int, limit: Int) -> some Sequence<any PersistentModel> {
    let entity = schema.entities[ordinal]
    let owner = entity.isInHierarchy ? entity.properties[index].owner : nil
    return identities.neighbours(of: key, ordinal: ordinal, limit: limit).lazy.compactMap {
      object -> (any PersistentModel)? in
      self.siblingsSeen += 1
      guard let model = object as? any PersistentModel else { return nil }
      if let owner, !self.schema.entities[model._$state.ordinal].isKind(of: owner) { return nil }
      return model
    }
  }

  /// The siblings of a model that are to be read with it, as they lack what it lacks of a property.
  ///
  /// At most twice as many as the last time: who looks at one model has few others read, and a walk soon reads many at
  /// once.
  func siblings(
    of model: any PersistentModel, _ index: Int, where lacks: (any PersistentModel) -> Bool
  ) -> [any PersistentModel] {
    let (ordinal, key) = (model._$state.ordinal, model._$state.key)
    let property = ObjectIdentifier(schema.entities[ordinal].properties[index].details)
    let most = max(Self.firstSiblings, min(2 * (siblingsRead[property] ?? 0), Self.siblingLimit))
    var found: [any PersistentModel] = []
    // Twice as many, as those on one side of it were read already, if this is a walk.
    let near = siblings(of: key, ordinal: ordinal, with: index, limit: max(2 * most, Self.firstLooks))
    for sibling in near where sibling !== model && lacks(sibling) {
      found.append(sibling)
      if found.count == most { break }
    }
    siblingsRead[property] = found.count
    return found
  }
}
