public import RoostCore

/// A fixture as it was, and what a plan has made of it.
public struct MigratedFixture: CustomStringConvertible {
  /// The version that the fixture was recorded with.
  public let from: Schema.Version
  /// The version that the plan brought it to.
  public let to: Schema.Version
  /// A context of the fixture's own models, as they were.
  public let old: ModelContext
  /// A context of the models that the plan leads to.
  public let new: ModelContext

  /// Both versions, as `1.0.0 → 3.0.0`: the comment that tells a failed expectation's fixture.
  public var description: String { "\(from) → \(to)" }
}
