// New models that a save made the update of a row which the context had a model of already.
//
// That older model stays the one registered for the row: whoever has it, and every fetch, goes on with it. The newer
// one is its duplicate. The program may hold that just as well, and need not know which of the two it holds: the
// duplicate has the row's identifier, reads as the registered model does, and passes on what it is set to, its
// insertion and its deletion. Itself it is in no context, so that no change is pending in two places, and goes with the
// registered model to whatever context that enters later.

extension PersistentModel {
  /// Asked before `_$registered` is, where that runs for every row: no reference is counted.
  package var _$isDuplicate: Bool { _$state.flags.contains(.duplicate) }

  /// The model registered for the row, if this one is a duplicate; else itself.
  package var _$registered: Self {
    guard _$isDuplicate, let registered = _$state.registeredModel as? Self else { return self }
    return registered._$registered
  }

  /// What a getter of a duplicate does first: its slots have nothing to show but what the registered model's have now.
  func _$accessRegistered<Member>(_ keyPath: KeyPath<Self, Member>) {
    if _$state.flags.contains(.passingOn) { return }
    _$registered.access(keyPath: keyPath)
    _$unload()
  }

  /// Makes a duplicate's slot what the registered model's is, without telling the context of what it refers to.
  func _$loadRegistered(_ index: Int) {
    let registered = _$registered
    if !registered._$edit(index, .collect).wasLoaded { registered._$load(index) }
    if let image = registered._$edit(index, .capture).image { _$restoreAlone(index, image) }
  }

  /// Makes a duplicate's slot what it was set to, so that ``_$setRegistered(_:)`` finds it.
  func _$restoreAlone(_ index: Int, _ image: SlotImage) {
    var edit = _SlotEdit(.restore(image))
    _$edit(&edit, at: index)
  }

  /// What a setter of a duplicate does last: sets the registered model to what the slot has.
  func _$setRegistered<Member>(_ keyPath: KeyPath<Self, Member>) {
    guard let keyPath = keyPath as? ReferenceWritableKeyPath<Self, Member> else { return }
    _$state.flags.insert(.passingOn)
    let value = self[keyPath: keyPath]
    _$state.flags.remove(.passingOn)
    _$registered[keyPath: keyPath] = value
  }
}

extension Array where Element: PersistentModel {
  /// The models without duplicates.
  var _$registered: [Element] {
    contains { $0._$isDuplicate } ? map { $0._$registered } : self
  }
}

extension [any PersistentModel] {
  /// The models without duplicates, each once.
  var _$registered: [any PersistentModel] {
    guard contains(where: { $0._$isDuplicate }) else { return self }
    var seen: Set<ObjectIdentifier> = []
    return map { $0._$registered }.filter { seen.insert(ObjectIdentifier($0)).inserted }
  }
}

extension ContextCore {
  /// The model registered for the row that a new model became: a row of a subclass has another than the new one.
  func registeredModel(of row: InsertedRow) -> any PersistentModel {
    existing(ordinal: row.ordinal, key: row.key)
      ?? model(schema.entities[row.ordinal].type, ordinal: row.ordinal, key: row.key)
  }

  /// Makes a new model the duplicate of the one that the context has of the same row. Returns false where it cannot
  /// pass on what is done to it: the row's model is not of its class.
  func makeDuplicate(_ model: any PersistentModel, of registered: any PersistentModel) -> Bool {
    guard registered.isInstance(of: type(of: model)), let pointer = model._$state.registered else { return false }
    let properties = model._$state.isObserved ? schema.entities[model._$state.ordinal].properties : []
    for property in properties { model._$announce(property.index, willChange: true) }
    identities.remove(pointer, ordinal: model._$state.ordinal, key: model._$state.key)
    model._$state.becomeDuplicate(of: registered)
    model._$unload()
    for property in properties { model._$announce(property.index, willChange: false) }
    return true
  }
}
