import Foundation
import RoostEngine

extension ModelContext {
  /// Writes all pending changes in one transaction, in the fewest statements.
  ///
  /// Models inserted get their permanent identifiers. If anything fails, the store and the context are as before. A
  /// draft's changes go to its parent instead; see ``init(draftOf:)``.
  /// - Throws: ``SwiftDataError/modelValidationFailure`` naming model, property and constraint;
  ///   ``SwiftDataError/mergeConflict`` where ``mergePolicy`` asks for it; ``SwiftDataError/readOnlyStore``;
  ///   mistakes that earlier calls could not throw; or what the database reports, such as
  ///   ``SwiftDataError/storeBusy`` and ``SwiftDataError/storeFull``.
  public func save() throws {
    // By an observer of `willSave`: the save under way writes what there is by then.
    if isAnnouncingSave { return }
    processPendingChanges()
    if let mistake = reported.first {
      defer { reported = [] }
      throw mistake.first(of: reported.count)
    }
    guard pending.hasChanges else { return endChanges(takePending()) }
    try store.checkAllowsSave("Roll back")
    if let parent { return try merge(into: parent) }
    announceSave()
    guard let (changes, saved) = try writePending() else { return endChanges(takePending()) }
    autosaveError = nil
    let others = bareCore.pending.observed.map { _ in store.schema.tablesOfOthers(changes, saved) }
    let identifiers = bareCore.editing {
      let identifiers = adopt(saved, changes)
      ownSaveEnded(saved)
      return identifiers
    }
    store.announce(saved, others ?? [], by: bareCore)
    NotificationCenter.default.post(name: Self.didSave, object: self, userInfo: identifiers)
    CoreDataNotifications.saved(self, identifiers)
  }

  /// Writes the pending changes, once relationships in memory are those of the rows. Returns nil if none is left then.
  private func writePending() throws -> (SaveChanges, SavedChanges)? {
    var isWritten = false
    defer { if !isWritten { recallDeletedTargets() } }
    // Others may change the new rows as soon as these are committed.
    bareCore.listen()
    for _ in 0..<Self.saveAttempts {
      if pending.hasDeletions { store.willDelete() }
      guard pending.hasChanges else { return nil }
      forgetDeletedTargets()
      let changes = SaveChanges(pending, author: historyAuthor, policy: mergePolicy)
      changes.lists = bareCore.changedLists(changes)
      if !store.schema.deleteRules.denials.isEmpty {
        for model in changes.deleted { try validateDenied(model) }
      }
      do {
        let saved = try store.save(changes)
        isWritten = true
        return (changes, saved)
      } catch is StaleRelationships {
        bareCore.showStoredRelationships()
      } catch let found as FoundConflicts {
        let undecided = found.undecided
        if mergePolicy == .error, !undecided.isEmpty {
          throw SwiftDataError.mergeConflict(undecided.map { MergeConflict($0, in: bareCore) })
        }
        bareCore.takeMerged(found)
        try SwiftDataError.translating { try bareCore.takeStored(undecided) }
      }
    }
    throw SwiftDataError(
      .storeBusy, "Other contexts or programs changed the same rows, or rows related to them, again and again.",
      remedy: "Save again when they have paused.")
  }

  /// How often a save begins anew because others wrote in between.
  private static var saveAttempts: Int { 100 }

  func announceSave() {
    isAnnouncingSave = true
    NotificationCenter.default.post(name: Self.willSave, object: self)
    isAnnouncingSave = false
    bareCore.insertWaiting()
  }

  /// Makes the context what the store now is.
  private func adopt(_ saved: SavedChanges, _ changes: SaveChanges) -> [AnyHashable: Any] {
    isAdopting = true
    defer { isAdopting = false }
    let former = takePending()
    bareCore.undoSteps.forget(saved.knownLinks)
    bareCore.undoSteps.saved(saved.keys)
    var end = _SlotEdit(.endSave(saved.keys))
    for place in saved.rows.indices where saved.rows[place].hasTemporaryKeys {
      edit(changes.inserted[place], &end)
    }
    for (place, address) in changes.updated.states.enumerated() where store.schema.isRelated[address.state.ordinal] {
      edit(changes.updated[place], &end)
    }
    for list in changes.lists { list.owner._$edit(list.index, .endOrder) }
    if !bareCore.undoSteps.isEmpty {
      let merged = zip(changes.inserted, saved.rows).filter { $0.1.isMerged }
      bareCore.undoSteps.forget(Set(merged.map { ObjectIdentifier($0.0) }))
    }
    let (core, scopes) = (bareCore, store.scopes)
    core.identities.rekey(changes.inserted.states, saved.rows)
    for (place, row) in saved.rows.enumerated() where row.isMerged { adopt(row, changes.inserted[place]) }
    let identifiers = SaveNotice.userInfo(
      inserted: saved.rows.map { PersistentIdentifier(scope: scopes[$0.ordinal], key: $0.key) },
      updated: changes.updated.identifiers(in: scopes), deleted: changes.deleted.identifiers(in: scopes),
      tokens: saved.recorded.transaction.map {
        [store.identifier: DefaultHistoryToken(store: store.identifier, transaction: $0)]
      })
    core.releaseDeleted(changes.deleted)
    forgetDeleted(changes.deleted)
    endChanges(former)
    bareCore.drafts.parentSaved(saved)
    return identifiers
  }

