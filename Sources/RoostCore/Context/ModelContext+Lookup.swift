extension ModelContext {
  /// The model with an identifier: the live instance, or one that reads its row on first use.
  ///
  /// Nothing is read here. An identifier without a row gives a model with default values, whose `isDeleted` becomes
  /// true on first use.
  public func model(for persistentModelID: PersistentIdentifier) -> any PersistentModel {
    core.settle()
    guard let entity = store.schema.entity(named: persistentModelID.entityName) else {
      report(.unknownEntity(persistentModelID))
      // Something must be returned: a model of the schema's first type that says it is deleted.
      return ContextCore.orphan(store.schema.entities[0].type)
    }
    return core.model(entity.type, ordinal: entity.ordinal, key: persistentModelID.key)
  }

  /// The live instance with an identifier, or nil when the context has none; the store is not read.
  public func registeredModel<T>(for persistentModelID: PersistentIdentifier) -> T? where T: PersistentModel {
    core.settle()
    guard let entity = store.schema.entity(named: persistentModelID.entityName) else { return nil }
    return core.existing(ordinal: entity.ordinal, key: persistentModelID.key) as? T
  }
}
