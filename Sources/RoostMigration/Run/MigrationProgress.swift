/// How far a migration has come.
public struct MigrationProgress: Hashable, Sendable {
  /// What is being done.
  public enum Phase: Hashable, Sendable {
    /// The store is copied, page by page.
    case backup
    /// The rows of a model's table, or of a relationship's, are brought over.
    case rows(of: String)
    /// A stage's own code runs.
    case code
    /// Indexes are made and references are checked.
    case indexes
  }

  /// The stage, as `TasksV1 → TasksV2`; nil without a plan.
  public let stage: String?
  /// What is being done.
  public let phase: Phase
  /// How much of the phase is done: rows, or pages of a backup.
  public let completed: Int
  /// How much the phase is in all; 0 where that is not known.
  public let total: Int
  /// The time since the phase began.
  public let elapsed: Duration

  /// The time that the rest of the phase takes if it goes on as it began; nil where that is not known.
  public var remaining: Duration? {
    guard completed > 0, total >= completed else { return nil }
    return elapsed * (Double(total - completed) / Double(completed))
  }
}
