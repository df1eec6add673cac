public import Foundation
import SyncMerge

extension SyncEngine {
  /// Which of the versions of a conflict is to be seen from now on.
  public enum Choice: Hashable, Sendable {
    /// What this device wrote.
    case local
    /// What the other device wrote.
    case remote
    /// What was there before both: ``SyncConflictEntry/ancestor``.
    case ancestor
    /// What there is by now: nothing is changed, and the conflict is only marked as decided.
    case current

    /// Whether it is what is to be seen already.
    func isSeen(by outcome: SyncConflict.Outcome) -> Bool {
      switch self {
      case .local: outcome == .client
      case .remote: outcome == .server
      case .ancestor: false
      case .current: true
      }
    }
  }

  /// The conflicts that this device's changes met, the latest first.
  ///
  /// The store keeps 10,000. Beyond that it removes those that were decided again, and then the oldest.
  /// ```swift
  /// for conflict in try sync.conflicts(where: #Predicate { $0.model == "Note" && !$0.isResolved }) { show(conflict) }
  /// ```
  /// - Parameters:
  ///   - predicate: which are meant; nil for all. It is evaluated in memory, one conflict after the other.
  ///   - limit: the most that are returned; nil for all.
  /// - Returns: the conflicts, those that were decided again too, unless the predicate leaves them out.
  /// - Throws: ``SyncError/blocked(_:)`` where the program has changed since the store last reached its server; what
  ///   the database reports, or the predicate.
  public func conflicts(
    where predicate: Predicate<SyncConflictEntry>? = nil, limit: Int? = nil
  ) throws -> [SyncConflictEntry] {
    try Self.explaining { try synced.conflicts(limit: limit) { try predicate?.evaluate($0) ?? true } }
  }

  /// Decides a conflict again: the version is written as a change of this device, which others see as any other.
  ///
  /// For a row that was deleted while another device edited it, ``Choice/ancestor`` and the version of whoever
  /// edited it bring the row back with what the server has kept of it. Of a row that is gone, or is there all the
  /// same, nothing else is changed.
  ///
  /// To decide one that was merged puts one device's value in place of both. Any version but ``Choice/current`` also
  /// replaces what was written since.
  /// - Parameters:
  ///   - conflict: one of ``conflicts(where:limit:)``.
  ///   - choice: the version to keep.
  /// - Throws: ``SwiftDataError/modelValidationFailure`` for a version that the row cannot have, or that is
  ///   not known; ``SyncError/blocked(_:)`` where the program has changed since the store last reached its
  ///   server; what the database reports.
  public func resolve(_ conflict: SyncConflictEntry, keeping choice: Choice) throws {
    try Self.explaining { try synced.resolve(conflict.id, keeping: choice) }
    // To bring a row back changes none here, of which the store would tell.
    noteWritten()
  }

  private static func explaining<Result>(_ body: () throws -> Result) throws -> Result {
    do {
      return try body()
    } catch SyncedStoreError.notBegun {
      throw SyncError.blocked(
        "The server has yet to hear of the program's models. Call now() once it is reached, and then this again.")
    }
  }
}
