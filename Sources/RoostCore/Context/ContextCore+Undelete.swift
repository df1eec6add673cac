internal import Logging

// Deletions that are taken back before a save.
extension ContextCore {
  func undelete(_ model: any PersistentModel) {
    let seen = Set(wentWith(model).map { ObjectIdentifier($0) })
    // Which others went with it is what the rows say by now.
    context?.noticeOtherSaves()
    guard model._$state.flags.contains(.deleted), !model._$state.flags.contains(.vanished) else { return }
    undo?.willInsert(model)
    let others = wentWith(model)
    // They stay deleted without it, as if the program had deleted each of them.
    for other in others where seen.contains(ObjectIdentifier(other)) {
      other._$state.flags.subtract([.cascaded, .cascadedFromNew])
    }
    // Those that nobody has been shown as deleted stay with it.
    let unseen = others.filter { !seen.contains(ObjectIdentifier($0)) }
    for model in [model] + unseen {
      model._$state.flags.subtract([.deleted, .cascaded, .cascadedFromNew])
      if model._$state.flags.contains(.inserted) { pending.insert(model) } else { pending.undelete(model) }
    }
    for model in [model] + unseen {
      relink(model)
      relinkUnknown(model)
      joinUnreadLists(model)
    }
    // Unless another deletion reaches them, too.
    if !unseen.isEmpty { showStoredRelationships() }
  }

  /// The models that a cascade from a deleted one took along.
  private func wentWith(_ model: any PersistentModel) -> [any PersistentModel] {
    var found: [any PersistentModel] = []
    var known: Set<ObjectIdentifier> = []
    var waiting = [model]
    while let next = waiting.popLast() {
      for property in schema.entities[next._$state.ordinal].relationships {
        guard let relationship = property.relationship, relationship.deleteRule == .cascade else { continue }
        for key in next._$edit(property.index, .collect).keys {
          guard let target = existing(ordinal: relationship.destination.ordinal, key: key),
            target._$state.flags.isSuperset(of: [.deleted, .cascaded]), known.insert(ObjectIdentifier(target)).inserted
          else { continue }
          found.append(target)
          waiting.append(target)
        }
      }
    }
    return found
  }

  /// Puts the model back into lists without an inverse, unless their owners are to be deleted: these let it go, like
  /// all that would take the model along.
  private func relinkUnknown(_ model: any PersistentModel) {
    let entity = schema.entities[model._$state.ordinal]
    if entity.unknownReferrers.isEmpty { return }
    let key = model._$state.key
    for list in entity.unknownLists {
      let owners = ownerKeys(of: key, list)
      guard let relationship = list.relationship, !owners.isEmpty else { continue }
      for owner in siblings(of: 0, ordinal: list.owner.ordinal, with: list.index, limit: .max)
      where owners.contains(owner._$state.key) {
        let members = owner._$edit(list.index, .collect)
        if members.keys.contains(key) { continue }
        if owner._$state.flags.contains(.deleted) {
          giveUp(owner, relationship, key)
        } else {
          // Not read: it will be found there.
          if members.wasLoaded { owner._$editInverse(list.index, .add(model, key: key)) }
          rejoin(owner, relationship, model)
        }
      }
    }
    for referrer in entity.unknownReferrers where !referrer.isList {
      for owner in pending.allDeletedModels
      where schema.entities[owner._$state.ordinal].isKind(of: referrer.owner)
        && owner._$edit(referrer.index, .collect).keys.contains(key)
      {
        let wasSet = owner._$state.flags.contains(.inserted) || owner._$state.changed.contains(referrer.index)
        owner._$editInverse(referrer.index, .remove(model, key: key))
        let detachment = Detachment(owner: key, isByDeletion: false, wasSet: wasSet, isOfDeleted: true)
        owner._$state.noteDetachment(referrer.index, detachment)
      }
    }
  }

