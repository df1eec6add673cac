extension ModelContext {
  /// Runs `block`, then saves everything that is pending.
  ///
  /// - Throws: what `block` throws; its changes are then still pending. Or what ``save()`` throws.
  public func transaction(block: () throws -> Void) throws {
    try block()
    try save()
  }

  /// Has the undo manager record what changed. There is nothing to do: changes are recorded as they are made.
  public func processPendingChanges() { core.settle() }
}
