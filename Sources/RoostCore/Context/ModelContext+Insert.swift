extension ModelContext {
  /// Adds a model, and every model it refers to that is in no context yet, to what the next save writes.
  ///
  /// A model that was deleted in this context since the last save is kept after all, with its links to those that are
  /// still there. One whose row was deleted by a save, or whose context is gone, comes as a new one: with its
  /// attributes, without relationships. A model of another context, or of a type that the schema does not have, is not
  /// inserted: the next ``save()`` throws.
  public func insert<T>(_ model: T) where T: PersistentModel {
    core.insert(model)
  }
}
