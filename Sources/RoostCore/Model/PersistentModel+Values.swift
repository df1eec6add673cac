extension PersistentModel {
  /// Makes empty backing data for a model type.
  public static func createBackingData<P>() -> some BackingData<P> where P: PersistentModel {
    ModelBackingData<P>(for: P.self)
  }

  /// The values behind the instance: a view of its own properties.
  public var persistentBackingData: any BackingData<Self> {
    get { ModelBackingData(model: self) }
    set { _$adopt(newValue) }
  }

  /// Takes over the values of another instance's backing data.
  @_documentation(visibility: private)
  public func _$adopt(_ backingData: any BackingData<Self>) {
    guard let other = (backingData as? ModelBackingData<Self>)?.model, other !== self else { return }
    for metadata in dynamicType.allMetadata { metadata.copy?(other, _$registered) }
  }

  /// The value of a property.
  @_disfavoredOverload
  public func getValue<Value>(forKey key: KeyPath<Self, Value>) -> Value where Value: Decodable { self[keyPath: key] }
  /// The value of a property.
  public func getValue<Value>(forKey key: KeyPath<Self, Value>) -> Value where Value: PersistentModel {
    self[keyPath: key]
  }
  /// The value of a property.
  public func getValue<Value>(forKey key: KeyPath<Self, Value?>) -> Value? where Value: PersistentModel {
    self[keyPath: key]
  }
  /// The value of a property.
  public func getValue<Value, OtherModel>(forKey key: KeyPath<Self, Value>) -> Value
  where Value: RelationshipCollection, OtherModel == Value.PersistentElement { self[keyPath: key] }
  /// The value of a property.
  public func getValue<Value, OtherModel>(forKey key: KeyPath<Self, Value>) -> Value
  where Value: Decodable, Value: RelationshipCollection, OtherModel == Value.PersistentElement { self[keyPath: key] }
  /// The value of a property that a transformer keeps.
  public func getTransformableValue<Value>(forKey key: KeyPath<Self, Value>) -> Value { self[keyPath: key] }

  /// Changes the value of a property.
  @_disfavoredOverload
  public func setValue<Value>(forKey key: KeyPath<Self, Value>, to newValue: Value) where Value: Encodable {
    ModelBackingData(model: self).setTransformableValue(forKey: key, to: newValue)
  }
  /// Changes the value of a property.
  public func setValue<Value>(forKey key: KeyPath<Self, Value>, to newValue: Value) where Value: PersistentModel {
    ModelBackingData(model: self).setTransformableValue(forKey: key, to: newValue)
  }
  /// Changes the value of a property.
  public func setValue<Value>(forKey key: KeyPath<Self, Value?>, to newValue: Value?) where Value: PersistentModel {
    ModelBackingData(model: self).setTransformableValue(forKey: key, to: newValue)
  }
  /// Changes the value of a property.
  public func setValue<Value, OtherModel>(forKey key: KeyPath<Self, Value>, to newValue: Value)
  where Value: RelationshipCollection, OtherModel == Value.PersistentElement {
    ModelBackingData(model: self).setTransformableValue(forKey: key, to: newValue)
  }
  /// Changes the value of a property.
  public func setValue<Value, OtherModel>(forKey key: KeyPath<Self, Value>, to newValue: Value)
  where Value: Encodable, Value: RelationshipCollection, OtherModel == Value.PersistentElement {
    ModelBackingData(model: self).setTransformableValue(forKey: key, to: newValue)
  }
  /// Changes the value of a property that a transformer keeps.
  public func setTransformableValue<Value>(forKey key: KeyPath<Self, Value>, to newValue: Value) {
    ModelBackingData(model: self).setTransformableValue(forKey: key, to: newValue)
  }
}
