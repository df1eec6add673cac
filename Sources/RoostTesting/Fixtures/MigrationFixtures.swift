public import Foundation
public import RoostCore
import RoostEngine
import RoostMigration

/// Stores of the versions that a program shipped, kept as files beside its tests, and what a plan makes of them.
///
/// ```swift
/// let fixtures = MigrationFixtures(
///   TripsPlan.self, in: URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Fixtures"))
///
/// @Test func `stores of all versions can be migrated`() throws {
///   try fixtures.record(TripsV1.self) { context in context.insert(TripsV1.Trip(name: "🏔️")) }
///   try fixtures.record(TripsV2.self) { context in context.insert(TripsV2.Trip(name: "🏔️", days: 3)) }
///   try fixtures.verify { fixture in
///     let trips = try fixture.new.fetch(FetchDescriptor<TripsV3.Trip>())
///     #expect(trips.map(\.name) == ["🏔️"], "\(fixture)")
///   }
/// }
/// ```
/// Check the files in: what an older release of the program, and of Roost, wrote cannot be made again later.
public struct MigrationFixtures: Sendable {
  /// The plan that brings the fixtures to its newest version.
  public let plan: any SchemaMigrationPlan.Type
  /// Where the fixtures are, each named after its version's number: `2.0.0.store`.
  public let folder: URL
  /// How fixtures are opened; the same as the program's.
  public let storeOptions: ModelConfiguration.StoreOptions
  /// Whether fixtures that are missing are written.
  public let isRecording: Bool

  /// Names a plan and the folder of its fixtures.
  ///
  /// - Parameters:
  ///   - plan: the program's plan.
  ///   - folder: where the fixtures are. It is made as needed.
  ///   - storeOptions: how fixtures are opened: what the program sets, such as `migration.mayDrop`.
  ///   - isRecording: whether fixtures that are missing are written. Unless given, they are not where the environment
  ///     variable `CI` is set: what was not checked in would be made anew each time, and prove nothing.
  public init(
    _ plan: any SchemaMigrationPlan.Type, in folder: URL, storeOptions: ModelConfiguration.StoreOptions = .init(),
    isRecording: Bool = !MigrationFixtures.isContinuousIntegration
  ) {
    self.plan = plan
    self.folder = folder
    self.isRecording = isRecording
    self.storeOptions = storeOptions
  }

  /// Whether the environment variable `CI` is set, as continuous integration does.
  public static var isContinuousIntegration: Bool {
    !["", "0", "false"].contains(ProcessInfo.processInfo.environment["CI"] ?? "")
  }

  /// Writes the fixture of a version, unless it is there.
  ///
  /// It is one plain file; values of `.externalStorage` are in a folder beside it, `2.0.0.store-files`. One that is
  /// there is compared with what the version declares now, and never written to.
  /// - Parameters:
  ///   - version: one of the plan's.
  ///   - insert: makes the rows, those that users really have: emoji, empty texts, missing values.
  ///     What it leaves unsaved is saved.
  /// - Returns: whether the fixture was written.
  /// - Throws: ``MigrationFixtureError`` when the fixture that is there has another schema than the version, or is
  ///   missing and ``isRecording`` is false; what `insert` throws.
  @discardableResult
  public func record(_ version: any VersionedSchema.Type, insert: (ModelContext) throws -> Void) throws -> Bool {
    let planned = try PlannedVersion(version)
    guard plan.allSchemas.contains(where: { $0 == version }) else {
      throw MigrationFixtureError(
        "\(planned.number)", "\(planned.name) is none of \(plan)'s schemas.", remedy: "Add it to the schemas.")
    }
    let file = FixtureFile(planned, in: folder)
    if file.exists {
      if let problem = file.problem(planned) { throw MigrationFixtureError(problems: [problem]) }
      return false
    }
    guard isRecording else { throw MigrationFixtureError(problems: [file.missing(planned)]) }
    try FixtureFile.withFolder { folder in
      let store = folder.appending(path: "fixture.store")
      let container = try ModelContainer(
        for: Schema(versionedSchema: version), configurations: configuration(store))
      defer { try? container.close() }
      let context = ModelContext(container)
      context.autosaveEnabled = false
      try insert(context)
      try context.save()
      try container.close()
      try FixtureFile.compact(store)
      try file.write(store)
    }
    return true
  }

  /// How a fixture's copy is opened: without backups, with nothing private in it, and nothing done in the background.
  func configuration(_ url: URL) -> ModelConfiguration {
    var configuration = ModelConfiguration(url: url)
    configuration.storeOptions = storeOptions
    configuration.storeOptions.migration.backups = .none
    configuration.storeOptions.migration.backfillsInBackground = false
    configuration.storeOptions.reportsArguments = true
    return configuration
  }
}
