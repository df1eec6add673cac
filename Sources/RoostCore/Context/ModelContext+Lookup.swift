extension ModelContext {
  /// The model with an identifier: the live instance, or one that reads its row on first use.
  ///
  /// Nothing is read here. An identifier without a row gives a model with default values, whose `isDeleted` becomes
  /// true on first use; so does at once one of another store.
  public func model(for persistentModelID: PersistentIdentifier) -> any PersistentModel {
    if let entity = store.entity(of: persistentModelID.scope), persistentModelID.key > 0,
      persistentModelID.customKey == nil
    {
      return core.model(entity.type, ordinal: entity.ordinal, key: persistentModelID.key)
    }
    guard let entity = store.schema.entity(of: persistentModelID) else {
      report(.unknownEntity(persistentModelID))
      // Something must be returned: a model of the schema's first type, if it has any, that says it is deleted.
      let type: any PersistentModel.Type = store.schema.entities.first?.type ?? DescribedModel.self
      return Placeholder.model(type)
    }
    guard let key = key(of: persistentModelID, entity) else { return Placeholder.model(entity.type) }
    return core.model(entity.type, ordinal: entity.ordinal, key: key)
  }

  /// The live instance with an identifier, or nil when the context has none, or only one whose row is known to be gone.
  ///
  /// The store is not read.
  public func registeredModel<T>(for persistentModelID: PersistentIdentifier) -> T? where T: PersistentModel {
    guard let entity = store.schema.entity(of: persistentModelID),
      let key = key(of: persistentModelID, entity)
    else { return nil }
    let model = core.existing(ordinal: entity.ordinal, key: key) as? T
    return model?.modelContext == nil ? nil : model
  }

  /// The key that an identifier means here; nil when it is another store's, or a temporary one of nobody here.
  package func key(of identifier: PersistentIdentifier, _ entity: EntityInfo) -> Int64? {
    guard let storeIdentifier = identifier.storeIdentifier else {
      return identifier.key < 0 && core.knows(ordinal: entity.ordinal, key: identifier.key) ? identifier.key : nil
    }
    guard storeIdentifier == store.identifier, let key = identifier.rowKey, key > 0 else { return nil }
    return key
  }
}
