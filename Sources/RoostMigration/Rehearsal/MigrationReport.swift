public import RoostCore

/// What a migration would do to a store: it was done to a copy.
///
/// Source: ``ModelContainer/dryRun(for:migrationPlan:configurations:)-(_,_,ModelConfiguration...)``.
public struct MigrationReport: Sendable, CustomStringConvertible {
  /// SQL that changed the copy.
  public struct Statement: Hashable, Sendable, CustomStringConvertible {
    /// The text.
    public let sql: String
    /// How often it ran.
    public internal(set) var count: Int

    /// The text, and how often it ran if more than once.
    public var description: String { count > 1 ? "\(sql) (× \(count))" : sql }
  }

  /// What the store has and the program does not declare any more.
  public struct Drop: Hashable, Sendable, CustomStringConvertible {
    /// `Note.body`, or `Note` for a model.
    public let name: String
    /// How many rows have a value.
    public let rowCount: Int

    /// The name and the rows.
    public var description: String { "\(name): \(rowCount) \(rowCount == 1 ? "row" : "rows")" }
  }

  /// How the program's models differ from the store's, a line each; none where no migration is needed.
  public let differences: [String]
  /// The stages of the plan that lead to the program's version, as `TasksV1 → TasksV2`; none without a plan.
  public internal(set) var stages: [String] = []
  /// What changed the copy, in the order of its first use.
  public internal(set) var statements: [Statement] = []
  /// The number of rows that each model of the store has, those of subclasses included, and each join table.
  public let rowsBefore: [String: Int]
  /// The same of the migrated copy; empty where the migration failed.
  public internal(set) var rowsAfter: [String: Int] = [:]
  /// What goes with all it holds because the program, without a plan, does not declare it any more.
  public internal(set) var drops: [Drop] = []
  /// What is in the way; then nothing was tried.
  public internal(set) var obstacles: [MigrationObstacle] = []
  /// What else ended the migration, such as an error that a stage threw; nil when it succeeded.
  public internal(set) var failure: (any Error)?
  /// How long it took, the copying left out.
  public internal(set) var duration: Duration = .zero

  /// What is known of a copy before it is migrated; nothing where there is no store.
  init(
    copied rows: [String: Int], _ wanted: StoreDefinition, from stored: StoreDefinition?,
    under plan: (any SchemaMigrationPlan.Type)?
  ) {
    rowsBefore = rows
    guard let stored, !wanted.isServed(by: stored, under: plan) else {
      differences = []
      return
    }
    let lines = wanted.differences(from: stored)
    let isForPlan = wanted.isServed(by: stored)
    differences =
      lines.isEmpty ? [isForPlan ? "keys of structs, by a stage of the plan" : "what the rows must have"] : lines
  }

  /// Whether the program would open the store, and need to change it for that.
  public var isNeeded: Bool { !differences.isEmpty }
  /// Whether the program would open the store.
  public var succeeded: Bool { obstacles.isEmpty && failure == nil }

  /// What is different, what would be done, and what becomes of the rows, line by line.
  public var description: String {
    guard succeeded else {
      let reasons = obstacles.map(\.description) + (failure.map { ["\($0)"] } ?? [])
      return "The migration would fail:\n" + Self.indented(reasons)
    }
    guard isNeeded else { return "The store needs no migration." }
    var text = "The store would be migrated in \(duration).\n" + Self.indented(differences)
    if !stages.isEmpty { text += "Stages: \(stages.joined(separator: ", "))\n" }
    if !drops.isEmpty {
      text += "Dropped, and only in the backup then:\n" + Self.indented(drops.map(\.description))
    }
    text += "Rows:\n" + Self.indented(rows)
    return text + "Statements:\n" + Self.indented(statements.map(\.description))
  }

  private var rows: [String] {
    Set(rowsBefore.keys).union(rowsAfter.keys).sorted().map { name in
      switch (rowsBefore[name], rowsAfter[name]) {
      case (let before?, let after?): before == after ? "\(name): \(after)" : "\(name): \(before), then \(after)"
      case (nil, let after?): "\(name): new, \(after)"
      case (let before?, nil): "\(name): gone, \(before) before"
      case (nil, nil): name
      }
    }
  }

  private static func indented(_ lines: [String]) -> String {
    lines.map { "  " + $0.replacing("\n", with: "\n  ") + "\n" }.joined()
  }
}
