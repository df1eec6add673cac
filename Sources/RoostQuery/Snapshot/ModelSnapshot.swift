public import RoostCore

/// A copy of a model's values that may be sent between actors, compared, edited and encoded.
///
/// Its properties are the model's persisted ones, under the same names: attributes as values, relationships as
/// identifiers.
///
/// ```swift
/// var draft = note.snapshot()          // ModelSnapshot<Note>
/// draft.title = "Swifts"
/// draft.author                         // PersistentIdentifier?
/// draft.comments                       // [PersistentIdentifier]
/// try note.apply(draft)                // writes what differs
/// ```
/// Computed and `@Transient` properties are not in it: naming one stops the program. A snapshot holds what the store
/// would, so that an attribute's type need not be `Sendable`. Where a type refuses to encode its value, the snapshot
/// has the property's default instead, and applying, inserting or encoding it throws.
@dynamicMemberLookup
public struct ModelSnapshot<Model: PersistentModel>: Hashable, Sendable {
  var storage: DefaultSnapshot

  init(storage: DefaultSnapshot) { self.storage = storage }

  /// Throws when the snapshot is none of this model class.
  init(checking storage: DefaultSnapshot) throws {
    for property in Self.entity.properties where storage.values[property.name]?.fits(property.kind) != true {
      throw SwiftDataError.validation(
        model: Model.entityName, property: property.name, row: storage.persistentIdentifier,
        "The snapshot lacks the property.", remedy: "Apply it to a model of \(storage.persistentIdentifier.entityName)."
      )
    }
    self.storage = storage
  }

  /// Which model the values were copied from; temporary if it was not saved.
  public var persistentModelID: PersistentIdentifier { storage.persistentIdentifier }
}

extension ModelSnapshot {
  /// What is known of the model class alone: properties have the same places in every container's schema.
  static var entity: EntityInfo {
    guard let entity = SchemaInfo.standalone(Model.self)?.entity(for: Model.self) else {
      fatalError("The model types do not make a schema: ModelContainer(for: \(Model.self).self) says why.")
    }
    return entity
  }

  private func property(_ keyPath: AnyKeyPath) -> PropertyInfo {
    let entity = Self.entity
    guard let index = entity.byKeyPath[keyPath] ?? entity.required(keyPath)?.index else {
      fatalError("\(keyPath) is not persisted, so that a snapshot of \(entity.name) does not have it.")
    }
    return entity.properties[index]
  }

  func attribute<Value>(_ keyPath: KeyPath<Model, Value>) -> Value {
    if keyPath == \Model.id as KeyPath<Model, PersistentIdentifier>, let value = persistentModelID as? Value {
      return value
    }
    let property = property(keyPath)
    func open<Codec: _AttributeCodec>(_ codec: Codec.Type) -> Value? {
      (Codec.value(of: storage.values[property.name]) ?? property.placeholder(codec)) as? Value
    }
    guard case .attribute(let codec) = property.kind else {
      fatalError("\(keyPath) is a relationship: a snapshot has its identifiers.")
    }
    guard let value = open(codec) else {
      fatalError("\(keyPath): \(Value.self) refuses to be encoded, and to be decoded from empty values.")
    }
    return value
  }

  mutating func setAttribute<Value>(_ keyPath: KeyPath<Model, Value>, _ value: Value) {
    let property = property(keyPath)
    func open<Codec: _AttributeCodec>(_ codec: Codec.Type) -> SnapshotValue? {
      (value as? Codec.Value).map(Codec.snapshotValue)
    }
    guard case .attribute(let codec) = property.kind, let value = open(codec) else {
      fatalError("\(keyPath) is a relationship: a snapshot has its identifiers.")
    }
    storage.values[property.name] = value
  }

  func toOne(_ keyPath: AnyKeyPath) -> PersistentIdentifier? {
    storage.values[property(keyPath).name]?.identifiers.first
  }

  func toMany(_ keyPath: AnyKeyPath) -> [PersistentIdentifier] {
    storage.values[property(keyPath).name]?.identifiers ?? []
  }

  mutating func set(_ keyPath: AnyKeyPath, _ value: SnapshotValue) {
    storage.values[property(keyPath).name] = value
  }
}
