// One model more at the end of a list, as programs fill lists: the others are not looked up, linked or compared again.
extension RelationshipLinker {
  /// Does what `toManyChanged` does, if the last of `new` joined and the others are the members, in their order.
  ///
  /// What may concern others too is left to that: a new model that brings some along, which may join the list as well.
  ///
  /// - Returns: Whether it was done. The list still has its former members otherwise.
  static func linkAppended<Owner: PersistentModel, Target: PersistentModel>(
    _ owner: Owner, _ index: Int, to members: ToManyMembers, _ new: [Target]
  ) -> Bool {
    guard case .keys(let keys) = members.contents, !members.isUnlinked, new.count == keys.count + 1,
      let target = new.last, target !== owner, let core = owner._$attachedCore,
      let relationship = owner._$info(index)?.relationship
    else { return false }
    let isHere = target._$state.isShown(in: core)
    guard isHere || entersAlone(target, core), areMembers(new, keys, of: core) else { return false }
    // A model is in a list once.
    if isHere, keys.contains(target._$state.key) { return true }
    core.editing {
      if !isHere {
        core.insert(target)
        // It was refused.
        if target._$state.membership(in: core) == .elsewhere { return }
      }
      owner._$edit(index, .add(target, key: target._$state.key))
      linkInverse(of: owner, key: owner._$state.key, index, relationship, target)
      recordJoinRow(owner, relationship, target, isLinked: true)
    }
    return true
  }

  /// Whether the first of some models are those of the context that have these keys, in the same order.
  ///
  /// Asked of all members of a list: only what lies in the models themselves is looked at.
  private static func areMembers<Target: PersistentModel>(
    _ models: [Target], _ keys: [Int64], of core: ContextCore
  ) -> Bool {
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
