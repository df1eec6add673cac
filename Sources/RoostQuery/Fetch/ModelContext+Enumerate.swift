public import RoostCore

extension ModelContext {
  /// Calls `block` with each model that matches, keeping no more than a batch in memory.
  ///
  /// - Parameters:
  ///   - fetch: what to visit, as for ``fetch(_:)``. The rows are those of the start: later inserts are not visited.
  ///   - batchSize: how many models are read at a time.
  ///   - allowEscapingMutations: whether `block` may leave changes unsaved when the next batch is read; if not, that
  ///     ends the walk with an error, as models with changes stay in memory. What the last batch leaves is for you to
  ///     save.
  ///   - block: called once a model, in the descriptor's order.
  /// - Throws: what `block` throws, ``SwiftDataError/modelValidationFailure`` on unsaved changes, or a fetch's errors:
  ///   a row that cannot be read ends the walk before its batch.
  public func enumerate<T>(
    _ fetch: FetchDescriptor<T>, batchSize: Int = 5000, allowEscapingMutations: Bool = false,
    block: (_ model: T) throws -> Void
  ) throws where T: PersistentModel {
    let hadChanges = hasChanges
    let (entity, query) = try query(fetch)
    let keys = try fetchKeys(fetch, entity, query)
    let unsaved = unsavedModels(keys, entity)
    for start in stride(from: 0, to: keys.count, by: max(batchSize, 1)) {
      if start > 0, !allowEscapingMutations, !hadChanges, hasChanges {
        throw SwiftDataError(
          .modelValidationFailure, "The block of enumerate(_:) left unsaved changes of a batch, and there are more.",
          model: entity.name, remedy: "Save in the block, or pass allowEscapingMutations: true.")
      }
      let models = keys[start..<min(start + max(batchSize, 1), keys.count)].compactMap { identifier in
        entity.isMixed || identifier.key < 0
          ? model(for: identifier, unsaved) as? T : core.model(T.self, ordinal: entity.ordinal, key: identifier.key)
      }
      try SwiftDataError.translating {
        try core.readRows(entity, of: models.filter { $0._$state.flags.contains(.shell) })
      }
      for model in models {
        // Deleted since the walk began.
        if model._$state.flags.contains(.vanished) || model.isDeleted { continue }
        try block(model)
      }
    }
  }
}
