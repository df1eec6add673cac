import Foundation

extension ModelContext {
  /// Adds a model, and every model it refers to that is in no context yet, to what the next save writes.
  ///
  /// A model that was deleted in this context since the last save is kept after all. A model of another context, or of
  /// a type that the schema does not have, is not inserted: the next ``save()`` throws.
  public func insert<T>(_ model: T) where T: PersistentModel {
    insertGraph(model)
  }

  private func insertGraph(_ root: any PersistentModel) {
    if root._$attachedCore === core {
      if root._$state.flags.contains(.deleted) { undelete(root) }
      return
    }
    var arrived: [any PersistentModel] = []
    enter(root, &arrived)
    var next = 0
    while next < arrived.count {
      linkIntoContext(arrived[next], &arrived)
      next += 1
    }
    for model in arrived { model._$state.flags.remove(.arriving) }
  }

  /// Makes the model one of this context's, its relationships apart.
  private func enter(_ model: any PersistentModel, _ arrived: inout [any PersistentModel]) {
    guard model._$attachedCore == nil else { return report(.wrongContext(inserted: model)) }
    guard let entity = store.schema.entity(for: type(of: model)) else { return report(.modelNotInSchema(model)) }
    let pointer = Unmanaged.passUnretained(model as AnyObject).toOpaque()
    let key = model._$state.enter(core, ordinal: entity.ordinal, pointer)
    core.identities.insert(pointer, ordinal: entity.ordinal, key: key)
    pending.insertListed(model)
    if entity.relationships.isEmpty { return }
    model._$state.flags.insert(.arriving)
    arrived.append(model)
  }

  /// Brings in what the model refers to, replaces the models in its slots by their keys, and tells those that were here
  /// before.
  private func linkIntoContext(_ model: any PersistentModel, _ arrived: inout [any PersistentModel]) {
    for property in store.schema.entities[model._$state.ordinal].relationships {
      guard let relationship = property.relationship else { continue }
      let found = model._$edit(property.index, .enterContext)
      found.forEachModel { target in
        if target._$state.core !== core { enter(target, &arrived) }
        guard target._$state.core === core else {
          // Reported; its key means another row here.
          model._$edit(property.index, .remove(target, key: target._$temporaryKey()))
          return
        }
        // Two newcomers knew each other before.
        if found.isUnlinked || !target._$state.flags.contains(.arriving) {
          RelationshipLinker.linkInverse(of: model, key: model._$state.key, property.index, relationship, target)
        }
        pairInserted(model, relationship, target)
      }
    }
  }

  /// Records a row of a join table once, although both of its models may be new.
  private func pairInserted(
    _ model: any PersistentModel, _ relationship: RelationshipInfo, _ target: any PersistentModel
  ) {
    guard case .joinTable(let table, let own, let other) = relationship.storage else { return }
    let pair = JoinPair(table: table, columns: (own, other), keys: (model._$state.key, target._$state.key))
    if pending.pairs[pair] == nil { pending.pair(pair, isLinked: true) }
  }

  private func undelete(_ model: any PersistentModel) {
    model._$state.flags.remove(.deleted)
    if model._$state.flags.contains(.inserted) { pending.insert(model) } else { model._$state.flags.insert(.stale) }
  }

  func pairChanged(_ pair: JoinPair, isLinked: Bool) { pending.pair(pair, isLinked: isLinked) }
}
