import Foundation

extension SyncEngine {
  /// Which of the versions of a conflict is to be seen from now on.
  public enum Choice: Hashable, Sendable {
    /// What this device wrote.
    case local
    /// What the other device wrote.
    case remote
    /// What was there before both.
    case ancestor
  }

  /// The conflicts that this device's changes met, the latest first.
  ///
  /// ```swift
  /// for conflict in try sync.conflicts() where conflict.model == "Note" { show(conflict) }
  /// ```
  /// - Parameters:
  ///   - unresolved: whether only those that ``resolve(_:keeping:)`` was not called for.
  ///   - limit: the most that are returned; nil for all.
  /// - Returns: the conflicts, those that were decided again too unless `unresolved`.
  /// - Throws: what the database reports.
  public func conflicts(unresolved: Bool = false, limit: Int? = nil) throws -> [SyncConflictEntry] {
    try synced.conflicts(unresolved: unresolved, limit: limit)
  }

  /// Decides a conflict again: the version is written as a change of this device, which others see as any other.
  ///
  /// For a deletion that met an edit, ``Choice/local`` and ``Choice/ancestor`` bring the row back with what the server has kept
  /// of it, and ``Choice/remote`` leaves it as it is.
  /// - Throws: ``SwiftDataError/modelValidationFailure`` for a version that the row cannot have; what the database reports.
  public func resolve(_ conflict: SyncConflictEntry, keeping choice: Choice) throws {
    try synced.resolve(conflict.id, keeping: choice)
  }
}
