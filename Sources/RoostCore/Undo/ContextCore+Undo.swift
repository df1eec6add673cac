import Logging
import Synchronization

extension ContextCore {
  /// Whether a model is here and stays.
  func has(_ model: any PersistentModel) -> Bool {
    model._$state.core === self && !model._$state.flags.contains(.deleted)
  }

  /// Makes everything in the step as it was. Returns the step that takes that back.
  func revert(_ step: UndoStep) -> UndoStep {
    // What became of the rows meanwhile decides what can be restored.
    context?.noticeOtherSaves()
    return editing { restore(step) }
  }

  private func restore(_ step: UndoStep) -> UndoStep {
    let isCurrent = undoSteps.isCurrent(step)
    let unread = isCurrent ? [] : step.unreadLists
    // The store may have another order by now than it had then.
    for list in unread where !list.model._$edit(list.index, .collect).wasLoaded { load(list.model, list.index) }
    let orders = unread.map { $0.model._$edit($0.index, .capture).image }
    let opposite = opposite(of: step)
    let absent = step.models.filter { $0.wasPresent && !has($0.model) }
    for touched in absent {
      if touched.model._$state.core == nil { letGo(touched.model) }
      bringBack(touched.model, touched.key)
    }
    let present = step.models.filter { !$0.wasPresent && has($0.model) }
    func leaves(_ touched: UndoStep.Touched) -> Bool {
      touched.wasOutside && touched.model._$state.flags.contains(.inserted)
    }
    let toLeave = present.filter(leaves).map(\.model)
    // After a save they are deleted as they are: what they referred to before may be outside, or gone.
    let toDelete = isCurrent ? [] : present.filter { !leaves($0) }
    let keeping = Set(toDelete.map { ObjectIdentifier($0.model) })
    let back = Set(absent.map { ObjectIdentifier($0.model) })
    for (place, slot) in step.slots where !keeping.contains(place.model) {
      // The save did not delete the model after all: others have changed it.
      if slot.isOfDeletion && !isCurrent && !back.contains(place.model) { continue }
      if let model = step.model(at: place) { restore(slot, place.index, of: model, isCurrent: isCurrent) }
    }
    let moved = back.union(present.map { ObjectIdentifier($0.model) })
    if isCurrent { for place in step.slots.keys { relist(step.model(at: place), place.index) } }
    for (row, link) in step.links {
      if isCurrent {
        pending.setJoinRow(row, link.pending)
      } else if link.isOfDeletion, !hasEnd(row, in: moved) {
        // The save did not delete a model of it after all, as above.
        continue
      } else if link.wasLinked != link.isLinked, !link.wasLinked || areLive(row) {
        pending.join(row, isLinked: link.wasLinked)
      }
    }
    letGo(of: toLeave, toDelete.map(\.model))
    leave(toLeave)
    for touched in toDelete where touched.wasOutside { nilOutTargets(of: touched.model) }
    // After a save nobody is left who takes a cascaded model along, but for models of the same step.
    let isByOthers = isCurrent || present.contains { !$0.wasCascaded }
    for touched in present where has(touched.model) {
      let model = touched.model
      pending.delete(model)
      if touched.wasCascaded && isByOthers { model._$state.flags.insert(.cascaded) }
    }
    for (list, order) in zip(unread, orders) { readAgain(list.model, list.index, inOrderOf: order) }
    if step.hasMerged { opposite.hasMerged = true }
    // What is no change any more may have been changed by others since.
    if store.generation.load(ordering: .acquiring) != step.generation { refreshReverted(step) }
    // Rows may refer to others by now than they did when the step was made, and delete rules reach others.
    showStoredRelationships()
    return opposite
  }

  private func refreshReverted(_ step: UndoStep) {
    let models = step.models.map(\.model).filter {
      has($0) && $0._$state.flags.isDisjoint(with: [.inserted, .shell])
    }
    do {
      try tellingChanges(of: models) { try readAgain(models) }
      // A draft is merged with its parent when it is saved.
      if keepsAncestors, parent == nil { takeChanges(of: models) }
    } catch {
      store.logger.error("Models show former values after an undo", metadata: ["error": "\(error)"])
    }
  }

  /// Reads a list that was not read when it was noted, with those that it had before the undo in their former order.
  private func readAgain(_ model: any PersistentModel, _ index: Int, inOrderOf former: SlotImage?) {
    guard has(model), case .toMany(let members) = former, case .keys(let keys) = members.contents else { return }
    model._$announce(index, willChange: true)
    model._$edit(index, .unload)
    keepOrder(keys, of: model, index)
    if let image = model._$edit(index, .capture).image { model._$edit(index, .restore(image.asChange(from: former))) }
    model._$announce(index, willChange: false)
  }

