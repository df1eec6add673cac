public import Foundation

extension ModelContext {
  /// Has the next save delete the model's row, and applies the delete rules of its relationships at once.
  ///
  /// A model that was never saved is discarded. Related models are deleted (`.cascade`), let go (`.nullify`) or left
  /// alone (`.noAction`); with `.deny`, the save throws while others refer to it.
  public func delete<T>(_ model: T) where T: PersistentModel {
    core.settle()
    guard model.modelContext === self else {
      if model.modelContext != nil { report(.wrongContext(inserted: model)) }
      return
    }
    deleteGraph(model)
  }

  /// Has the next save delete all models of a type that match a predicate.
  ///
  /// Delete rules apply as for ``delete(_:)``.
  /// - Parameters:
  ///   - model: the type.
  ///   - predicate: nil deletes all of them.
  ///   - includeSubclasses: whether models of subclasses go too.
  /// - Throws: ``SwiftDataError`` when the predicate cannot be translated or the store cannot be read.
  public func delete<T>(
    model: T.Type, where predicate: Predicate<T>? = nil, includeSubclasses: Bool = true
  ) throws where T: PersistentModel {
    let name = Schema.entityName(for: model)
    for identifier in try fetchIdentifiers(FetchDescriptor(predicate: predicate)) {
      if !includeSubclasses && identifier.entityName != name { continue }
      if let found = self.model(for: identifier) as? T { delete(found) }
    }
  }

  private func deleteGraph(_ root: any PersistentModel) {
    var waiting: [any PersistentModel] = [root]
    while let model = waiting.popLast() {
      guard !model._$state.flags.contains(.deleted) else { continue }
      let entity = store.schema.entities[model._$state.ordinal]
      // Read before the model counts as deleted: rules need to know who is related.
      let related = entity.properties.compactMap {
        property -> (PropertyInfo, RelationshipInfo, [any PersistentModel])? in
        guard let relationship = property.relationship else { return nil }
        return (property, relationship, relatedModels(model, property, relationship))
      }
      core.undo?.willDelete(model, entity)
      pending.delete(model)
      for (property, relationship, targets) in related {
        apply(relationship.deleteRule, of: model, property, relationship, to: targets, &waiting)
      }
      removeFromUnknownLists(model, entity)
      pending.forgetPairs(of: model._$state.key, entity)
    }
  }

  /// Has new and edited models lead nowhere instead of to what goes with the same save and does not know of them: the
  /// store would do so only for rows that it has already.
  func forgetDeletedTargets() {
    guard pending.all.contains(where: { $0._$state.flags.contains(.deleted) }) else { return }
    for model in pending.insertedModels + pending.changedModels {
      for property in store.schema.entities[model._$state.ordinal].relationships {
        guard case .toOne(let relationship) = property.kind, relationship.inverse == nil,
          let key = model._$edit(property.index, .collect).keys.first,
          let target = core.existing(ordinal: relationship.destination.ordinal, key: key),
          target._$state.flags.contains(.deleted)
        else { continue }
        model._$edit(property.index, .remove(target, key: key))
      }
    }
  }

  /// Takes a model out of the lists that were read and have no inverse; the rows go with its own.
  private func removeFromUnknownLists(_ model: any PersistentModel, _ entity: EntityInfo) {
    let key = model._$state.key
    for list in entity.unknownLists {
      for owner in core.siblings(of: 0, ordinal: list.owner.ordinal, with: list.index, limit: .max)
      where owner._$edit(list.index, .collect).keys.contains(key) {
        owner._$willChangeInverse(list.index)
        owner._$edit(list.index, .remove(model, key: key))
        owner._$didChangeInverse(list.index)
      }
    }
  }

  private func relatedModels(
    _ model: any PersistentModel, _ property: PropertyInfo, _ relationship: RelationshipInfo
  ) -> [any PersistentModel] {
    if !model._$edit(property.index, .collect).wasLoaded { core.load(model, property.index) }
    let keys = model._$edit(property.index, .collect).keys
    if relationship.destination.isMixed { return core.mixedModels(relationship.destination, keys) }
    return keys.compactMap { core.object(of: model, property.index, key: $0) }
  }

  private func apply(
    _ rule: Schema.Relationship.DeleteRule, of model: any PersistentModel, _ property: PropertyInfo,
    _ relationship: RelationshipInfo, to targets: [any PersistentModel], _ waiting: inout [any PersistentModel]
  ) {
    // A model that never had a row has none to protect, and none that others may still lead to.
    let isNew = model._$state.flags.contains(.inserted)
    for target in targets where !target._$state.flags.contains(.deleted) {
      switch rule {
      case .cascade: waiting.append(target)
      case .noAction, .deny: if isNew { RelationshipLinker.unlinkInverse(of: model, relationship, target) }
      case .nullify: RelationshipLinker.unlinkInverse(of: model, relationship, target)
      }
    }
  }
}
