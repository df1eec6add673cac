extension ModelContext {
  /// Makes a context whose changes are merged into another one's, or dropped: for a form that can be cancelled.
  ///
  /// A draft shows what its parent has, unsaved changes included, as models of its own with the same
  /// identifiers. ``save()`` makes the draft's changes the parent's, unsaved, and writes nothing; the parent's
  /// save does. To drop them, ``rollback()`` or let the draft go. Where both changed the same property the
  /// draft's value wins, but for attributes of a synced store that have a merge rule; lists get what either side
  /// added and lose what either side removed. Links to models that the parent has deleted are left out, and an
  /// edit of such a model makes ``save()`` throw.
  ///
  /// ```swift
  /// let draft = ModelContext(draftOf: context)
  /// let copy = draft.model(for: note.persistentModelID) as? Note
  /// copy?.title = "New"       // `note.title` is as before.
  /// try draft.save()          // Now `note.title` is "New".
  /// try context.save()
  /// ```
  /// A draft belongs to its parent's actor and may have drafts itself. What Core Data calls a child context.
  public convenience init(draftOf parent: ModelContext) {
    self.init(owner: .parent(parent), core: ContextCore(store: parent.store, parent: parent.core))
    parent.core.drafts.append(core)
  }

  /// The context that a save of this one changes; nil when it writes to the store.
  public var parent: ModelContext? {
    if case .parent(let parent) = owner { parent } else { nil }
  }
}
