/// The values behind a model instance. For custom stores and expanded code.
///
/// Source: SwiftData's `BackingData`.
public protocol BackingData<Model> {
  associatedtype Model: PersistentModel

  init(for modelType: Model.Type)

  var persistentModelID: PersistentIdentifier? { get set }
  var metadata: Any { get }

  @_disfavoredOverload
  func getValue<Value>(forKey: KeyPath<Model, Value>) -> Value where Value: Decodable
  func getValue<Value>(forKey: KeyPath<Model, Value>) -> Value where Value: PersistentModel
  func getValue<Value>(forKey: KeyPath<Model, Value?>) -> Value? where Value: PersistentModel
  func getValue<Value, OtherModel>(forKey: KeyPath<Model, Value>) -> Value
  where Value: RelationshipCollection, OtherModel == Value.PersistentElement
  func getValue<Value, OtherModel>(forKey: KeyPath<Model, Value>) -> Value
  where Value: Decodable, Value: RelationshipCollection, OtherModel == Value.PersistentElement
  func getTransformableValue<Value>(forKey: KeyPath<Model, Value>) -> Value

  @_disfavoredOverload
  func setValue<Value>(forKey: KeyPath<Model, Value>, to newValue: Value) where Value: Encodable
  func setValue<Value>(forKey: KeyPath<Model, Value>, to newValue: Value) where Value: PersistentModel
  func setValue<Value>(forKey: KeyPath<Model, Value?>, to newValue: Value?) where Value: PersistentModel
  func setValue<Value, OtherModel>(forKey: KeyPath<Model, Value>, to newValue: Value)
  where Value: RelationshipCollection, OtherModel == Value.PersistentElement
  func setValue<Value, OtherModel>(forKey: KeyPath<Model, Value>, to newValue: Value)
  where Value: Encodable, Value: RelationshipCollection, OtherModel == Value.PersistentElement
  func setTransformableValue<Value>(forKey: KeyPath<Model, Value>, to newValue: Value)
}