  /// Has models that are to be deleted let go of those that leave the context.
  private func letGo(of leaving: [any PersistentModel], _ models: [any PersistentModel]) {
    if leaving.isEmpty { return }
    let gone = Dictionary(leaving.map { ($0._$state.key, $0) }, uniquingKeysWith: { first, _ in first })
    for model in models {
      for property in schema.entities[model._$state.ordinal].relationships {
        for key in model._$edit(property.index, .collect).keys {
          if let target = gone[key] { model._$editInverse(property.index, .remove(target, key: key)) }
        }
      }
    }
  }

  /// Has a model whose insert is undone after the save refer to nobody: deleting it must
  /// not delete what was there before.
  ///
  /// Relationships with an inverse are restored on the other side.
  private func nilOutTargets(of model: any PersistentModel) {
    for property in schema.entities[model._$state.ordinal].relationships where property.relationship?.inverse == nil {
      guard case .toOne = property.kind, !model._$edit(property.index, .collect).keys.isEmpty else { continue }
      model._$announce(property.index, willChange: true)
      model._$edit(property.index, .restore(.toOne(ToOneReference(key: 0))))
      pending.restore(model, property.index, isChanged: true)
      model._$announce(property.index, willChange: false)
    }
  }

  /// Has models that never had a row be outside again, with what they referred to.
  private func leave(_ models: [any PersistentModel]) {
    // Keys refer to models only while these are registered, so all slots come first.
    for model in models { detachSlots(of: model) }
    for model in models {
      release(model, isDetached: true)
      model._$state.flags.insert(.deleted)
    }
    pending.forget(models)
    // It shows them still.
    if !models.isEmpty { context?.forgetOverlay() }
  }

  /// The model that a relationship refers to, if it is to be deleted.
  func toGo(_ key: Int64, of model: any PersistentModel, _ index: Int) -> (any PersistentModel)? {
    guard let entity = model._$info(index)?.relationship?.destination,
      let target = existing(ordinal: entity.ordinal, key: key), target._$state.flags.contains(.deleted)
    else { return nil }
    return target
  }

  private func opposite(of step: UndoStep) -> UndoStep {
    let opposite = undoSteps.make(context?.seenGeneration ?? store.generation.load(ordering: .acquiring))
    for touched in step.models {
      let model = touched.model
      opposite.note(model, isPresent: has(model))
      guard !touched.wasPresent, has(model) else { continue }
      // Its row may go with the next save, and all that was not read of it.
      for property in schema.entities[model._$state.ordinal].properties {
        if !model._$edit(property.index, .collect).wasLoaded { load(model, property.index) }
        opposite.note(property.index, of: model, in: self, isOfDeletion: true)
      }
    }
    for (place, slot) in step.slots {
      guard let model = step.model(at: place) else { continue }
      readValue(place.index, of: model)
      opposite.note(place.index, of: model, in: self, isOfDeletion: slot.isOfDeletion)
    }
    for (row, link) in step.links {
      opposite.note(
        row, wasLinked: link.isLinked, isLinked: link.wasLinked, pending: pending.allJoinRows[row],
        isOfDeletion: link.isOfDeletion)
    }
    return opposite
  }

  /// Whether one of some models is an end of a link.
  private func hasEnd(_ row: JoinRow, in models: Set<ObjectIdentifier>) -> Bool {
    guard let table = schema.joinTables.first(where: { $0.name == row.table }) else { return false }
    return [(table.owner, table.ownerColumn), (table.destination, table.destinationColumn)].contains { entity, column in
      existing(ordinal: entity.ordinal, key: row.key(in: column)).map { models.contains(ObjectIdentifier($0)) } ?? false
    }
  }

  /// Reads a value that a step is to keep and that was not fetched: its row or file may be gone by then.
  ///
  /// Lists that only grow need not be read.
  func readValue(_ index: Int, of model: any PersistentModel) {
    guard let property = model._$info(index), !property.isList, model._$state.core === self else { return }
    if !model._$edit(index, .collect).wasLoaded { load(model, index) }
  }

