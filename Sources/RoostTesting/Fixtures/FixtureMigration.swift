import Foundation
import RoostCore
import RoostEngine
import RoostMigration

/// One fixture's way to one version, on copies.
struct FixtureMigration {
  let fixtures: MigrationFixtures
  let file: FixtureFile
  let from: PlannedVersion
  let to: PlannedVersion
  let changingCounts: Set<String>

  /// All that is wrong with it, what `check` throws included.
  func problems(_ check: (MigratedFixture) throws -> Void) -> [MigrationFixtureError.Problem] {
    do {
      return try FixtureFile.withFolder { folder in
        let (before, after) = (folder.appending(path: "before.store"), folder.appending(path: "after.store"))
        try file.copy(to: before)
        try file.copy(to: after)
        let container = try open(after, to, fixtures.plan)
        defer { try? container.close() }
        try container.finishBackfills()
        try container.close()
        let problems = try fileProblems(after) + reopened(after) + counted(before, after)
        return try problems + compared(before, after, check)
      }
    } catch {
      return [problem("\(error)")]
    }
  }

  private func problem(_ message: String, remedy: String? = nil) -> MigrationFixtureError.Problem {
    let way = from.type == to.type ? "\(from.number)" : "\(from.number) → \(to.number)"
    return MigrationFixtureError.Problem(fixture: way, message: message, remedy: remedy)
  }

  private func open(
    _ url: URL, _ version: PlannedVersion, _ plan: (any SchemaMigrationPlan.Type)?
  ) throws -> ModelContainer {
    try ModelContainer(
      for: Schema(versionedSchema: version.type), migrationPlan: plan, configurations: fixtures.configuration(url))
  }

  // MARK: - The file

  private func fileProblems(_ url: URL) throws -> [MigrationFixtureError.Problem] {
    let connection = try Connection(ConnectionOptions(location: .file(path: url.path)))
    defer { connection.close() }
    let damage = try connection.strings("PRAGMA integrity_check").filter { $0 != "ok" }
    let broken = try connection.strings(
      #"SELECT "table" || ' ' || ifnull(rowid, '') FROM pragma_foreign_key_check"#)
    return (damage.isEmpty ? [] : [problem("The file is damaged: \(damage.joined(separator: ", ")).")])
      + (broken.isEmpty
        ? [] : [problem("Rows refer to rows that are not there: \(broken.joined(separator: ", ")).")])
  }

  private func reopened(_ url: URL) throws -> [MigrationFixtureError.Problem] {
    let before = try Data(contentsOf: url)
    try open(url, to, fixtures.plan).close()
    if try Data(contentsOf: url) == before { return [] }
    return [problem("The next opening of the migrated store changes it again.")]
  }

  // MARK: - The rows

  private func compared(
    _ before: URL, _ after: URL, _ check: (MigratedFixture) throws -> Void
  ) throws -> [MigrationFixtureError.Problem] {
    let (older, newer) = (try open(before, from, nil), try open(after, to, fixtures.plan))
    defer {
      try? older.close()
      try? newer.close()
    }
    let (old, new) = (ModelContext(older), ModelContext(newer))
    (old.autosaveEnabled, new.autosaveEnabled) = (false, false)
    var problems = try unreadable(old, new)
    do {
      try check(MigratedFixture(from: from.number, to: to.number, old: old, new: new))
    } catch {
      problems.append(problem("\(error)"))
    }
    return problems
  }

  /// What becomes of each model.
  private var fates: [MigrationRoute.Fate] {
    get throws {
      try MigrationRoute(fixtures.plan, from: from.definition, to: to.definition).fates(from: from)
    }
  }

  private func counted(_ before: URL, _ after: URL) throws -> [MigrationFixtureError.Problem] {
    let (old, new) = (try rowCounts(before), try rowCounts(after))
    return try fates.compactMap { fate in
      let (before, after) = (old[fate.old] ?? 0, fate.new.flatMap { new[$0] } ?? 0)
      if before == after || fate.mayLoseRows && after < before || changingCounts.contains(fate.old) { return nil }
      let name = fate.new.map { $0 == fate.old ? $0 : "\(fate.old), now \($0)," } ?? "\(fate.old), which is gone,"
      return problem(
        "\(name) had \(before == 1 ? "1 row" : "\(before) rows"), and has \(after).",
        remedy: "If it is meant to: verify(changingCountsOf: [\"\(fate.old)\"])")
    }
  }

  private func rowCounts(_ url: URL) throws -> [String: Int] {
    let connection = try Connection(ConnectionOptions(location: .file(path: url.path)))
    defer { connection.close() }
    return try StoreDefinition(of: connection, url: url).rowCounts(connection)
  }

  /// What cannot be read and could be before.
  private func unreadable(_ old: ModelContext, _ new: ModelContext) throws -> [MigrationFixtureError.Problem] {
    let names = Dictionary(
      try fates.map { (from.rootName(of: $0.old), $0.new.map(to.rootName)) },
      uniquingKeysWith: { first, last in first ?? last })
    var known: Set<Row> = []
    try old._readEverything { error in
      guard let row = error.row, let name = names[from.rootName(of: row.entityName)] else { return }
      known.insert(Row(root: name, key: row.key))
    }
    var problems: [MigrationFixtureError.Problem] = []
    try new._readEverything { error in
      if let row = error.row, known.contains(Row(root: to.rootName(of: row.entityName), key: row.key)) { return }
      problems.append(problem("A row could be read before, and cannot be now. \(error)"))
    }
    return problems
  }

  private struct Row: Hashable {
    let root: String?
    let key: Int64
  }
}
