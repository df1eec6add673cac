import Foundation
public import RoostCore

extension DefaultSnapshot {
  /// Any backing data will do, also one of a custom store's own: it is asked for each property by its key path.
  static func make<Data: BackingData>(
    from data: Data, _ related: inout [PersistentIdentifier: any BackingData]
  ) -> DefaultSnapshot {
    let identifier = data.persistentModelID ?? .temporary(entityName: Data.Model.entityName)
    var snapshot = DefaultSnapshot(persistentIdentifier: identifier)
    for property in ModelSnapshot<Data.Model>.entity.properties {
      switch property.kind {
      case .attribute(let codec): snapshot.values[property.name] = attribute(property, codec, data)
      case .toOne(let relationship):
        let target = target(property, relationship.destination.type, data)
        add(target, to: &related)
        snapshot.values[property.name] = .toOne(target?.persistentModelID)
      case .toMany:
        guard let type = property.valueType as? any RelationshipCollection.Type else { continue }
        let targets = targets(property, type, data)
        for target in targets { add(target, to: &related) }
        snapshot.values[property.name] = .toMany(targets.map { $0.persistentModelID })
      }
    }
    return snapshot
  }

  private static func add(
    _ model: (any PersistentModel)?, to related: inout [PersistentIdentifier: any BackingData]
  ) {
    guard let model, related[model.persistentModelID] == nil else { return }
    func open<Model: PersistentModel>(_ model: Model) -> any BackingData { model.persistentBackingData }
    related[model.persistentModelID] = open(model)
  }

  private static func attribute<Codec: _AttributeCodec, Data: BackingData>(
    _ property: PropertyInfo, _ codec: Codec.Type, _ data: Data
  ) -> SnapshotValue? {
    func coded<Value: Decodable>(_ type: Value.Type) -> Codec.Value? {
      (property.keyPath as? KeyPath<Data.Model, Value>).flatMap { data.getValue(forKey: $0) as? Codec.Value }
    }
    func transformed() -> Codec.Value? {
      (property.keyPath as? KeyPath<Data.Model, Codec.Value>).map { data.getTransformableValue(forKey: $0) }
    }
    let value = CodableTypes.decodable(Codec.Value.self).map { coded($0) } ?? transformed()
    return value.map { Codec.snapshotValue(of: $0) }
  }

  private static func target<Target: PersistentModel, Data: BackingData>(
    _ property: PropertyInfo, _ type: Target.Type, _ data: Data
  ) -> Target? {
    if let keyPath = property.keyPath as? KeyPath<Data.Model, Target?> { return data.getValue(forKey: keyPath) }
    return (property.keyPath as? KeyPath<Data.Model, Target>).map { data.getValue(forKey: $0) }
  }

  private static func targets<Models: RelationshipCollection, Data: BackingData>(
    _ property: PropertyInfo, _ type: Models.Type, _ data: Data
  ) -> [any PersistentModel] {
    (property.keyPath as? KeyPath<Data.Model, Models>).flatMap { data.getValue(forKey: $0)._models } ?? []
  }
}

extension DataStoreSnapshot {
  /// Sets the values behind a model to the snapshot's. Returns false, and sets none, when one cannot be set.
  ///
  /// A custom snapshot must be encoded by ``DataStoreSnapshotCodingKey``s. Relationships need backing data of a model
  /// that is in a context; no other can look identifiers up.
  public func _applyToBackingData(_ backingData: any BackingData) -> Bool { apply(to: backingData) }

  private func apply<Data: BackingData>(to data: Data) -> Bool {
    guard let snapshot = try? modelSnapshot(Data.Model.self) else { return false }
    if let model = (data as? ModelBackingData<Data.Model>)?.model { return (try? model.apply(snapshot)) != nil }
    var edits: [() -> Void] = []
    for property in ModelSnapshot<Data.Model>.entity.properties {
      let value = snapshot.storage.values[property.name]
      if case .attribute(let codec) = property.kind {
        guard let edit = edit(property, codec, value, data) else { return false }
        edits.append(edit)
      } else if value?.identifiers.isEmpty == false {
        return false
      }
    }
    for edit in edits { edit() }
    return true
  }

  private func edit<Codec: _AttributeCodec, Data: BackingData>(
    _ property: PropertyInfo, _ codec: Codec.Type, _ value: SnapshotValue?, _ data: Data
  ) -> (() -> Void)? {
    guard let value = Codec.value(of: value), let keyPath = property.keyPath as? KeyPath<Data.Model, Codec.Value> else {
      return nil
    }
    func coded<Value: Encodable>(_ type: Value.Type) -> (() -> Void)? {
      guard let keyPath = keyPath as? KeyPath<Data.Model, Value>, let value = value as? Value else { return nil }
      return { data.setValue(forKey: keyPath, to: value) }
    }
    guard let type = CodableTypes.encodable(Codec.Value.self) else {
      return { data.setTransformableValue(forKey: keyPath, to: value) }
    }
    return coded(type)
  }

  private func modelSnapshot<Model: PersistentModel>(_ type: Model.Type) throws -> ModelSnapshot<Model> {
    if let snapshot = self as? DefaultSnapshot { return try ModelSnapshot(checking: snapshot) }
    return try JSONDecoder().decode(ModelSnapshot<Model>.self, from: JSONEncoder().encode(self))
  }
}
