// Models that enter the context, with what they refer to.
extension ContextCore {
  func insert(_ root: any PersistentModel) {
    if root._$isDuplicate { return insert(root._$registered) }
    editing { insertGraph(root) }
  }

  private func insertGraph(_ root: any PersistentModel) {
    let state = root._$stateAddress
    if isAttached, state.state.membership(in: self) != .elsewhere {
      if state.state.flags.contains(.deleted) { undelete(root) }
      // Its row may have gone since.
      if state.state.flags.contains(.shell) { _ = isThere(root) }
      guard state.state.flags.contains(.vanished) else { return }
      // As after a deletion of this context's own.
      pending.forget([root])
      // Queries were shown its row.
      context?.forgetOverlay()
      release(root)
    }
    guard let entity = enter(root), !entity.relationships.isEmpty else { return }
    var entered: [any PersistentModel] = []
    state.state.flags.insert(.entering)
    link(root, entity, &entered)
    var next = 0
    while next < entered.count {
      let model = entered[next]
      link(model, schema.entities[model._$state.ordinal], &entered)
      next += 1
    }
    state.state.flags.remove(.entering)
    for model in entered { model._$state.flags.remove(.entering) }
  }

  /// Makes the model one of this context's, its relationships apart. Returns nil when it cannot be.
  @discardableResult
  func enter(_ model: any PersistentModel) -> EntityInfo? {
    let state = model._$stateAddress
    guard !state.state.isAttached else {
      context?.report(.wrongContext(inserted: model))
      return nil
    }
    guard let entity = entity(for: type(of: model)) else {
      context?.report(.modelNotInSchema(model))
      return nil
    }
    if state.state.flags.contains(.placeholder) {
      context?.report(.noRow(inserted: model))
      return nil
    }
    // Of a context that is gone.
    if let former = state.state.core { former.handOver(model) }
    if state.state.flags.contains(.vanished), let unread = unreadAttribute(of: model, entity) {
      context?.report(.unread(inserted: model, unread))
      return nil
    }
    undo?.willInsert(model)
    let pointer = Unmanaged.passUnretained(model as AnyObject).toOpaque()
    let key = state.state.enter(self, ordinal: entity.ordinal, pointer)
    identities.insert(pointer, ordinal: entity.ordinal, key: key)
    pending.insertListed(model, state)
    return entity
  }

  /// A value that went with a model's row, as nobody had read it: as a new one the model would be without.
  private func unreadAttribute(of model: any PersistentModel, _ entity: EntityInfo) -> PropertyInfo? {
    entity.properties.first { property in
      guard property.relationship == nil, property.isStored else { return false }
      let slot = model._$edit(property.index, .collect)
      // What is in a file the save says more of.
      return !slot.wasLoaded && slot.file == nil
    }
  }

  /// Lets a model go that enters another context: with all its attributes, and the relationships that were set since.
  private func handOver(_ model: any PersistentModel) {
    let properties = schema.entities[model._$state.ordinal].properties
    // Reading the row would replace what was set.
    let known = properties.filter { property in
      let slot = model._$edit(property.index, .collect)
      return property.relationship == nil ? slot.wasLoaded : !slot.models.isEmpty
    }.map { ($0.index, model._$edit($0.index, .capture).image) }
    for property in properties
    where property.relationship == nil && !model._$edit(property.index, .collect).wasLoaded {
      load(model, property.index)
    }
    release(model)
    for case (let index, let image?) in known { model._$edit(index, .restore(image)) }
  }

  /// Brings in what the model refers to, replaces the models in its slots by their keys, and tells those that were here
  /// before.
  private func link(_ model: any PersistentModel, _ entity: EntityInfo, _ entered: inout [any PersistentModel]) {
    let key = model._$stateAddress.state.key
    for property in entity.relationships {
      guard let relationship = property.relationship else { continue }
      let found = model._$edit(property.index, .enterContext)
      found.forEachModel { target in
        let targetState = target._$stateAddress
        let formerKey = targetState.state.key
        guard target._$isWhole else {
          model._$edit(property.index, .remove(target, key: formerKey))
          targetState.state.links?.wait(for: self, model)
          return
        }
        // Of a context that is gone, which it leaves without its relationships.
        let isHandedOver = targetState.state.hasCore && targetState.state.membership(in: self) == .elsewhere
        let membership = membership(of: target, &entered)
        let targetKey = targetState.state.key
        if targetKey != formerKey { replace(formerKey, with: targetKey, in: model, property.index) }
        if membership == .elsewhere || targetState.state.flags.contains(.deleted) {
          // Reported, as its key means another row here; or to be deleted.
          model._$edit(property.index, .remove(target, key: target._$temporaryKey()))
          return
        }
        // Two models that enter together mostly know each other.
        if membership == .present
          || (found.isUnlinked || isHandedOver) && !RelationshipLinker.leads(target, back: relationship, to: key)
        {
          RelationshipLinker.linkInverse(of: model, key: key, property.index, relationship, target)
        }
        joinInserted(model, relationship, target)
      }
    }
  }

  /// A model that comes from another context, or again, gets another key than its row had.
  private func replace(_ formerKey: Int64, with key: Int64, in model: any PersistentModel, _ index: Int) {
    switch model._$edit(index, .capture).image {
    case .toOne: model._$edit(index, .restore(.toOne(ToOneReference(key: key))))
    case .toMany(var members):
      guard case .keys(let keys) = members.contents else { return }
      members.contents = .keys(keys.map { $0 == formerKey ? key : $0 })
      model._$edit(index, .restore(.toMany(members)))
    case .attribute, nil: break
    }
  }

  /// Has a related model enter too, unless it is here.
  private func membership(
    of target: any PersistentModel, _ entered: inout [any PersistentModel]
  ) -> _ModelState.Membership {
    let membership = target._$state.membership(in: self)
    guard membership == .elsewhere else { return membership }
    guard let entity = enter(target) else { return .elsewhere }
    if entity.relationships.isEmpty { return .entering }
    target._$state.flags.insert(.entering)
    entered.append(target)
    return .entering
  }

  /// Records a row of a join table once, although both of its models may be new.
  private func joinInserted(
    _ model: any PersistentModel, _ relationship: RelationshipInfo, _ target: any PersistentModel
  ) {
    guard let row = JoinRow(relationship, model._$state.key, target._$state.key) else { return }
    if pending.allJoinRows[row] == nil { join(row, isLinked: true) }
  }
}