  /// Nils out to-one relationships without an inverse that referred to deleted rows, as the store did.
  private func forgetDeleted(_ models: ModelList) {
    for ordinal in models.ordinals {
      let referrers = store.schema.entities[ordinal].unknownReferrers.filter { !$0.isList }
      if referrers.isEmpty { continue }
      let keys = Set(models.keys(of: ordinal))
      for referrer in referrers {
        for owner in bareCore.siblings(of: 0, ordinal: referrer.owner.ordinal, with: referrer.index, limit: .max) {
          guard let key = owner._$edit(referrer.index, .collect).keys.first, keys.contains(key) else { continue }
          owner._$announce(referrer.index, willChange: true)
          owner._$edit(referrer.index, .restore(.toOne(ToOneReference(key: 0))))
          owner._$announce(referrer.index, willChange: false)
        }
      }
    }
  }

  /// The models with pending changes, of which the context has none afterwards.
  func takePending() -> [ModelList] {
    overlay?.close()
    overlay = nil
    defer { awaitChange() }
    return pending.take()
  }

  func endChanges(_ former: [ModelList]) {
    for list in former {
      for (place, address) in list.states.enumerated() {
        // A model that was inserted and deleted in the same breath never had a row.
        if address.state.flags.contains([.inserted, .deleted]) { bareCore.release(list[place]) }
        address.state.endSave()
      }
    }
  }

  /// Applies an edit to all relationships of a model.
  private func edit(_ model: any PersistentModel, _ edit: inout _SlotEdit) {
    for index in store.schema.relationshipIndexes[model._$state.ordinal] { model._$edit(&edit, at: index) }
  }

  /// Has a new model that turned out to be a row stand for it.
  private func adopt(_ row: InsertedRow, _ model: any PersistentModel) {
    if bareCore.existing(ordinal: row.ordinal, key: row.key) == nil, row.ordinal == model._$state.ordinal {
      bareCore.rekey(&model._$state, to: row.key)
      model._$unload()
    } else {
      merge(model, into: bareCore.registeredModel(of: row))
    }
  }

  /// A new model turned out to be a row that another model stands for: that one stays the row's.
  private func merge(_ model: any PersistentModel, into registered: any PersistentModel) {
    guard model !== registered else { return }
    if !bareCore.makeDuplicate(model, of: registered) {
      // Another program has given the row's key to a row of another class since the registered model was read.
      bareCore.detachSlots(of: model)
      bareCore.release(model, isDetached: true)
    }
    registered._$announceAll(willChange: true)
    registered._$unload()
    registered._$announceAll(willChange: false)
  }

  /// `.deny`: no new model may refer to the model. The save asks the rows for the others.
  private func validateDenied(_ model: any PersistentModel) throws {
    let entity = store.schema.entities[model._$state.ordinal]
    for property in entity.properties {
      guard let relationship = property.relationship, relationship.deleteRule == .deny else { continue }
      if !model._$edit(property.index, .collect).wasLoaded { bareCore.load(model, property.index) }
      let destination = relationship.destination
      for key in model._$edit(property.index, .collect).keys where bareCore.isNew(key, of: destination) {
        let target = bareCore.existing(ordinal: destination.ordinal, key: key)
        if target?.isDeleted ?? false { continue }
        // Led elsewhere after the deletion.
        if let target, let inverse = relationship.inverse {
          let back = target._$edit(inverse, .collect)
          if back.wasLoaded && !back.keys.contains(model._$state.key) { continue }
        }
        throw SwiftDataError.denied(
          model, DeleteRules.Rule(owner: entity, property: property, relationship: relationship), by: key)
      }
    }
  }
}
