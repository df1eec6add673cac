// What a draft reads: its parent's models.
extension ContextCore {
  /// The contexts whose pending changes this one shows, the outermost first.
  package var layers: [ContextCore] { (parent?.layers ?? []) + [self] }

  /// Whether this context or one that it shows the changes of has any.
  var showsChanges: Bool { pending.hasChanges || parent?.showsChanges ?? false }

  /// The parent's model of the same row; nil for one that is new here, unless `isNew` says that it is not.
  func original(of model: any PersistentModel, isNew: Bool? = nil) -> (any PersistentModel)? {
    guard let parent else { return nil }
    let (ordinal, key) = (model._$state.ordinal, model._$state.key)
    if let original = parent.existing(ordinal: ordinal, key: key) { return original }
    guard key > 0 || parent.knows(ordinal: ordinal, key: key), !(isNew ?? model._$state.flags.contains(.inserted))
    else {
      return nil
    }
    return parent.model(schema.entities[ordinal].type, ordinal: ordinal, key: key)
  }

  /// As `load(_:_:)`, from the parent's model.
  func copy(_ model: any PersistentModel, _ index: Int) {
    guard !model._$state.flags.contains(.inserted) else { return }
    let entity = schema.entities[model._$state.ordinal]
    if model._$state.flags.contains(.shell) {
      let shells = takeShells(ordinal: entity.ordinal).compactMap { existing(ordinal: entity.ordinal, key: $0) }
      copy([model] + shells.filter { $0 !== model && $0._$state.flags.contains(.shell) }, refreshing: false)
    }
    // A model may have none at all.
    guard entity.properties.indices.contains(index) else { return }
    if case .toMany(let relationship) = entity.properties[index].kind {
      copyMembers(of: model, index, relationship)
    } else if !model._$edit(index, .collect).wasLoaded, !model._$state.flags.contains(.vanished) {
      copy([model], refreshing: false)
      if entity.properties[index].isExternal, let original = original(of: model),
        let image = parent?.image(of: original, index)
      {
        model._$edit(index, .restore(image))
      }
    }
  }

  /// Gives models what the parent's have: what they lack, or all that did not change here.
  package func copy(_ models: [any PersistentModel], refreshing: Bool) {
    guard let parent else { return }
    // All at once, so that one statement reads what the parent has not read either.
    let originals = models.map { original(of: $0) }
    if refreshing, parent.parent != nil { parent.copy(originals.compactMap(\.self), refreshing: true) }
    for (model, original) in zip(models, originals) where !model._$state.flags.contains(.inserted) {
      let entity = schema.entities[model._$state.ordinal]
      model._$state.flags.remove(.shell)
      guard let original, parent.isThere(original) else {
        noteGone(model)
        continue
      }
      // So that the parent knows whose relationships will be asked for together.
      parent.remember(original)
      model._$state.flags.remove(.vanished)
      for property in entity.properties where !model._$state.changed.contains(property.index) {
        if case .toMany = property.kind { continue }
        // Its file is read once somebody asks.
        if property.isExternal {
          if refreshing { model._$edit(property.index, .unload) }
          continue
        }
        if !refreshing, model._$edit(property.index, .collect).wasLoaded { continue }
        if let image = parent.image(of: original, property.index) { model._$edit(property.index, .restore(image)) }
      }
    }
  }

  /// Has the outermost context read rows, which throws where a copy could not. Hold them until they are copied.
  package func readStored(
    _ entity: EntityInfo, _ keys: [Int64], bad: (SwiftDataError, Int64) throws -> Void = { error, _ in throw error }
  ) throws -> [any PersistentModel] {
    guard parent != nil, let outermost = layers.first else { return [] }
    var models: [any PersistentModel] = []
    try outermost.readRows(entity, keys.filter { $0 > 0 }, bad: bad) { models.append($0) }
    return models
  }

  /// Whether there is a model of a key that is not deleted, also in the store.
  func isLive(_ entity: EntityInfo, key: Int64) -> Bool {
    guard isReadable(entity, key: key) || identities.contains(ordinal: entity.ordinal, key: key) else { return false }
    let model =
      existing(ordinal: entity.ordinal, key: key)
      ?? (entity.isMixed
        ? mixedModels(entity, [key]).first : model(entity.type, ordinal: entity.ordinal, key: key))
    return model.map { isThere($0) } ?? false
  }

  /// Whether both models of a link are live.
  func areLive(_ row: JoinRow) -> Bool {
    guard let table = schema.joinTables.first(where: { $0.name == row.table }) else { return false }
    return isLive(table.owner, key: row.key(in: table.ownerColumn))
      && isLive(table.destination, key: row.key(in: table.destinationColumn))
  }

  /// What a slot holds, read from the store where it was not.
  func image(of model: any PersistentModel, _ index: Int) -> SlotImage? {
    if !model._$edit(index, .collect).wasLoaded { load(model, index) }
    return model._$edit(index, .capture).image
  }

  private func copyMembers(of model: any PersistentModel, _ index: Int, _ relationship: RelationshipInfo) {
    guard !model._$edit(index, .collect).wasLoaded else { return }
    var members: [Int64] = []
    if let parent, let original = original(of: model) {
      _ = parent.image(of: original, index)
      members = original._$edit(index, .collect).keys
    }
    let key = model._$state.key
    setMembers(of: [key: model], index, relationship, stored: [key: members])
  }
}
