extension PersistentModel {
  /// The value of a property, or the error that its getter can only write to the log.
  ///
  /// A getter cannot throw: when the store or a value's file cannot be read, it gives the last known value or a
  /// default. Ask here where that matters. Where the store could not be read and the property was changed
  /// afterwards, the next save throws.
  /// ```swift
  /// let image = try photo.readValue(forKey: \.image)
  /// ```
  /// - Throws: ``SwiftDataError/rowNotFound`` when the model's row was deleted elsewhere;
  ///   ``SwiftDataError/corruptValue``; ``SwiftDataError/storeInputOutput`` when the file of an `.externalStorage`
  ///   value is gone; ``SwiftDataError/unsupportedKeyPath`` for what is not persisted; or what the database reports.
  public func readValue<Value>(forKey keyPath: KeyPath<Self, Value>) throws -> Value {
    if _$isDuplicate { return try _$registered.readValue(forKey: keyPath) }
    guard let core = _$state.core else { return self[keyPath: keyPath] }
    core.insertWaiting()
    let entity = core.schema.entities[_$state.ordinal]
    guard let index = entity.byKeyPath[keyPath] ?? entity.required(keyPath)?.index else {
      throw SwiftDataError(
        .unsupportedKeyPath, model: entity.name, remedy: "Read it as any property: its getter reads no store.")
    }
    try SwiftDataError.translating { try core.readThrough(self, index) }
    if _$state.flags.contains(.vanished) {
      throw SwiftDataError(
        .rowNotFound, model: entity.name, property: entity.properties[index].name, row: persistentModelID)
    }
    return self[keyPath: keyPath]
  }
}

extension ContextCore {
  /// Reads what a property needs, in the parents first.
  package func readThrough(_ model: any PersistentModel, _ index: Int) throws {
    try source.fireThrowing(model, index, in: self)
    noteRead(model, index)
  }
}
