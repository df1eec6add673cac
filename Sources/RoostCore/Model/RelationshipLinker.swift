/// Keeps both sides of a relationship in step when one is set.
enum RelationshipLinker {
  /// `wasUnlinked`: whether the old target need not have known of the owner.
  static func toOneChanged<Owner: PersistentModel, Target: PersistentModel>(
    _ owner: Owner, _ index: Int, from old: Target?, wasUnlinked: Bool, to new: Target?
  ) {
    if let new, isElsewhere(new, for: owner) { return owner._$set(index, to: old) }
    // First, as whoever knows of the owner comes with it when it enters a context.
    if let old, old !== new, let relationship = owner._$info(index)?.relationship {
      unlinkInverse(of: owner, relationship, old)
    }
    var new = new
    var (ownerJoined, targetJoined) = (false, false)
    if let target = new {
      switch meet(owner, target) {
      case .met: break
      case .ownerJoined: ownerJoined = true
      case .targetJoined: targetJoined = true
      case .deleted:
        new = nil
        owner._$set(index, to: new)
      }
    }
    // An owner that entered the context just now was linked there.
    if ownerJoined { return }
    if let new, isContextGone(of: owner), !owner._$state.isTogether(with: new._$state) {
      // Its keys mean nothing of the other one, which learns of it when both enter a context: to hold each other until
      // then would keep what is left of the former context, with its store.
      owner._$edit(index, .restore(.toOne(ToOneReference(unlinked: new))))
      return
    }
    enterContext(owner, index)
    guard let new, old !== new || wasUnlinked, let relationship = owner._$info(index)?.relationship else { return }
    let key = owner._$managedKey
    if targetJoined {
      reclaim(owner, index, relationship, for: new)
      if leads(new, back: relationship, to: key) { return }
    }
    // Observers of a former target may have linked them.
    linkInverse(of: owner, key: key, index, relationship, new, isNew: old == nil)
  }

  static func toManyChanged<Owner: PersistentModel, Target: PersistentModel>(
    _ owner: Owner, _ index: Int, from old: [Target], to assigned: [Target]
  ) {
    // A model is in a list once, if it may be there at all.
    var after: Set<ObjectIdentifier> = []
    var new = assigned.filter { !isElsewhere($0, for: owner) && after.insert(ObjectIdentifier($0)).inserted }
    if new.count < assigned.count { owner._$set(index, to: new) }
    let relationship = owner._$info(index)?.relationship
    let left = old.filter { !after.contains(ObjectIdentifier($0)) }
    if let relationship { for target in left { unlinkInverse(of: owner, relationship, target) } }
    var ownerJoined = false
    var joined: Set<ObjectIdentifier> = []
    if owner._$attachedCore == nil, new.contains(where: { $0._$attachedCore != nil }) { owner._$setUnlinked(index) }
    new.removeAll { target in
      switch meet(owner, target) {
      case .met: return false
      case .ownerJoined: ownerJoined = true
      case .targetJoined: joined.insert(ObjectIdentifier(target))
      case .deleted: return true
      }
      return false
    }
    if new.count < after.count, !ownerJoined { owner._$set(index, to: new) }
    if isContextGone(of: owner), new.contains(where: { !owner._$state.isTogether(with: $0._$state) }) {
      return owner._$setUnlinked(index)
    }
    enterContext(owner, index)
    // An owner that entered the context just now was linked there.
    guard !ownerJoined, let relationship else { return }
    for target in left { recordJoinRow(owner, relationship, target, isLinked: false) }
    let before = Set(old.map { ObjectIdentifier($0) })
    for target in new where !before.contains(ObjectIdentifier(target)) {
      let key = owner._$managedKey
      if !joined.contains(ObjectIdentifier(target)) || !leads(target, back: relationship, to: key) {
        linkInverse(of: owner, key: key, index, relationship, target)
      }
      recordJoinRow(owner, relationship, target, isLinked: true)
    }
    noteOrder(owner, index, from: old, to: new, before, left)
  }

  private static func isContextGone(of model: any PersistentModel) -> Bool {
    model._$state.hasCore && !model._$state.isAttached
  }

