public import RoostCore

// Each kind of property twice: a property that the program may set is one that it may set in a snapshot too. Attributes
// are `Codable`, which keeps models out: they would match that overload as well where a model is expected.
extension ModelSnapshot {
  /// The value of an attribute.
  @_disfavoredOverload
  public subscript<Value: Codable>(dynamicMember keyPath: KeyPath<Model, Value>) -> Value { attribute(keyPath) }

  /// The value of an attribute.
  @_disfavoredOverload
  public subscript<Value: Codable>(dynamicMember keyPath: ReferenceWritableKeyPath<Model, Value>) -> Value {
    get { attribute(keyPath) }
    set { setAttribute(keyPath, newValue) }
  }

  /// The identifier of the model that a relationship refers to.
  public subscript<Target: PersistentModel>(dynamicMember keyPath: KeyPath<Model, Target?>) -> PersistentIdentifier? {
    toOne(keyPath)
  }

  /// The identifier of the model that a relationship refers to.
  public subscript<Target: PersistentModel>(
    dynamicMember keyPath: ReferenceWritableKeyPath<Model, Target?>
  ) -> PersistentIdentifier? {
    get { toOne(keyPath) }
    set { set(keyPath, .toOne(newValue)) }
  }

  /// The identifier of the model that a relationship refers to; one of no model when that was deleted.
  public subscript<Target: PersistentModel>(dynamicMember keyPath: KeyPath<Model, Target>) -> PersistentIdentifier {
    toOne(keyPath) ?? .temporary(entityName: Target.entityName)
  }

  /// The identifier of the model that a relationship refers to; one of no model when that was deleted.
  public subscript<Target: PersistentModel>(
    dynamicMember keyPath: ReferenceWritableKeyPath<Model, Target>
  ) -> PersistentIdentifier {
    get { toOne(keyPath) ?? .temporary(entityName: Target.entityName) }
    set { set(keyPath, .toOne(newValue)) }
  }

  /// The identifiers of the models that a relationship refers to, in their order.
  public subscript<Models: RelationshipCollection>(
    dynamicMember keyPath: KeyPath<Model, Models>
  ) -> [PersistentIdentifier] { toMany(keyPath) }

  /// The identifiers of the models that a relationship refers to, in their order.
  public subscript<Models: RelationshipCollection>(
    dynamicMember keyPath: ReferenceWritableKeyPath<Model, Models>
  ) -> [PersistentIdentifier] {
    get { toMany(keyPath) }
    set { set(keyPath, .toMany(newValue)) }
  }
}
