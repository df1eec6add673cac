import RoostCore

/// Copies a model's properties into snapshot values.
struct SnapshotReader<Model: PersistentModel> {
  let model: Model

  /// All of the model's values, read from the store where they were not yet.
  func snapshot(_ entity: EntityInfo) -> DefaultSnapshot {
    var values: [String: SnapshotValue] = [:]
    values.reserveCapacity(entity.properties.count)
    for property in entity.properties { values[property.name] = value(of: property) }
    return DefaultSnapshot(persistentIdentifier: model.persistentModelID, values: values)
  }

  func value(of property: PropertyInfo) -> SnapshotValue {
    switch property.kind {
    case .attribute(let codec): attribute(property, codec)
    case .toOne: .toOne(identifiers(property).first)
    case .toMany: .toMany(identifiers(property))
    }
  }

  /// Whether the property has a value, and not only what stands for one.
  func hasValue(of property: PropertyInfo) -> Bool {
    if model._$edit(property.index, .collect).wasLoaded { return true }
    model._$load(property.index)
    return model._$edit(property.index, .collect).wasLoaded
  }

  private func attribute<Codec: _AttributeCodec>(_ property: PropertyInfo, _ codec: Codec.Type) -> SnapshotValue {
    guard let keyPath = property.keyPath as? KeyPath<Model, Codec.Value> else {
      return .refused("\(property.keyPath) is no key path of \(Model.self).")
    }
    return Codec.snapshotValue(of: model[keyPath: keyPath])
  }

  /// Of the keys alone, where the model is in a context: related models are not made.
  private func identifiers(_ property: PropertyInfo) -> [PersistentIdentifier] {
    observe(property.keyPath)
    _ = hasValue(of: property)
    let found = model._$edit(property.index, .collect)
    guard let core = model._$state.core, let destination = model._$info(property.index)?.relationship?.destination
    else { return found.models.map(\.persistentModelID) }
    // Keys alone do not say which class a model is of.
    if destination.isMixed { return core.mixedModels(destination, found.keys).map(\.persistentModelID) }
    let stored = core.scope(ordinal: destination.ordinal)
    let temporary = TemporaryScopes.scope(entityName: destination.name)
    return found.keys.compactMap { key in
      guard let target = core.existing(ordinal: destination.ordinal, key: key) else {
        return PersistentIdentifier(scope: key < 0 ? temporary : stored, key: key)
      }
      return target._$state.flags.contains(.deleted) ? nil : target.persistentModelID
    }
  }

  private func observe(_ keyPath: AnyKeyPath) {
    func open<Value>(_ type: Value.Type) {
      if let keyPath = keyPath as? KeyPath<Model, Value> { model.access(keyPath: keyPath) }
    }
    _openExistential(type(of: keyPath).valueType, do: open)
  }
}
