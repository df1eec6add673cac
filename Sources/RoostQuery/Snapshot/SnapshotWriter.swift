import RoostCore

/// Sets a model's properties to a snapshot's values.
///
/// In two steps, so that a value which cannot be set leaves the model as it was: `prepare`, which may throw, and then
/// the edits.
struct SnapshotWriter<Model: PersistentModel> {
  typealias Edit = () -> Void

  let model: Model
  /// Where identifiers are looked up; nil for a model that is in no context.
  let context: ModelContext?

  /// The edits that make the model's values the snapshot's.
  func prepare(_ snapshot: DefaultSnapshot, _ entity: EntityInfo) throws -> [Edit] {
    let reader = SnapshotReader(model: model)
    return try entity.properties.compactMap { property in
      guard let value = snapshot.values[property.name] else { return nil }
      if reader.hasValue(of: property), areEqual(value, reader.value(of: property), property) { return nil }
      return try edit(property, value)
    }
  }

  private func areEqual(_ left: SnapshotValue, _ right: SnapshotValue, _ property: PropertyInfo) -> Bool {
    if case .attribute(let codec) = property.kind { return codec.areEqual(left, right) }
    return left == right
  }

  private func edit(_ property: PropertyInfo, _ value: SnapshotValue) throws -> Edit {
    if case .refused(let reason) = value {
      throw failure(property, "The snapshot lacks the value: \(reason)", "Set the snapshot's \(property.name).")
    }
    switch property.kind {
    case .attribute(let codec): return try attribute(property, value, codec)
    case .toOne(let relationship): return try toOne(property, value, relationship.destination.type)
    case .toMany:
      guard let type = property.valueType as? any RelationshipCollection.Type else { return {} }
      return try toMany(property, value, type)
    }
  }

  private func attribute<Codec: _AttributeCodec>(
    _ property: PropertyInfo, _ value: SnapshotValue, _ codec: Codec.Type
  ) throws -> Edit {
    guard let value = Codec.value(of: value) else {
      throw failure(property, "The snapshot holds no \(Codec.Value.self).", "Set the snapshot's \(property.name).")
    }
    return set(property, value)
  }

  private func toOne<Target: PersistentModel>(
    _ property: PropertyInfo, _ value: SnapshotValue, _ type: Target.Type
  ) throws -> Edit {
    let target = try targets(property, value, type).first
    if property.isOptional { return set(property, target) }
    guard let target else {
      throw failure(
        property, "The relationship is not optional, and the snapshot's refers to no model.",
        "Set the snapshot's \(property.name).")
    }
    return set(property, target)
  }

  private func toMany<Models: RelationshipCollection>(
    _ property: PropertyInfo, _ value: SnapshotValue, _ type: Models.Type
  ) throws -> Edit {
    set(property, Models._make(try targets(property, value, Models.PersistentElement.self)))
  }

  private func set<Value>(_ property: PropertyInfo, _ value: Value) -> Edit {
    guard let keyPath = property.keyPath as? ReferenceWritableKeyPath<Model, Value> else {
      return { [model] in property.assign?(model, value) }
    }
    return { [model] in model[keyPath: keyPath] = value }
  }

  /// The models that a relationship's identifiers name.
  private func targets<Target: PersistentModel>(
    _ property: PropertyInfo, _ value: SnapshotValue, _ type: Target.Type
  ) throws -> [Target] {
    let identifiers = value.identifiers
    let found = try context.map { try $0.existingModels(type, identifiers) } ?? ownTargets(property, type)
    return try identifiers.map { identifier in
      if let target = found[identifier] { return target }
      throw failure(
        property,
        "The snapshot refers to \(identifier.entityName) \(identifier.key), which "
          + (context == nil ? "a model outside a context cannot look up." : "is not in this store."),
        context == nil
          ? "Insert the model into a context first." : "Take the identifier out of the snapshot's \(property.name).")
    }
  }

  private func ownTargets<Target: PersistentModel>(
    _ property: PropertyInfo, _ type: Target.Type
  ) -> [PersistentIdentifier: Target] {
    let models = model._$edit(property.index, .collect).models.compactMap { ($0 as AnyObject) as? Target }
    return Dictionary(models.map { ($0.persistentModelID, $0) }, uniquingKeysWith: { first, _ in first })
  }

  private func failure(_ property: PropertyInfo, _ message: String, _ remedy: String) -> SwiftDataError {
    .validation(
      model: Model.entityName, property: property.name, row: model.persistentModelID, message, remedy: remedy)
  }
}
