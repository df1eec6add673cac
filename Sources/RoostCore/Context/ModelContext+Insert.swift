extension ModelContext {
  /// Adds a model, and every model it refers to that is in no context yet, to what the next save writes.
  ///
  /// A model that was deleted in this context since the last save is kept after all, with its links to those that are
  /// still there. One whose row was deleted by a save, or whose context is gone, comes as a new one: with its
  /// attributes, without relationships. A model of another context, of a type that the schema does not have, that
  /// ``model(for:)`` gave for an identifier of nobody here, or whose row went before all of it was read, is not
  /// inserted: the next ``save()`` throws.
  public func insert<T>(_ model: T) where T: PersistentModel {
    bareCore.insert(model)
  }

  /// Adds models, each as ``insert(_:)->()`` does, to what the next save writes in one transaction.
  ///
  /// ```swift
  /// context.insert(contentsOf: lines.lazy.map { Flight($0) })
  /// ```
  /// Where a property is unique, a model whose value a row has updates that row; see
  /// ``Schema/UniquenessPolicy``. All of them are in memory until the save: save every 10,000 models or so of a
  /// sequence that is larger than that, in a new context each.
  public func insert<Models: Sequence>(contentsOf models: Models) where Models.Element: PersistentModel {
    for model in models { bareCore.insert(model) }
  }
}