  /// The keys of those whose list would have a model, were nothing to be deleted.
  private func ownerKeys(of key: Int64, _ list: PropertyInfo) -> Set<Int64> {
    guard case .joinTable(let table, let own, let other) = list.relationship?.storage else { return [] }
    var keys: Set<Int64> = []
    do {
      if key > 0 { keys.formUnion(try store.referrers(to: key, through: list)) }
    } catch {
      store.logger.error("Lists will lack a model that was to be deleted", metadata: ["error": "\(error)"])
    }
    for layer in layers {
      let joinRows = layer === self ? pending.allJoinRows : layer.pending.joinRows
      for (row, isLinked) in joinRows where row.table == table && row.key(in: other) == key {
        if isLinked { keys.insert(row.key(in: own)) } else { keys.remove(row.key(in: own)) }
      }
    }
    return keys
  }

  /// Has a join table have the row again that it would have had without a deletion: pending, unless the store has it.
  private func rejoin(_ model: any PersistentModel, _ relationship: RelationshipInfo, _ target: any PersistentModel) {
    guard let row = JoinRow(relationship, model._$state.key, target._$state.key) else { return }
    if pending.allJoinRows[row] == false {
      join(row, isLinked: true)
    } else {
      undo?.willJoin(row, isLinked: true)
    }
  }

  /// Has a join table lose the row of a link that does not come back: the store may have it.
  private func giveUp(_ model: any PersistentModel, _ relationship: RelationshipInfo, _ target: Int64) {
    guard let row = JoinRow(relationship, model._$state.key, target) else { return }
    if pending.allJoinRows[row] != false { join(row, isLinked: false) }
  }

  /// Has lists that are not read have a model at their end again that came there since the last save.
  func joinUnreadLists(_ model: any PersistentModel) {
    let (key, entity) = (model._$state.key, schema.entities[model._$state.ordinal])
    for property in entity.relationships {
      guard let relationship = property.relationship, !relationship.inverseIsToOne, let inverse = relationship.inverse
      else { continue }
      let isSet = model._$state.flags.contains(.inserted) || model._$state.changed.contains(property.index)
      for target in model._$edit(property.index, .collect).keys {
        let isPending = JoinRow(relationship, key, target).map { pending.allJoinRows[$0] == true } ?? isSet
        if isPending { joinUnread(relationship.destination, target, inverse, model) }
      }
    }
    for list in entity.unknownLists {
      guard case .joinTable(let table, _, let other)? = list.relationship?.storage else { continue }
      for owner in pending.indexedLinks().others(of: key, table, other) {
        guard let row = list.relationship.flatMap({ JoinRow($0, owner, key) }), pending.allJoinRows[row] == true
        else { continue }
        joinUnread(list.owner, owner, list.index, model)
      }
    }
  }

  private func joinUnread(_ entity: EntityInfo, _ key: Int64, _ list: Int, _ model: any PersistentModel) {
    guard let owner = existing(ordinal: entity.ordinal, key: key), !owner._$edit(list, .collect).wasLoaded,
      !owner._$edit(list, .collectJoined).keys.contains(model._$state.key)
    else { return }
    owner._$editInverse(list, .add(model, key: model._$state.key))
  }

  /// Has models that a deletion let go refer to the model again, unless they are deleted or refer to others by now.
  private func relink(_ model: any PersistentModel) {
    let key = model._$state.key
    for property in schema.entities[model._$state.ordinal].relationships {
      guard let relationship = property.relationship else { continue }
      for targetKey in model._$edit(property.index, .collect).keys {
        // It may have gone since.
        let target =
          isLive(relationship.destination, key: targetKey) ? object(of: model, property.index, key: targetKey) : nil
        var isFree = target != nil
        if let target, let inverse = relationship.inverse {
          let back = target._$edit(inverse, .collect)
          // Not read: it will be found there. The other: it was not let go.
          if !back.wasLoaded || back.keys.contains(key) {
            rejoin(model, relationship, target)
            continue
          }
          isFree = !relationship.inverseIsToOne || back.keys.isEmpty
        }
        if let target, isFree {
          let inverse = relationship.inverse ?? 0
          let wasLetGo = target._$state.detachments[inverse] == Detachment(owner: key, isByDeletion: true)
          RelationshipLinker.linkInverse(of: model, key: key, property.index, relationship, target)
          // It refers to what its row refers to.
          if wasLetGo { pending.restore(target, inverse, isChanged: false) }
          rejoin(model, relationship, target)
        } else {
          // Found by the key alone.
          model._$editInverse(property.index, .remove(model, key: targetKey))
          giveUp(model, relationship, targetKey)
        }
      }
    }
  }
}