  /// Tells the list what of its order is not the store's.
  private static func noteOrder<Owner: PersistentModel, Target: PersistentModel>(
    _ owner: Owner, _ index: Int, from old: [Target], to new: [Target], _ before: Set<ObjectIdentifier>,
    _ left: [Target]
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
    if joined.isEmpty && left.isEmpty && !isRearranged { return }
    let leaving = left.map(\._$managedKey)
    owner._$edit(
      index, .join(joined.map(\._$managedKey), leaving: leaving, count: new.count, isRearranged: isRearranged))
  }

  /// Makes `target`'s side refer to `owner`, and whoever `target` referred to before let it go.
  ///
  /// `isNew`: whether `owner` did not refer to `target` until now.
  static func linkInverse(
    of owner: any PersistentModel, key: Int64, _ index: Int, _ relationship: RelationshipInfo,
    _ target: any PersistentModel, isNew: Bool = false
  ) {
    guard let inverse = relationship.inverse else { return }
    if relationship.inverseIsToOne { target._$loadToOne(inverse) }
    // The target's own observers are told before it is linked.
    let isNew = isNew && !target._$state.isObserved
    let edit = target._$editInverse(inverse, .add(owner, key: key, isNew: isNew))
    guard relationship.inverseIsToOne else { return }
    var former = edit.models
    if let core = target._$state.core {
      former += edit.keys.compactMap { core.object(of: target, inverse, key: $0) }
    }
    for model in former where model !== owner {
      detach(model, index, from: target)
    }
  }

  static func unlinkInverse(
    of owner: any PersistentModel, _ relationship: RelationshipInfo, _ target: any PersistentModel,
    isByDeletion: Bool = false
  ) {
    guard let inverse = relationship.inverse else { return }
    if relationship.inverseIsToOne { target._$loadToOne(inverse) }
    target._$state.core?.undo?.willRemove(from: target, inverse)
    detach(target, inverse, from: owner, isByDeletion: isByDeletion)
  }

  /// Takes `owner` out of a relationship of `model`.
  private static func detach(
    _ model: any PersistentModel, _ index: Int, from owner: any PersistentModel, isByDeletion: Bool = false
  ) {
    let key = owner._$managedKey
    guard case .toOne = model._$info(index)?.kind, key != 0 else {
      model._$editInverse(index, .remove(owner, key: key))
      return
    }
    model._$loadToOne(index)
    let found = model._$edit(index, .collect)
    // It refers to another model by now, which is no change.
    guard found.keys.contains(key) || found.models.contains(where: { $0 === owner }) else { return }
    let wasSet = model._$state.flags.contains(.inserted) || model._$state.changed.contains(index)
    model._$editInverse(index, .remove(owner, key: key))
    if wasSet ? isByDeletion : key > 0 {
      model._$state.noteDetachment(index, Detachment(owner: key, isByDeletion: isByDeletion, wasSet: wasSet))
    }
  }

  /// Makes an owner refer to a target again after that brought others along which took the owner for theirs.
  private static func reclaim<Target: PersistentModel>(
    _ owner: any PersistentModel, _ index: Int, _ relationship: RelationshipInfo, for target: Target
  ) {
    guard let key = owner._$edit(index, .collect).keys.first, key != target._$state.key,
      let other = owner._$state.core?.object(of: owner, index, key: key)
    else { return }
    unlinkInverse(of: owner, relationship, other)
    owner._$set(index, to: target)
    enterContext(owner, index)
  }

  /// Whether a model that came into the context just now is there with a list that has the owner already.
  static func leads(_ target: any PersistentModel, back relationship: RelationshipInfo, to key: Int64) -> Bool {
    guard let inverse = relationship.inverse, !relationship.inverseIsToOne else { return false }
    return target._$edit(inverse, .collect).keys.contains(key)
  }

  /// Whether a model is in another context than the one that was to refer to it. Reported, if so.
  private static func isElsewhere(_ target: any PersistentModel, for owner: any PersistentModel) -> Bool {
    // Asked of every link: no reference is counted where the answer is plain.
    if owner._$state.isTogether(with: target._$state) { return false }
    guard let core = owner._$attachedCore, let targetCore = target._$attachedCore, core !== targetCore else {
      return false
    }
    core.context?.report(.wrongContext(owner: owner, target: target))
    return true
  }

