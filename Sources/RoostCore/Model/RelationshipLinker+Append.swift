// One model more at the end of a list, as programs fill lists: the others are not looked up, linked or compared again.
extension RelationshipLinker {
  /// Does what `toManyChanged` does, if the last of `new` joined and the others are the members, in their order.
  ///
  /// What may concern others too is left to that: a new model that brings some along, which may join the list as well.
  ///
  /// - Returns: Whether it was done. The list still has its former members otherwise.
  static func linkAppended<Owner: PersistentModel, Target: PersistentModel>(
    _ owner: Owner, _ index: Int, _ new: [Target]
  ) -> Bool {
    guard let target = new.last, target !== owner, !target._$isDuplicate,
      let core = owner._$attachedCore,
      let relationship = owner._$info(index)?.relationship
    else { return false }
    let isHere = target._$state.isShown(in: core)
    guard isHere || entersAlone(target, core), let others = others(owner, index, new, core) else { return false }
    // A model is in a list once.
    if isHere, others.haveLast { return true }
    core.editing {
      if !isHere {
        core.insert(target)
        // It was refused.
        if target._$state.membership(in: core) == .elsewhere { return }
      }
      owner._$edit(index, .add(target, key: target._$state.key))
      if core.pending.keptLists.keep(new, of: owner, index, wasKept: others.areKept) { owner._$edit(index, .keep) }
      linkInverse(of: owner, key: owner._$state.key, index, relationship, target)
      recordJoinRow(owner, relationship, target, isLinked: true)
    }
    return true
  }

  /// What is known of a list's members that one joins.
  private struct Others {
    let areKept: Bool
    /// Whether the one that joins is among them.
    let haveLast: Bool
  }

  /// Finds out whether all but the last of some models are a list's members, in their order; nil if they are not.
  ///
  /// Apart, so that the slot alone has its keys afterwards.
  private static func others<Owner: PersistentModel, Target: PersistentModel>(
    _ owner: Owner, _ index: Int, _ new: [Target], _ core: ContextCore
  ) -> Others? {
    let slot = owner._$edit(index, .collect)
    guard case .keys(let keys) = slot.found, !slot.isUnlinked, let last = new.last, new.count == keys.count + 1 else {
      return nil
    }
    let areKept = slot.isKept && core.pending.keptLists.has(allButLastOf: new, of: owner, index)
    guard areKept || areMembers(new, keys, of: core) else { return nil }
    return Others(areKept: areKept, haveLast: last._$state.hasCore && keys.contains(last._$state.key))
  }

  /// Whether the first of some models are those of the context that have these keys, in the same order.
  ///
  /// Asked of all members of a list: only what lies in the models themselves is looked at.
  private static func areMembers<Target: PersistentModel>(
    _ models: [Target], _ keys: [Int64], of core: ContextCore
  ) -> Bool {
    core.membersSeen += keys.count
    for (place, key) in keys.enumerated() {
      let address = models[place]._$stateAddress
      guard address.state.key == key, address.state.isShown(in: core) else { return false }
    }
    return true
  }

  /// Whether a model is in no context and refers to nobody.
  private static func entersAlone<Target: PersistentModel>(_ target: Target, _ core: ContextCore) -> Bool {
    guard !target._$state.hasCore, let entity = core.entity(for: type(of: target)) else { return false }
    return entity.relationships.allSatisfy { target._$edit($0.index, .collect).models.isEmpty }
  }
}

extension _ModelState {
  /// Whether the model is one of the context's that lists show.
  fileprivate borrowing func isShown(in core: ContextCore) -> Bool {
    membership(in: core) == .present && flags.isDisjoint(with: [.deleted, .vanished])
  }
}
