extension ModelContext {
  /// Has the next save delete the model's row, and applies the delete rules of its relationships at once.
  ///
  /// A model that was never saved is discarded. Related models are deleted (`.cascade`), let go (`.nullify`) or left
  /// alone (`.noAction`); with `.deny`, the save throws while others refer to it.
  public func delete<T>(_ model: T) where T: PersistentModel {
    if model._$isDuplicate { return delete(model._$registered) }
    let core = core
    guard model._$state.membership(in: core) != .elsewhere else {
      // Also of a context that is gone, unless the row is: nobody else would delete it.
      let hasRow = model._$state.hasCore && model._$state.key > 0 && !model._$state.flags.contains(.vanished)
      if hasRow || model.modelContext != nil { report(.wrongContext(inserted: model)) }
      return
    }
    guard concernsNobody(model) else { return deleteGraph([model]) }
    if model._$state.flags.contains(.deleted) { return }
    core.editing { _ = deleteAlone(model, with: nil, []) }
  }

  /// Deletes models with all that goes with them, wave by wave: those of a wave live together, so that what the rules
  /// need to know is read for all of them in one statement.
  ///
  /// What this finds is what the context shows until the save, which asks the rows once more.
  package func deleteGraph(_ roots: [any PersistentModel]) {
    bareCore.editing {
      for root in roots { root._$state.flags.subtract([.cascaded, .cascadedFromNew]) }
      var wave = roots.map { Doomed(model: $0, origin: []) }
      var deleted: [Int: [Int64: any PersistentModel]] = [:]
      while !wave.isEmpty {
        wave.removeAll { $0.model._$state.flags.contains(.deleted) }
        // Read before they count as deleted: rules need to know who is related.
        bareCore.source.readLists(of: wave.map(\.model), isCascade: !deleted.isEmpty, in: bareCore)
        let found = wave.map { links(of: $0.model) }
        var next: [Doomed] = []
        for (doomed, links) in zip(wave, found) where !doomed.model._$state.flags.contains(.deleted) {
          let model = doomed.model
          let isNew = model._$state.flags.contains(.inserted)
          let targets = deleteAlone(model, with: doomed.owner, links)
          model._$state.flags.formUnion(doomed.origin)
          deleted[model._$state.ordinal, default: [:]][model._$state.key] = model
          let origin: _ModelState.Flags = isNew ? [.cascaded, .cascadedFromNew] : .cascaded
          next += targets.map { Doomed(model: $0, origin: origin, owner: model) }
        }
        wave = next
      }
      // Once for all: each looks at all lists.
      for (ordinal, models) in deleted {
        removeFromUnknownLists(models, store.schema.entities[ordinal])
      }
    }
  }

  /// Whether no other model is related to those of a model's class.
  private func concernsNobody(_ model: any PersistentModel) -> Bool {
    !store.schema.isRelated[model._$state.ordinal]
  }

  /// A model to be deleted, the flags that say why, and the model that takes it along.
  private struct Doomed {
    let model: any PersistentModel
    let origin: _ModelState.Flags
    var owner: (any PersistentModel)?
  }

  /// A relationship of a model that is to be deleted, and whom it refers to.
  private typealias Link = (property: PropertyInfo, relationship: RelationshipInfo, targets: [any PersistentModel])

  private func links(of model: any PersistentModel) -> [Link] {
    store.schema.entities[model._$state.ordinal].relationships.compactMap { property in
      property.relationship.map { (property, $0, relatedModels(model, property, $0)) }
    }
  }

  /// Returns the models that the delete rules take along. `owner`: the model that takes this one along; nil for none.
  private func deleteAlone(
    _ model: any PersistentModel, with owner: (any PersistentModel)?, _ links: [Link]
  ) -> [any PersistentModel] {
    if let undo = bareCore.undo { undo.willDelete(model, store.schema.entities[model._$state.ordinal], with: owner) }
    pending.delete(model)
    var taken: [any PersistentModel] = []
    for link in links { taken += apply(link.relationship, of: model, to: link.targets) }
    return taken
  }

  /// Nils out relationships that were set to models which go with the same save and do not know of it: the store would
  /// do so only for rows that it has already.
  func forgetDeletedTargets() {
    guard pending.hasDeletions else { return }
    for model in pending.insertedModels + pending.changedModels {
      for property in store.schema.entities[model._$state.ordinal].relationships {
        guard case .toOne(let relationship) = property.kind, relationship.inverse == nil,
          model._$state.flags.contains(.inserted) || model._$state.changed.contains(property.index),
          let key = model._$edit(property.index, .collect).keys.first,
          let target = bareCore.existing(ordinal: relationship.destination.ordinal, key: key),
          target._$state.flags.contains(.deleted)
        else { continue }
        model._$edit(property.index, .remove(target, key: key))
        // Set again, if the save finds that the target stays, or fails.
        model._$state.noteDetachment(property.index, Detachment(owner: key, isByDeletion: true, wasSet: true))
      }
    }
  }

  /// Takes that back, as nothing was saved: the deletions may still be taken back, or rolled back.
  func recallDeletedTargets() {
    for model in pending.insertedModels + pending.changedModels {
      for (index, detachment) in model._$state.allDetachments where detachment.isByDeletion && detachment.wasSet {
        let property = store.schema.entities[model._$state.ordinal].properties[index]
        guard let relationship = property.relationship, relationship.inverse == nil else { continue }
        model._$edit(index, .restore(.toOne(ToOneReference(key: detachment.owner))))
        model._$state.noteDetachment(index, nil)
      }
    }
  }

  /// Takes models out of the lists that were read and have no inverse; the rows go with their own.
  private func removeFromUnknownLists(_ models: [Int64: any PersistentModel], _ entity: EntityInfo) {
    for list in entity.unknownLists {
      for (owner, key) in bareCore.owners(of: Set(models.keys), in: list) {
        if let model = models[key] { owner._$editInverse(list.index, .remove(model, key: key)) }
      }
    }
  }

  private func relatedModels(
    _ model: any PersistentModel, _ property: PropertyInfo, _ relationship: RelationshipInfo
  ) -> [any PersistentModel] {
    if !model._$edit(property.index, .collect).wasLoaded { bareCore.load(model, property.index) }
    let keys = model._$edit(property.index, .collect).keys
    if relationship.destination.isMixed { return bareCore.mixedModels(relationship.destination, keys) }
    return keys.compactMap { bareCore.object(of: model, property.index, key: $0) }
  }

  /// Applies a relationship's delete rule. Returns the models that it takes along.
  private func apply(
    _ relationship: RelationshipInfo, of model: any PersistentModel, to targets: [any PersistentModel]
  ) -> [any PersistentModel] {
    let remaining = targets.filter { !$0._$state.flags.contains(.deleted) }
    // A model that never had a row has none to protect, and none that others may still refer to.
    switch relationship.deleteRule {
    case .cascade: return remaining
    case .nullify: break
    case .noAction, .deny: if !model._$state.flags.contains(.inserted) { return [] }
    }
    for target in remaining {
      RelationshipLinker.unlinkInverse(of: model, relationship, target, isByDeletion: true)
    }
    return []
  }
}
