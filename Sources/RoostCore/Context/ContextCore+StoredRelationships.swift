import Logging

// What others wrote: memory may show relationships that the store does not have any more.
extension ContextCore {
  /// Has every relationship shown from now on as the store has it, with this context's own changes.
  ///
  /// Nothing is read but for what the pending changes need: lists and to-one relationships are faults again, which are
  /// fired for siblings at once. `tables`: all that rows have changed in; nil when those may be all.
  func showStoredRelationships(of tables: Set<String>? = nil) {
    editing {
      pending.noteOthersShown()
      dropLinksOfGone()
      readPending()
      dropLinksToVanished()
      let hadDeletions = pending.hasDeletions
      let deleted = pending.allDeletedModels
      let named = liftDeletions()
      if hadDeletions { takeBackMembers() }
      liftDetachments()
      // A deletion that may not come again took models out of lists of any table.
      let forgotten = forgetRelationships(of: hadDeletions ? nil : tables)
      detachFormerPartners()
      leaveOutFormerMembers()
      deleteAgain(named, of: deleted)
      giveBack()
      tellChanges(of: forgotten)
    }
  }

  /// Finds out which of the rows that pending changes are about are gone, and which that were gone are there again.
  private func readPending() {
    do {
      try leaveTakenKeys()
    } catch {
      store.logger.error("Looking for rows with models' former keys failed", metadata: ["error": "\(error)"])
    }
    let gone = takeGone()
    // Those that stay gone are no news.
    tellingChanges(of: gone) { readPending(gone) }
    tellDangling()
  }

  /// Drops links of models to be deleted that have no row any more, or are to ones that have none: no
  /// row says by them who goes along.
  private func dropLinksOfGone() {
    // A draft's deletions are merged with what its parent has.
    if pending.allJoinRows.isEmpty || !pending.hasDeletions || parent != nil { return }
    let ofDeleted = Set(pending.allJoinRows.keys).subtracting(pending.joinRows.keys).filter(\.isStored)
    if ofDeleted.isEmpty { return }
    do {
      for join in schema.joinTables {
        let rows = ofDeleted.filter { $0.table == join.name }
        for (entity, column) in [(join.owner, join.ownerColumn), (join.destination, join.destinationColumn)] {
          let present = Set(try store.existing(rows.map { $0.key(in: column) }, of: entity.root))
          for row in rows {
            let key = row.key(in: column)
            if present.contains(key) || isNew(key, of: entity) { continue }
            pending.setJoinRow(row, nil)
          }
        }
      }
    } catch {
      store.logger.error("Looking for the rows of deleted models failed", metadata: ["error": "\(error)"])
    }
  }

  /// Drops links to models that others have deleted: no list shows them, so the program could not remove them.
  private func dropLinksToVanished() {
    // The parent may take its deletion back, and a draft's links are merged with what the parent has.
    if parent != nil { return }
    for join in schema.joinTables {
      for (row, isLinked) in pending.allJoinRows where isLinked && row.table == join.name {
        let ends = [(join.owner, join.ownerColumn), (join.destination, join.destinationColumn)]
        let isGone = ends.contains { entity, column in
          existing(ordinal: entity.ordinal, key: row.key(in: column))?._$state.flags.contains(.vanished) ?? false
        }
        if isGone { pending.setJoinRow(row, nil) }
      }
    }
  }

  /// Whether a model has no row yet. One that an undo brought back has the key of the row it had.
  func isNew(_ key: Int64, of entity: EntityInfo) -> Bool {
    existing(ordinal: entity.ordinal, key: key)?._$state.flags.contains(.inserted) ?? false
  }

  /// Tells of single relationships that were set to models which are gone by now, or are there again.
  private func tellDangling() {
    var now: Set<DanglingReference> = []
    // A draft has its own models of what its parent has not saved.
    let edited = layers.flatMap { $0.pending.changedModels + $0.pending.insertedModels }
      .compactMap { existing(ordinal: $0._$state.ordinal, key: $0._$state.key) }
    for model in edited {
      for property in schema.entities[model._$state.ordinal].relationships where !property.isList {
        let reference = DanglingReference(model: ObjectIdentifier(model), index: property.index)
        let isDangling = model._$refersToGone(property.index)
        if isDangling { now.insert(reference) }
        if isDangling == dangling.contains(reference) { continue }
        pending.observed?.note(model, PropertySet([property.index]))
        announceLater(model, property.index)
      }
    }
    dangling = now
  }

