/// The values behind a model instance. For custom stores and expanded code.
///
/// Source: SwiftData's `BackingData`.
public protocol BackingData<Model> {
  /// The model class.
  associatedtype Model: PersistentModel

  /// Makes empty backing data of a model type.
  init(for modelType: Model.Type)

  /// The model's identity, if it has one.
  var persistentModelID: PersistentIdentifier? { get set }
  /// What describes the properties.
  var metadata: Any { get }

  /// The value of a property.
  @_disfavoredOverload
  func getValue<Value>(forKey: KeyPath<Model, Value>) -> Value where Value: Decodable
  /// The value of a property.
  func getValue<Value>(forKey: KeyPath<Model, Value>) -> Value where Value: PersistentModel
  /// The value of a property.
  func getValue<Value>(forKey: KeyPath<Model, Value?>) -> Value? where Value: PersistentModel
  /// The value of a property.
  func getValue<Value, OtherModel>(forKey: KeyPath<Model, Value>) -> Value
  where Value: RelationshipCollection, OtherModel == Value.PersistentElement
  /// The value of a property.
  func getValue<Value, OtherModel>(forKey: KeyPath<Model, Value>) -> Value
  where Value: Decodable, Value: RelationshipCollection, OtherModel == Value.PersistentElement
  /// The value of a property that a transformer keeps.
  func getTransformableValue<Value>(forKey: KeyPath<Model, Value>) -> Value

  /// Changes the value of a property.
  @_disfavoredOverload
  func setValue<Value>(forKey: KeyPath<Model, Value>, to newValue: Value) where Value: Encodable
  /// Changes the value of a property.
  func setValue<Value>(forKey: KeyPath<Model, Value>, to newValue: Value) where Value: PersistentModel
  /// Changes the value of a property.
  func setValue<Value>(forKey: KeyPath<Model, Value?>, to newValue: Value?) where Value: PersistentModel
  /// Changes the value of a property.
  func setValue<Value, OtherModel>(forKey: KeyPath<Model, Value>, to newValue: Value)
  where Value: RelationshipCollection, OtherModel == Value.PersistentElement
  /// Changes the value of a property.
  func setValue<Value, OtherModel>(forKey: KeyPath<Model, Value>, to newValue: Value)
  where Value: Encodable, Value: RelationshipCollection, OtherModel == Value.PersistentElement
  /// Changes the value of a property that a transformer keeps.
  func setTransformableValue<Value>(forKey: KeyPath<Model, Value>, to newValue: Value)
}
