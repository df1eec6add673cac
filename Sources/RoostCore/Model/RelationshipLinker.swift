/// Keeps both sides of a relationship in step when one is set.
enum RelationshipLinker {
  static func toOneChanged<Owner: PersistentModel, Target: PersistentModel>(
    _ owner: Owner, _ index: Int, from old: Target?, to new: Target?
  ) {
    var new = new
    var ownerJoined = false
    if let target = new {
      switch meet(owner, target) {
      case .met: break
      case .ownerJoined: ownerJoined = true
      case .elsewhere: return owner._$set(index, to: old)
      case .deleted:
        new = nil
        owner._$set(index, to: new)
      }
    }
    enterContext(owner, index)
    guard old !== new, !isToGo(owner), let relationship = owner._$info(index)?.relationship else { return }
    if case .joinTable = relationship.storage { return }
    if let old { unlinkInverse(of: owner, relationship, old) }
    // An owner that entered the context just now was linked there.
    if let new, !ownerJoined { linkInverse(of: owner, key: owner._$managedKey, index, relationship, new) }
  }

  static func toManyChanged<Owner: PersistentModel, Target: PersistentModel>(
    _ owner: Owner, _ index: Int, from old: [Target], to assigned: [Target]
  ) {
    var ownerJoined = false
    var after: Set<ObjectIdentifier> = []
    var new = assigned
    if owner._$attachedCore == nil, new.contains(where: { $0._$attachedCore != nil }) { owner._$setUnlinked(index) }
    new.removeAll { target in
      let meeting = meet(owner, target)
      if meeting == .ownerJoined { ownerJoined = true }
      // A model is in a list once.
      return meeting == .elsewhere || meeting == .deleted || !after.insert(ObjectIdentifier(target)).inserted
    }
    if new.count < assigned.count, !ownerJoined { owner._$set(index, to: new) }
    enterContext(owner, index)
    guard !isToGo(owner), let relationship = owner._$info(index)?.relationship else { return }
    let left = old.filter { !after.contains(ObjectIdentifier($0)) }
    for target in left { unlinkInverse(of: owner, relationship, target) }
    // An owner that entered the context just now was linked there.
    if ownerJoined { return }
    for target in left { recordPair(owner, relationship, target, isLinked: false) }
    let before = Set(old.map { ObjectIdentifier($0) })
    for target in new where !before.contains(ObjectIdentifier(target)) {
      linkInverse(of: owner, key: owner._$managedKey, index, relationship, target)
      recordPair(owner, relationship, target, isLinked: true)
    }
    noteOrder(owner, index, from: old, to: new, before)
  }

  /// Tells the list what of its order is not the store's.
  private static func noteOrder<Owner: PersistentModel, Target: PersistentModel>(
    _ owner: Owner, _ index: Int, from old: [Target], to new: [Target], _ before: Set<ObjectIdentifier>
  ) {
    guard owner._$attachedCore != nil else { return }
    let joined = new.filter { !before.contains(ObjectIdentifier($0)) }
    // Whether `new` is what stayed of `old`, in its order, and then those that joined.
    var isRearranged = false
    var rest = old[...]
    for model in new.dropLast(joined.count) {
      while let first = rest.first, first !== model { rest.removeFirst() }
      if rest.isEmpty { isRearranged = true }
      rest = rest.dropFirst()
    }
    if joined.isEmpty && !isRearranged { return }
    owner._$edit(index, .join(joined.map(\._$managedKey), isRearranged: isRearranged))
  }

  /// Makes `target`'s side lead to `owner`, and whoever `target` led to before lead to it no more.
  static func linkInverse(
    of owner: any PersistentModel, key: Int64, _ index: Int, _ relationship: RelationshipInfo,
    _ target: any PersistentModel
  ) {
    guard let inverse = relationship.inverse else { return }
    if relationship.inverseIsToOne { target._$loadToOne(inverse) }
    target._$willChangeInverse(inverse)
    let edit = target._$edit(inverse, .add(owner, key: key))
    target._$didChangeInverse(inverse)
    guard relationship.inverseIsToOne else { return }
    var former = edit.models
    if let core = target._$state.core {
      former += edit.keys.compactMap { core.object(of: target, inverse, key: $0) }
    }
    for model in former where model !== owner {
      model._$loadIfShell(index)
      model._$willChangeInverse(index)
      model._$edit(index, .remove(target, key: target._$managedKey))
      model._$didChangeInverse(index)
    }
  }