  /// An unsaved dangling reference: the model that has it, and the property.
  struct DanglingReference: Hashable {
    let model: ObjectIdentifier
    let index: Int
  }

  private func readPending(_ gone: [any PersistentModel]) {
    // Reading a model that is to be deleted changes nothing else of it.
    for model in gone { model._$state.flags.remove(.vanished) }
    var models = gone + pending.changedModels
    for model in pending.changedModels + pending.insertedModels {
      for property in schema.entities[model._$state.ordinal].relationships {
        guard let destination = property.relationship?.destination else { continue }
        let keys = model._$edit(property.index, .collect).keys
        models += keys.compactMap { existing(ordinal: destination.ordinal, key: $0) }
      }
    }
    if models.isEmpty { return }
    do {
      try readAgain(Array(Dictionary(models.map { (ObjectIdentifier($0), $0) }, uniquingKeysWith: { $1 }).values))
    } catch {
      for model in gone { noteGone(model) }
      store.logger.error("Reading edited models again failed", metadata: ["error": "\(error)"])
    }
  }

  /// Has the relationships of models with rows that some tables hold read again on their next access, but for what has
  /// changed here.
  ///
  /// Returns those that somebody may observe.
  private func forgetRelationships(of tables: Set<String>?) -> [ForgottenRelationship] {
    var observed: [ForgottenRelationship] = []
    // Who looks next need not be on a walk.
    siblingsRead = [:]
    let concerned = schema.entities.map { entity in
      entity.relationships.filter { property in tables.map { property.mayChange(with: $0) } ?? true }
    }
    for root in schema.entities where root.superentity == nil {
      guard root.selfAndDescendants.contains(where: { !concerned[$0.ordinal].isEmpty }) else { continue }
      for case let model as any PersistentModel in identities.neighbours(of: 0, ordinal: root.ordinal, limit: .max)
      where model._$state.core === self && !model._$state.flags.contains(.inserted) {
        for property in concerned[model._$state.ordinal] {
          let former = model._$edit(property.index, .collect)
          guard former.wasLoaded, property.isList || !model._$state.changed.contains(property.index) else { continue }
          if model._$state.isObserved {
            observed.append(ForgottenRelationship(model: model, index: property.index, keys: former.keys))
          }
          if property.isList {
            model._$edit(property.index, .forgetMembers)
            if former.isRearranged { keepOrder(former.keys, of: model, property.index) }
          } else {
            model._$edit(property.index, .unload)
          }
        }
      }
    }
    return observed
  }

  /// Reads a list, and has it in the order that the program gave it, with what others added behind.
  func keepOrder(_ former: [Int64], of owner: any PersistentModel, _ index: Int) {
    load(owner, index)
    let keys = owner._$edit(index, .collect).keys
    let (members, known) = (Set(keys), Set(former))
    owner._$edit(index, .setKeys(former.filter(members.contains) + keys.filter { !known.contains($0) }))
  }

  // MARK: - What memory concluded from relationships

  /// Takes back what the other side of to-one relationships made of them, and makes it again of what is stored.
  ///
  /// A row that another context gave another owner meanwhile keeps that one.
  private func liftDetachments() {
    for model in pending.changedModels + pending.insertedModels {
      for (index, detachment) in model._$state.allDetachments where !detachment.isOfDeleted {
        model._$announce(index, willChange: true)
        if detachment.wasSet {
          takeBack(detachment, of: model, index)
          model._$announce(index, willChange: false)
          continue
        }
        model._$edit(index, .unload)
        pending.restore(model, index, isChanged: false)
        // One that was made by a deletion is made again with that, and that of a partner by whoever has another.
        let isPartner = schema.partners[model._$state.ordinal].contains { $0.index == index }
        if !detachment.isByDeletion && !isPartner { detachAgain(model, index, detachment) }
        model._$announce(index, willChange: false)
      }
    }
  }

  /// Gives models that stay after all what they had to let go while they were to be deleted.
  private func giveBack() {
    for model in pending.changedModels + pending.insertedModels {
      for (index, detachment) in model._$state.allDetachments where detachment.isOfDeleted {
        model._$announce(index, willChange: true)
        if detachment.wasSet {
          takeBack(detachment, of: model, index)
        } else {
          model._$edit(index, .unload)
          pending.restore(model, index, isChanged: false)
        }
        model._$announce(index, willChange: false)
      }
    }
  }

