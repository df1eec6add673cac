extension ModelContext {
  /// What becomes of edits of a model whose row others have changed since it was read.
  ///
  /// ```swift
  /// context.mergePolicy = .error
  /// ```
  /// Properties that only one side changed need no policy: each side's changes stay, whichever is saved last.
  /// To-many relationships are merged member by member under each policy: they have what either side adds and
  /// lose what either side removes. Where others deleted the row, each case says what becomes of an edit of it.
  ///
  /// What Core Data calls `NSMergePolicy`.
  public enum MergePolicy: Hashable, Sendable, CaseIterable {
    /// Where both changed a property, this context's value is saved. The default.
    ///
    /// Core Data's `NSMergeByPropertyObjectTrumpMergePolicy`. Saving an edit of a row that is gone throws.
    case ownChangesWin
    /// Where both changed a property, the stored value replaces this context's, when that learns of it or saves.
    ///
    /// Core Data's `NSMergeByPropertyStoreTrumpMergePolicy`. Edits of a row that is gone are dropped.
    case storeWins
    /// All attributes of an edited model are saved as this context has them, those included that only others changed.
    ///
    /// Core Data's `NSOverwriteMergePolicy`. Saving an edit of a row that is gone throws.
    case ownObjectWins
    /// A save throws ``SwiftDataError/mergeConflict`` where both changed a property, or an edited row is gone.
    ///
    /// Nothing is written then, and the context is as before. The error has the ``SwiftDataError/conflicts``, to be
    /// resolved by ``ModelContext/resolve(_:keeping:)``. Core Data's `NSErrorMergePolicy`.
    case error

    /// Whether it asks what the store had of a property before that was edited.
    var needsAncestors: Bool { self == .storeWins || self == .error }
  }
}

extension ModelContext {
  /// What becomes of edits of a model whose row others have changed since; ``MergePolicy/ownChangesWin`` unless set.
  ///
  /// Set it before the first edit, or have ``ModelConfiguration/StoreOptions/mergePolicy`` set it for all
  /// contexts. Edits made before count as made of what the store has when the policy is set. A draft's
  /// edits always win over its parent's, and count as made when the draft is saved.
  ///
  /// In a store that is synced, an attribute with a rule, as `@Attribute(.merge(.counter))`, is merged by that instead.
  public var mergePolicy: MergePolicy {
    get { bareCore.mergePolicy }
    set {
      bareCore.mergePolicy = newValue
      // What a save writes of edited models may be more, or less.
      forgetOverlay()
      if bareCore.policyNeedsAncestors { bareCore.keepStoredAncestors() }
    }
  }

  /// Decides conflicts that a save has thrown, so that the next save succeeds.
  ///
  /// ```swift
  /// do {
  ///   try context.save()
  /// } catch let error as SwiftDataError where error == .mergeConflict {
  ///   try context.resolve(error.conflicts, keeping: .store)
  ///   try context.save()
  /// }
  /// ```
  /// To keep a value made of both, set the property and keep `.own`.
  /// - Parameters:
  ///   - conflicts: those of the error, or some of them.
  ///   - side: `.store` for the stored values, which replace the edits at once; `.own` for the edits, which the next
  ///     save writes unless somebody has changed the properties once more. A row that is gone does not come back: it
  ///     stays a conflict until `.store` is kept or the model is deleted.
  /// - Throws: what the database reports; the conflicts are then as before.
  public func resolve(_ conflicts: [MergeConflict], keeping side: MergeConflict.Side) throws {
    let core = core
    let found = conflicts.compactMap { conflict -> FoundConflict? in
      guard let entity = store.entity(of: conflict.persistentModelID.scope),
        let model = core.existing(ordinal: entity.ordinal, key: conflict.persistentModelID.key)
      else { return nil }
      return FoundConflict(model: model, values: conflict.columns, isDeleted: conflict.isDeleted)
    }
    switch side {
    case .store: try core.takeStored(found)
    case .own: for conflict in found { core.keepOwn(conflict) }
    }
  }
}
