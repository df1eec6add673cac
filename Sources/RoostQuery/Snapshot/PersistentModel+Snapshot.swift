public import RoostCore

extension PersistentModel {
  /// Copies the model's values into a value that other actors may have.
  ///
  /// What was not read yet is read from the store. For a row that is gone, or cannot be read, the properties are what
  /// they read as: the last known value, or the default.
  ///
  /// ```swift
  /// await worker.process(note.snapshot())
  /// ```
  public func snapshot() -> ModelSnapshot<Self> {
    ModelSnapshot(storage: SnapshotReader(model: _$registered).snapshot(ModelSnapshot<Self>.entity))
  }

  /// Sets those properties whose values are others in the snapshot, relationships included.
  ///
  /// The snapshot may be another model's: its identity does not matter. A member of a list whose other side refers to
  /// one model only moves here, as when the list is set.
  /// - Throws: ``SwiftDataError/modelValidationFailure`` with the property, before anything is set, when the model's
  ///   row was deleted, or when a relationship refers to a model that the context's store does not have.
  public func apply(_ snapshot: ModelSnapshot<Self>) throws {
    let edits = try SnapshotWriter(model: _$registered, context: modelContext)
      .prepare(snapshot.storage, ModelSnapshot<Self>.entity)
    guard !isDeleted else {
      throw SwiftDataError.validation(
        model: Self.entityName, property: nil, row: persistentModelID,
        "A snapshot cannot be applied to a model that was deleted.", remedy: "Insert the snapshot as a new model.")
    }
    for edit in edits { edit() }
  }
}