  /// Has a model refer to the one again that the program gave it, unless that has gone.
  private func takeBack(_ detachment: Detachment, of model: any PersistentModel, _ index: Int) {
    model._$state.noteDetachment(index, nil)
    guard let destination = schema.entities[model._$state.ordinal].properties[index].relationship?.destination,
      isLive(destination, key: detachment.owner)
    else { return }
    model._$edit(index, .restore(.toOne(ToOneReference(key: detachment.owner))))
  }

  private func detachAgain(_ model: any PersistentModel, _ index: Int, _ detachment: Detachment) {
    load(model, index)
    guard model._$edit(index, .collect).keys.contains(detachment.owner) else { return }
    model._$edit(index, .restore(.toOne(ToOneReference(key: 0))))
    pending.restore(model, index, isChanged: true)
    model._$state.noteDetachment(index, detachment)
  }

  /// Takes out of new models' lists who refers to others: an undo may bring a list back that others have changed.
  private func leaveOutFormerMembers() {
    for owner in pending.insertedModels {
      for list in schema.entities[owner._$state.ordinal].relationships where list.isList {
        guard let relationship = list.relationship, relationship.inverseIsToOne, let inverse = relationship.inverse
        else {
          continue
        }
        for key in owner._$edit(list.index, .collect).keys {
          guard let member = object(of: owner, list.index, key: key) else { continue }
          member._$loadToOne(inverse)
          if member._$edit(inverse, .collect).keys.contains(owner._$state.key) { continue }
          owner._$announce(list.index, willChange: true)
          owner._$edit(list.index, .remove(member, key: key))
          owner._$announce(list.index, willChange: false)
        }
      }
    }
  }

  /// Puts those into new models' lists again that a deletion took out: the store does not know such a list.
  private func takeBackMembers() {
    let linked = linkedToNewModels()
    for owner in pending.insertedModels {
      for list in schema.entities[owner._$state.ordinal].relationships where list.isList {
        guard let relationship = list.relationship else { continue }
        let place: (table: String, column: String)
        switch relationship.storage {
        case .joinTable(let table, let own, _): place = (table, own)
        case .inverseColumn(let column): place = (relationship.destination.table, column)
        case .column: continue
        }
        let members = Set(owner._$edit(list.index, .collect).keys)
        for member in linked[place.table]?[place.column]?[owner._$state.key] ?? [] where !members.contains(member) {
          guard let model = existing(ordinal: relationship.destination.ordinal, key: member), isThere(model) else {
            continue
          }
          owner._$announce(list.index, willChange: true)
          owner._$edit(list.index, .add(model, key: member))
          owner._$announce(list.index, willChange: false)
        }
      }
    }
  }

  /// The keys of those that are linked to models without a row: by the table and the column that hold the link, and by
  /// that model's key.
  private func linkedToNewModels() -> [String: [String: [Int64: [Int64]]]] {
    var linked: [String: [String: [Int64: [Int64]]]] = [:]
    let new = Set(pending.insertedModels.map { $0._$state.key })
    func note(_ table: String, _ column: String, _ owner: Int64, _ member: Int64) {
      if new.contains(owner) { linked[table, default: [:]][column, default: [:]][owner, default: []].append(member) }
    }
    for (row, isLinked) in pending.allJoinRows where isLinked {
      note(row.table, row.columns.0, row.keys.0, row.keys.1)
      note(row.table, row.columns.1, row.keys.1, row.keys.0)
    }
    for model in pending.changedModels + pending.insertedModels {
      let entity = schema.entities[model._$state.ordinal]
      for property in entity.relationships {
        guard case .column(let column)? = property.relationship?.storage else { continue }
        note(entity.table, column, model._$edit(property.index, .collect).keys.first ?? 0, model._$state.key)
      }
    }
    return linked
  }

  /// Takes all deletions back, to be applied again. Returns the models that the program deleted itself.
  private func liftDeletions() -> [any PersistentModel] {
    let deleted = pending.allDeletedModels
    if deleted.isEmpty { return [] }
    let named = deleted.filter { !$0._$state.flags.contains(.cascaded) }
    for model in deleted {
      model._$state.flags.subtract([.deleted, .cascaded, .cascadedFromNew])
      if model._$state.flags.contains(.inserted) { pending.insert(model) } else { pending.undelete(model) }
    }
    return named
  }

  private func deleteAgain(_ models: [any PersistentModel], of deleted: ModelList) {
    if deleted.isEmpty { return }
    func delete() {
      for model in deleted { joinUnreadLists(model) }
      context?.deleteGraph(models)
    }
    if let undo { undo.deleteAgain(deleted, delete) } else { delete() }
  }
}