  static func unlinkInverse(
    of owner: any PersistentModel, _ relationship: RelationshipInfo, _ target: any PersistentModel
  ) {
    guard let inverse = relationship.inverse else { return }
    if relationship.inverseIsToOne { target._$loadToOne(inverse) }
    target._$state.core?.undo?.willRemove(from: target, inverse)
    target._$willChangeInverse(inverse)
    target._$edit(inverse, .remove(owner, key: owner._$managedKey))
    target._$didChangeInverse(inverse)
  }

  private enum Meeting { case met, ownerJoined, elsewhere, deleted }

  /// Brings two models that now refer to each other into one context, unless the target is to stay where it is.
  private static func meet(_ owner: any PersistentModel, _ target: any PersistentModel) -> Meeting {
    switch (owner._$attachedCore, target._$attachedCore) {
    case (let ownerCore?, let targetCore?):
      if ownerCore === targetCore { return target._$state.flags.contains(.deleted) ? .deleted : .met }
      ownerCore.context?.report(.wrongContext(owner: owner, target: target))
      return .elsewhere
    case (let core?, nil):
      core.insert(target)
      return .met
    case (nil, let core?):
      core.insert(owner)
      return .ownerJoined
    case (nil, nil):
      return .met
    }
  }

  /// Whether nothing may be led to a model, as the next save deletes it.
  private static func isToGo(_ owner: any PersistentModel) -> Bool {
    owner._$state.flags.contains(.deleted) && owner._$attachedCore != nil
  }

  private static func enterContext(_ owner: any PersistentModel, _ index: Int) {
    guard owner._$state.core != nil else { return }
    owner._$edit(index, .enterContext)
  }

  static func recordPair(
    _ owner: any PersistentModel, _ relationship: RelationshipInfo, _ target: any PersistentModel, isLinked: Bool
  ) {
    guard let pair = JoinPair(relationship, owner._$state.key, target._$state.key) else { return }
    owner._$attachedCore?.pair(pair, isLinked: isLinked)
  }
}

extension PersistentModel {
  /// The core of the context the model is in, unless that context is gone.
  var _$attachedCore: ContextCore? { _$state.core.flatMap { $0.isAttached ? $0 : nil } }

  /// The key by which other models of the context refer to this one; 0 outside a context.
  var _$managedKey: Int64 { _$state.core == nil ? 0 : _$state.key }

  /// Makes a slot that was set just now lead to other models than it was set to.
  func _$set<Target: PersistentModel>(_ index: Int, to target: Target?) {
    let reference = _$state.core == nil ? ToOneReference(object: target) : ToOneReference(key: target?._$state.key ?? 0)
    _$edit(index, .restore(.toOne(reference)))
  }

  func _$set<Target: PersistentModel>(_ index: Int, to targets: [Target]) {
    guard case .toMany(var members) = _$edit(index, .capture).image else { return }
    members.contents = .objects(targets)
    _$edit(index, .restore(.toMany(members)))
  }

  /// Has a list that was set just now be linked when the model enters a context.
  func _$setUnlinked(_ index: Int) {
    guard case .toMany(var members) = _$edit(index, .capture).image else { return }
    members.isUnlinked = true
    _$edit(index, .restore(.toMany(members)))
  }

  func _$loadIfShell(_ index: Int) {
    if _$state.flags.contains(.shell) { _$state.core?.load(self, index) }
  }

  /// Reads a to-one relationship that was not read: of a shell, or of a model fetched without it.
  func _$loadToOne(_ index: Int) {
    if !_$edit(index, .collect).wasLoaded { _$state.core?.load(self, index) }
  }

  /// As `_$willSet`, for a property known by its index only.
  func _$willChangeInverse(_ index: Int) {
    _$state.core?.willChange(self, index)
    _$announce(index, willChange: true)
  }

  func _$didChangeInverse(_ index: Int) { _$announce(index, willChange: false) }

  /// Tells observers that a property may change, or has.
  func _$announce(_ index: Int, willChange: Bool) {
    guard _$state.isObserved, let registrar = _$state.registrar else { return }
    _$info(index)?.notify?(registrar, self, willChange)
  }
}
