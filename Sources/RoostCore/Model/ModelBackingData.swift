/// The backing data that every model has here: a view of the model's own slots.
package struct ModelBackingData<Model: PersistentModel>: BackingData {
  package let model: Model

  init(model: Model) { self.model = model }

  package init(for modelType: Model.Type) {
    var row = _RowReader()
    model = Model(_$row: &row)
  }

  package var persistentModelID: PersistentIdentifier? {
    get { model.persistentModelID }
    set {}
  }

  package var metadata: Any { Model.schemaMetadata }

  package func getValue<Value>(forKey key: KeyPath<Model, Value>) -> Value where Value: Decodable {
    model[keyPath: key]
  }
  package func getValue<Value>(forKey key: KeyPath<Model, Value>) -> Value where Value: PersistentModel {
    model[keyPath: key]
  }
  package func getValue<Value>(forKey key: KeyPath<Model, Value?>) -> Value? where Value: PersistentModel {
    model[keyPath: key]
  }
  package func getValue<Value, OtherModel>(forKey key: KeyPath<Model, Value>) -> Value
  where Value: RelationshipCollection, OtherModel == Value.PersistentElement { model[keyPath: key] }
  package func getValue<Value, OtherModel>(forKey key: KeyPath<Model, Value>) -> Value
  where Value: Decodable, Value: RelationshipCollection, OtherModel == Value.PersistentElement { model[keyPath: key] }
  package func getTransformableValue<Value>(forKey key: KeyPath<Model, Value>) -> Value { model[keyPath: key] }

  package func setValue<Value>(forKey key: KeyPath<Model, Value>, to value: Value) where Value: Encodable {
    set(key, value)
  }
  package func setValue<Value>(forKey key: KeyPath<Model, Value>, to value: Value) where Value: PersistentModel {
    set(key, value)
  }
  package func setValue<Value>(forKey key: KeyPath<Model, Value?>, to value: Value?) where Value: PersistentModel {
    set(key, value)
  }
  package func setValue<Value, OtherModel>(forKey key: KeyPath<Model, Value>, to value: Value)
  where Value: RelationshipCollection, OtherModel == Value.PersistentElement { set(key, value) }
  package func setValue<Value, OtherModel>(forKey key: KeyPath<Model, Value>, to value: Value)
  where Value: Encodable, Value: RelationshipCollection, OtherModel == Value.PersistentElement { set(key, value) }
  package func setTransformableValue<Value>(forKey key: KeyPath<Model, Value>, to value: Value) { set(key, value) }

  /// Sets a property whose key path is writable; others are constants and keep their value.
  private func set<Value>(_ key: KeyPath<Model, Value>, _ value: Value) {
    if let key = key as? ReferenceWritableKeyPath<Model, Value> { model[keyPath: key] = value }
  }
}