  private enum Meeting { case met, ownerJoined, targetJoined, deleted }

  /// Brings two models that now refer to each other into one context.
  private static func meet(_ owner: any PersistentModel, _ target: any PersistentModel) -> Meeting {
    switch (owner._$attachedCore, target._$attachedCore) {
    case (_?, _?):
      return target._$state.flags.contains(.deleted) ? .deleted : .met
    case (let core?, nil):
      core.insert(target)
      // Unless it was refused.
      return target._$state.membership(in: core) == .elsewhere ? .deleted : .targetJoined
    case (nil, let core?):
      core.insert(owner)
      return .ownerJoined
    case (nil, nil):
      return .met
    }
  }

  /// Leaves a relationship as it was. New models that it was to refer to enter the context all the same.
  static func refuse(
    _ owner: any PersistentModel, _ index: Int, _ former: SlotImage, _ targets: [any PersistentModel]
  ) {
    owner._$edit(index, .restore(former))
    for target in targets { _ = meet(owner, target) }
  }

  /// Whether the next save deletes a model: its relationships stay as they are, as nobody would learn of others.
  static func isPendingDelete(_ owner: any PersistentModel) -> Bool {
    owner._$state.flags.contains(.deleted) && owner._$attachedCore != nil
  }

  private static func enterContext(_ owner: any PersistentModel, _ index: Int) {
    guard owner._$state.core != nil else { return }
    owner._$edit(index, .enterContext)
  }

  static func recordJoinRow(
    _ owner: any PersistentModel, _ relationship: RelationshipInfo, _ target: any PersistentModel, isLinked: Bool
  ) {
    guard let row = JoinRow(relationship, owner._$state.key, target._$state.key) else { return }
    owner._$attachedCore?.join(row, isLinked: isLinked)
  }
}

extension PersistentModel {
  /// The core of the context the model is in, unless that context is gone.
  var _$attachedCore: ContextCore? { _$state.attachedCore }

  /// The key by which other models of the context refer to this one; 0 outside a context.
  var _$managedKey: Int64 { _$state.core == nil ? 0 : _$state.key }

  /// Makes a slot that is set just now refer to these models.
  func _$set<Target: PersistentModel>(_ index: Int, to target: Target?) {
    let reference = _$state.core == nil ? ToOneReference(object: target) : ToOneReference(key: target?._$state.key ?? 0)
    _$edit(index, .restore(.toOne(reference)))
  }

  func _$set<Target: PersistentModel>(_ index: Int, to targets: [Target]?) {
    guard case .toMany(var members) = _$edit(index, .capture).image else { return }
    members.assign(targets)
    _$edit(index, .restore(.toMany(members)))
  }

  /// Has a list that was set just now be linked when the model enters a context.
  func _$setUnlinked(_ index: Int) {
    guard case .toMany(var members) = _$edit(index, .capture).image else { return }
    members.isUnlinked = true
    _$edit(index, .restore(.toMany(members)))
  }

  /// Reads a to-one relationship that was not read: of a shell, or of a model fetched without it.
  func _$loadToOne(_ index: Int) {
    if !_$edit(index, .collect).wasLoaded { _$state.core?.load(self, index) }
  }

  /// Edits a property known by its index only, and tells the context and observers.
  @discardableResult
  func _$editInverse(_ index: Int, _ operation: __owned _SlotEdit.Operation) -> _SlotEdit {
    // Observers first: what they save or roll back must not be this change.
    let address = _$stateAddress
    if address.state.isObserved { _$announce(index, willChange: true) }
    address.state.withCore { $0.willChange(self, index) }
    defer { if address.state.isObserved { _$announce(index, willChange: false) } }
    return _$edit(index, operation)
  }

  /// Tells observers that a property may change, or has; once the edit is done, in the midst of one.
  func _$announce(_ index: Int, willChange: Bool) {
    guard _$state.isObserved, let registrar = _$state.registrar else { return }
    if let core = _$state.core, core.isEditing {
      if willChange { core.announceLater(self, index) }
      return
    }
    _$info(index)?.notify?(registrar, self, willChange)
  }
}
