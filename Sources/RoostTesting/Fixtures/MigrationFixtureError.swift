public import Foundation

/// What is wrong with fixtures, or with what a plan makes of them: all of it at once.
public struct MigrationFixtureError: Error, Hashable, Sendable {
  /// One thing that is wrong.
  public struct Problem: Hashable, Sendable, CustomStringConvertible {
    /// The fixture's version, as `1.0.0`; with the one that it was brought to, as `1.0.0 → 3.0.0`.
    public let fixture: String
    /// What is wrong, in a sentence.
    public let message: String
    /// What to do about it; nil when the message says all.
    public let remedy: String?

    /// The fixture, what is wrong and what to do.
    public var description: String {
      "\(fixture): \(message)" + (remedy.map { "\n    " + $0.replacing("\n", with: "\n    ") } ?? "")
    }
  }

  /// What is wrong, in the order of the plan's versions.
  public let problems: [Problem]
}

extension MigrationFixtureError {
  init(_ fixture: String, _ message: String, remedy: String?) {
    self.init(problems: [Problem(fixture: fixture, message: message, remedy: remedy)])
  }
}

extension MigrationFixtureError: CustomStringConvertible {
  /// All problems, each with its fixture and what to do.
  public var description: String {
    "Migration fixtures: \(problems.count == 1 ? "1 problem" : "\(problems.count) problems")\n  "
      + problems.map { $0.description.replacing("\n", with: "\n  ") }.joined(separator: "\n  ")
  }
}

extension MigrationFixtureError: LocalizedError {
  /// The same as `description`.
  public var errorDescription: String? { description }
}
