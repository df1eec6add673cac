#if canImport(ObjectiveC)
  public import Foundation
#endif

extension ModelContext {
  /// What takes this context's changes back; nil, as it is at first, records nothing.
  ///
  /// Inserts, edits, deletions and links are recorded as they are made: undo puts every model, value and list back
  /// where it was, and redo does it again, before and after a save, with the same identifiers; only a deleted row whose
  /// key another program has used comes back with a new one. What undo does is a change like any other: the next
  /// ``save()`` writes it. An undo takes back a group: what was changed since the last undo, save or
  /// ``processPendingChanges()``, in the main context also until the main actor's current job ends; or what is between
  /// `beginUndoGrouping()` and `endUndoGrouping()`.
  ///
  /// Set it to nil while much is imported. A save that made a new model the update of a stored row, by a unique
  /// constraint, is not taken back. Source: SwiftData's `ModelContext.undoManager`.
  public var undoManager: UndoManager? {
    get { bareCore.undo?.manager }
    set {
      if core.undo?.manager === newValue { return }
      core.undo = newValue.map { UndoRecorder($0, core) }
    }
  }

  /// Ends the current group of changes of the undo manager, which opened by itself: the next change begins another.
  public func processPendingChanges() {
    core.undo?.endGroup()
  }

  /// In the main context an event ends with the main actor's current job, as with a run loop.
  func scheduleEndOfUndoGroup() {
    guard isMain else { return }
    let reference = MainContextReference(context: self)
    Task { @MainActor in reference.context?.processPendingChanges() }
  }

  func revert(_ step: UndoStep) {
    let opposite = core.revert(step)
    core.undo?.register(opposite, for: self)
  }
}

private struct MainContextReference: @unchecked Sendable {
  // SAFETY: made and read on the main actor alone, to which a main context belongs.
  weak var context: ModelContext?
}
