import Foundation
import RoostMigration

extension MigrationFixtures {
  /// Which versions fixtures are brought to.
  public enum Destination: Sendable {
    /// The newest alone, as the program does.
    case newest
    /// Every version that the stages lead to, older ones, too.
    case every
  }

  /// Checks that each version has its fixture, and brings copies of them to the newest version.
  ///
  /// Of each it checks: the version is still what it was when the fixture was recorded; nothing is in the migration's
  /// way; SQLite finds the file sound, with all references; another opening changes nothing; every property of every
  /// row that could be read can be read; models have as many rows as before, but those of which a step says otherwise,
  /// as `.drop` and `.deduplicate` do. The newest version may be without a fixture; one that it has is opened as it is.
  /// - Parameters:
  ///   - destination: which versions they are brought to.
  ///   - models: those whose number of rows the code of a stage changes, or which go without a step that
  ///     says so, by their names before.
  ///   - check: looks at what has become of each fixture. What it throws is one of the problems.
  /// - Throws: ``MigrationFixtureError`` with all that is wrong; ``SwiftDataError`` when the plan contradicts itself.
  public func verify(
    to destination: Destination = .newest, changingCountsOf models: Set<String> = [],
    _ check: (MigratedFixture) throws -> Void = { _ in }
  ) throws {
    let versions = try MigrationPlanCheck.versions(of: plan)
    var problems = strays(besides: versions)
    for version in versions {
      let file = FixtureFile(version, in: folder)
      guard file.exists else {
        if version.type != versions.last?.type { problems.append(file.missing(version)) }
        continue
      }
      if let problem = file.problem(version) {
        problems.append(problem)
        continue
      }
      for target in versions where isWanted(target, from: version, destination, newest: versions.last) {
        let migration = FixtureMigration(
          fixtures: self, file: file, from: version, to: target, changingCounts: models)
        problems += migration.problems(check)
      }
    }
    if !problems.isEmpty { throw MigrationFixtureError(problems: problems) }
  }

  private func isWanted(
    _ target: PlannedVersion, from version: PlannedVersion, _ destination: Destination, newest: PlannedVersion?
  ) -> Bool {
    // Where no stages lead to the newest, the migration says so.
    if target.type == newest?.type { return true }
    guard destination == .every else { return false }
    return (try? MigrationRoute(plan, from: version.definition, to: target.definition)) != nil
  }

  /// Fixtures of versions that the plan does not have any more: their stores are still somewhere.
  private func strays(besides versions: [PlannedVersion]) -> [MigrationFixtureError.Problem] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    let known = Set(versions.map { FixtureFile($0, in: folder).url.lastPathComponent })
    return names.filter { $0.hasSuffix(FixtureFile.suffix) && !known.contains($0) }.sorted().map { name in
      MigrationFixtureError.Problem(
        fixture: String(name.dropLast(FixtureFile.suffix.count)), message: "\(plan) has no such version.",
        remedy: "Put it back among the schemas, with its stages, or delete \(name) if nobody has such a store.")
    }
  }
}
