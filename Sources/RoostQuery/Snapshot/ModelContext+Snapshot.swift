public import RoostCore
import RoostEngine

extension ModelContext {
  /// Inserts a new model with a snapshot's values.
  ///
  /// The model has an identity of its own, whether or not the snapshot's model exists; a unique value that a row has is
  /// treated as for every other new model. Relationships refer to the models that their identifiers name in this
  /// context's store, and a member of a list whose other side refers to one model only moves to the new one.
  ///
  /// ```swift
  /// var copy = note.snapshot()
  /// copy.comments = []
  /// try context.insert(copy)
  /// ```
  /// - Returns: the model.
  /// - Throws: ``SwiftDataError/modelValidationFailure`` with the property, before anything is inserted, when a
  ///   relationship refers to a model that the store does not have; ``SwiftDataError/modelNotInSchema``.
  @discardableResult
  public func insert<T>(_ snapshot: ModelSnapshot<T>) throws -> T where T: PersistentModel {
    guard core.entity(for: T.self) != nil else { throw SwiftDataError.modelNotInSchema(T.self) }
    var row = _RowReader()
    let model = T(_$row: &row)
    let edits = try SnapshotWriter(model: model, context: self).prepare(snapshot.storage, ModelSnapshot<T>.entity)
    insert(model)
    for edit in edits { edit() }
    return model
  }

  /// The models that some identifiers name, as far as they exist; those that were not read are, in one statement.
  func existingModels<Model: PersistentModel>(
    _ type: Model.Type, _ identifiers: [PersistentIdentifier]
  ) throws -> [PersistentIdentifier: Model] {
    guard !identifiers.isEmpty, let entity = core.entity(for: type) else { return [:] }
    var found: [PersistentIdentifier: Model] = [:]
    var unread: [Int64: PersistentIdentifier] = [:]
    for identifier in identifiers {
      guard store.schema.entity(of: identifier)?.isKind(of: entity) == true,
        let key = key(of: identifier, entity)
      else { continue }
      let model = core.existing(ordinal: entity.ordinal, key: key) as? Model
      if let model, !model._$state.flags.contains(.shell) {
        if !model.isDeleted { found[identifier] = model }
      } else if core.isReadable(entity, key: key) {
        unread[key] = identifier
      }
    }
    guard !unread.isEmpty else { return found }
    try SwiftDataError.translating {
      try core.readRows(entity, Array(unread.keys)) { model in
        guard let model = (model as AnyObject) as? Model, !model.isDeleted else { return }
        found[unread[model._$state.key] ?? model.persistentModelID] = model
      }
    }
    return found
  }
}
