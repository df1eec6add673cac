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
    if let core = root._$state.core, let context = core.context {
      if context !== self { return report(.wrongContext(inserted: root)) }
      if root._$state.flags.contains(.deleted) { undelete(root) }
      return
    }
    guard let entity = store.schema.entity(for: type(of: root)) else { return report(.modelNotInSchema(root)) }
    if entity.relationships.isEmpty { return enter(root, entity) }
    var arrived: [any PersistentModel] = []
    var waiting: [any PersistentModel] = [root]
    while let model = waiting.popLast() {
      guard model._$state.core?.context == nil else { continue }
      guard let entity = store.schema.entity(for: type(of: model)) else {
        report(.modelNotInSchema(model))
        continue
      }
      enter(model, entity)
      arrived.append(model)
      var collector = RelatedModels()
      model._$visit(&collector)
      waiting.append(contentsOf: collector.models.reversed())
    }
    let newcomers = Set(arrived.map { ObjectIdentifier($0) })
    for model in arrived { linkIntoContext(model, newcomers) }
  }

  private func enter(_ model: any PersistentModel, _ entity: EntityInfo) {
    let pointer = Unmanaged.passUnretained(model as AnyObject).toOpaque()
    let key = model._$state.enter(core, ordinal: entity.ordinal, pointer)
    core.identities.insert(pointer, ordinal: entity.ordinal, key: key)
    pending.insertListed(model)
  }

  /// Replaces the models in the slots by their keys, and tells those that were here before.
  private func linkIntoContext(_ model: any PersistentModel, _ newcomers: Set<ObjectIdentifier>) {
    let entity = store.schema.entities[model._$state.ordinal]
    for property in entity.relationships {
      guard let relationship = property.relationship else { continue }
      let found = model._$edit(property.index, .collect)
      let targets = found.models
      model._$edit(property.index, .enterContext { $0._$temporaryKey() })
      for target in targets where target._$state.core === core {
        if let inverse = relationship.inverse, found.isUnlinked || !newcomers.contains(ObjectIdentifier(target)) {
          RelationshipLinker.linkInverse(of: model, key: model._$state.key, property.index, inverse, target)
        }
        pairInserted(model, relationship, target, newcomers)
      }
    }
  }

  /// Records a row of a join table once, although both of its models may be new.
  private func pairInserted(
    _ model: any PersistentModel, _ relationship: RelationshipInfo, _ target: any PersistentModel,
    _ newcomers: Set<ObjectIdentifier>
  ) {
    guard case .joinTable(let table, let own, let other) = relationship.storage else { return }
    let pair = JoinPair(table: table, columns: (own, other), keys: (model._$state.key, target._$state.key))
    if pending.pairs[pair] == nil { pending.pair(pair, isLinked: true) }
  }

  private func undelete(_ model: any PersistentModel) {
    model._$state.flags.remove(.deleted)
    if model._$state.flags.contains(.inserted) { pending.insert(model) } else { model._$state.flags.insert(.stale) }
  }

  func willChange(_ model: any PersistentModel, _ index: Int) {
    guard !model._$state.flags.contains(.deleted) else { return }
    pending.change(model, index)
  }

  func pairChanged(_ pair: JoinPair, isLinked: Bool) { pending.pair(pair, isLinked: isLinked) }
}

/// The models that a model's slots hold.
private struct RelatedModels: _SlotVisitor {
  var models: [any PersistentModel] = []

  mutating func visit<Slot: _PropertySlot>(_ slot: inout Slot, _ index: Int) {
    let edit = _RelationshipEdit(.collect)
    slot.edit(edit)
    models += edit.models
  }
}