  /// Has models outside of every context let go of one that was linked to them there and gets its former slots back.
  private func letGo(_ model: any PersistentModel) {
    for property in schema.entities[model._$state.ordinal].relationships {
      guard let inverse = property.relationship?.inverse else { continue }
      for target in model._$edit(property.index, .collect).models where target._$state.core == nil {
        target._$editInverse(inverse, .remove(model, key: 0))
      }
    }
  }

  /// Takes the deletion of a model back; one whose row is deleted already gets it again, with its key.
  private func bringBack(_ model: any PersistentModel, _ former: Int64) {
    if model._$state.core === self {
      let isNew = model._$state.flags.contains(.inserted)
      if model._$state.key != former {
        // Inserted again meanwhile, as a new one. What has a row by now keeps that.
        if isNew {
          rekey(&model._$state, to: former)
        } else {
          let root = schema.entities[model._$state.ordinal].root
          undoSteps.replace(KeyReplacement(former: former, key: model._$state.key, root: root), schema)
        }
      }
      model._$state.flags.subtract([.deleted, .cascaded, .cascadedFromNew])
      if isNew { pending.insert(model) } else { pending.undelete(model) }
      return
    }
    guard model._$state.core == nil else { return }
    let ordinal = model._$state.ordinal
    var key = former
    if let other = existing(ordinal: ordinal, key: former) {
      // Another program's row has the key by now.
      key = TemporaryKeys.next()
      let replacement = KeyReplacement(former: former, key: key, root: schema.entities[ordinal].root)
      undoSteps.replace(replacement, schema, except: other)
    }
    // SAFETY: kept by the identity map, which the model leaves in its deinit.
    let pointer = Unmanaged.passUnretained(model as AnyObject).toOpaque()
    model._$state.flags = [.inserted, .listedInserted]
    model._$state.register(in: self, ordinal: ordinal, key: key, pointer)
    identities.insert(pointer, ordinal: ordinal, key: key)
    pending.insertListed(model, model._$stateAddress)
  }

  private func restore(_ slot: UndoStep.Slot, _ index: Int, of model: any PersistentModel, isCurrent: Bool) {
    // Out of the context, or in another one, keys mean nothing.
    guard model._$state.core === self else { return }
    model._$announce(index, willChange: true)
    if keepsAncestors, !isCurrent { keepAncestor(of: model, index) }
    let image = isCurrent ? slot.image : slot.image.asChange(from: model._$edit(index, .capture).image)
    model._$edit(index, .restore(image))
    pending.restore(model, index, isChanged: !isCurrent || slot.wasChanged)
    // What came meanwhile the value was not made of.
    if isCurrent, slot.wasChanged, let ancestor = slot.ancestor { model._$state.noteAncestor(index, ancestor) }
    if isCurrent { model._$state.noteDetachment(index, slot.detachment) }
    model._$announce(index, willChange: false)
  }

  /// Has a list that was read have a model which refers to its owner again. Another step may have taken it out since:
  /// of an owner that is to be deleted the list is made anew by who refers to it.
  private func relist(_ model: (any PersistentModel)?, _ index: Int) {
    guard let model, model._$state.core === self, let relationship = model._$info(index)?.relationship,
      case .column = relationship.storage, let inverse = relationship.inverse, !relationship.inverseIsToOne,
      let key = model._$edit(index, .collect).keys.first, let owner = object(of: model, index, key: key)
    else { return }
    let members = owner._$edit(inverse, .collect)
    if !members.wasLoaded || members.keys.contains(model._$state.key) { return }
    owner._$announce(inverse, willChange: true)
    owner._$editInverse(inverse, .add(model, key: model._$state.key))
    owner._$announce(inverse, willChange: false)
  }

  /// The models that refer to a row by a relationship which the row's model does not know of.
  func referrers(to key: Int64, through referrer: PropertyInfo) -> [any PersistentModel] {
    let owner = referrer.owner
    var owners =
      referrer.isList
      ? self.owners(of: [key], in: referrer).map(\.owner)
      : siblings(of: 0, ordinal: owner.ordinal, with: referrer.index, limit: .max)
        .filter { $0._$edit(referrer.index, .collect).keys.contains(key) }
    let known = Set(owners.map { $0._$state.key })
    do {
      let others = try store.referrers(to: key, through: referrer).filter { !known.contains($0) }
      owners +=
        owner.isMixed
        ? mixedModels(owner, others) : others.map { model(owner.type, ordinal: owner.ordinal, key: $0) }
    } catch {
      store.logger.error(
        "Undo will not restore who referred to a deleted model", metadata: ["error": "\(error)"])
    }
    return owners
  }
}
