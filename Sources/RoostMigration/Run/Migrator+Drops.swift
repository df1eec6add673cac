import Foundation
import RoostCore
import RoostEngine

// What a program without a plan does not declare any more goes, as with SwiftData, unless that looks like a mistake.
extension Migrator {
  /// What goes with all it holds, in a migration without a plan.
  ///
  /// - Parameters:
  ///   - wanted: the program's schema.
  ///   - configuration: what the program says about it, and where the store is.
  /// - Returns: what is to be said in the log.
  /// - Throws: `SwiftDataError` with all obstacles: `backwardMigration` where a newer program has had the store.
  func drops(for wanted: StoreDefinition, _ configuration: ModelConfiguration) throws -> [MigrationReport.Drop] {
    let verdict = try verdict(on: wanted, configuration.storeOptions.migration)
    if verdict.obstacles.isEmpty { return verdict.drops }
    throw verdict.isOlder
      ? SwiftDataError.olderProgram(verdict.obstacles, url: configuration.url)
      : SwiftDataError.obstacles(verdict.obstacles, url: configuration.url)
  }

  /// What a program without a plan may do.
  struct Verdict {
    var obstacles: [MigrationObstacle] = []
    /// None where there are obstacles.
    var drops: [MigrationReport.Drop] = []
    /// Whether the store had the program's schema before: something is in the way because the program is an older one.
    var isOlder = false
  }

  /// Compares what the rows hold with what the program lets go.
  func verdict(on wanted: StoreDefinition, _ options: ModelConfiguration.MigrationOptions) throws -> Verdict {
    var verdict = Verdict()
    var losses: [MigrationObstacle] = []
    for check in mapping.checks {
      if let drop = check.drop, options.mayDrop.contains(drop.name) { continue }
      guard let obstacle = try check.obstacle(connection) else { continue }
      if let drop = check.drop, !drop.mayBeRenamed, options.drops == .allow {
        losses.append(obstacle)
        verdict.drops.append(MigrationReport.Drop(name: drop.name, rowCount: obstacle.rowCount))
      } else {
        verdict.obstacles.append(obstacle)
      }
    }
    verdict.isOlder =
      try !(losses + verdict.obstacles).isEmpty && StoreCatalog(connection).formerSchemas().contains(wanted.fingerprint)
    if verdict.isOlder { verdict.obstacles += losses }
    if !verdict.obstacles.isEmpty { verdict.drops = [] }
    return verdict
  }
}

extension SwiftDataError {
  fileprivate static func olderProgram(_ obstacles: [MigrationObstacle], url: URL) -> SwiftDataError {
    SwiftDataError(
      .backwardMigration, obstacles: obstacles,
      "The store had the program's schema before a newer program changed it, and the older one has no place for:\n  "
        + obstacles.map { $0.description.replacing("\n", with: "\n  ") }.joined(separator: "\n  ") + "\n",
      remedy: "Update the program. Nothing was changed.", url: url)
  }
}
