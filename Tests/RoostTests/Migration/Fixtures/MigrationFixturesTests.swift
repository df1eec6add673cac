import EncryptionSupport
import Foundation
import Roost
import RoostTesting
import Testing

/// What `MigrationFixtures` finds out about a plan and its fixtures.
@Suite(.plainFiles) struct MigrationFixturesTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func fixtures(
    _ plan: any SchemaMigrationPlan.Type = PersonsPlan.self, isRecording: Bool = true
  ) -> MigrationFixtures {
    MigrationFixtures(plan, in: folder.url.appending(path: "Fixtures"), isRecording: isRecording)
  }

  @discardableResult
  private func recordPersons(_ fixtures: MigrationFixtures) throws -> Bool {
    try fixtures.record(PersonsV1.self) { context in
      context.insert(PersonsV1.Person(name: "Ada Lovelace", city: "Oslo"))
      context.insert(PersonsV1.Person(name: "🧑🏽‍🚀"))
    }
  }

  /// What is wrong with fixtures of persons, by what a stage does more than the plan's.
  private func problems(
    _ plan: any SchemaMigrationPlan.Type, changingCountsOf models: Set<String> = [],
    _ check: (MigratedFixture) throws -> Void = { _ in }
  ) throws -> [String] {
    try recordPersons(fixtures())
    return try problems { try fixtures(plan).verify(changingCountsOf: models, check) }
  }

  private func problems(_ body: () throws -> Void) throws -> [String] {
    do {
      try body()
      return []
    } catch let error as MigrationFixtureError {
      #expect(error.problems.allSatisfy { "\(error)".contains($0.message.prefix(10)) })
      return error.problems.map(\.description)
    }
  }

  @Test func `a fixture is written once, as one plain file, and never again`() throws {
    let fixtures = fixtures()
    #expect(try recordPersons(fixtures))
    let names = { try FileManager.default.contentsOfDirectory(atPath: fixtures.folder.path) }
    #expect(try names() == ["1.0.0.store"])
    let bytes = try Data(contentsOf: fixtures.folder.appending(path: "1.0.0.store"))
    #expect(try !recordPersons(fixtures))
    var found: [String] = []
    try fixtures.verify(to: .every) { fixture in
      if fixture.to == PersonsV1.versionIdentifier { return }
      try #expect(fixture.old.fetch(FetchDescriptor<PersonsV1.Person>()).map(\.city) == ["Oslo", nil])
      found = try fixture.new.fetch(FetchDescriptor<PersonsV2.Person>()).map(\.first) + ["\(fixture)"]
    }
    #expect(found == ["Ada", "🧑🏽‍🚀", "1.0.0 → 2.0.0"])
    #expect(try names() == ["1.0.0.store"])
    #expect(try Data(contentsOf: fixtures.folder.appending(path: "1.0.0.store")) == bytes)
  }

  @Test func `a fixture that is missing is named, and written only where that is wanted`() throws {
    let remedy = "try fixtures.record(PersonsV1.self) { context in context.insert(…) }"
    let missing = try problems { try fixtures().verify() }
    #expect(missing.count == 1 && missing[0].contains(remedy))
    #expect(try problems { try recordPersons(fixtures(isRecording: false)) } == missing)
    #expect(!FileManager.default.fileExists(atPath: fixtures().folder.path))
    let stranger = try problems { try fixtures().record(TasksV1.self) { _ in } }
    #expect(stranger == ["1.0.0: TasksV1 is none of PersonsPlan's schemas.\n    Add it to the schemas."])
  }

  @Test func `a version that was edited after its fixture was recorded is found, and the fixture stays`() throws {
    try recordPersons(fixtures())
    let file = fixtures().folder.appending(path: "1.0.0.store")
    let bytes = try Data(contentsOf: file)
    let edited = try problems { try fixtures(EditedPlan.self).verify() }
    #expect(edited.count == 1)
    #expect(edited.first?.contains("Person.street: was optional String, is String") ?? false)
    #expect(edited.first?.contains("make a new version") ?? false)
    #expect(try problems { try fixtures(EditedPlan.self).record(EditedV1.self) { _ in } } == edited)
    #expect(try Data(contentsOf: file) == bytes)
  }

  @Test func `a fixture that no version is of, and one that is damaged, are named`() throws {
    try recordPersons(fixtures())
    enum Later: SchemaMigrationPlan {
      static let schemas: [any VersionedSchema.Type] = [PersonsV2.self]
      static let stages: [MigrationStage] = []
    }
    let stray = try problems { try fixtures(Later.self).verify() }
    #expect(stray.map { $0.prefix(33) } == ["1.0.0: Later has no such version."])
    try Data("version https://git-lfs.github.com/spec/v1".utf8).write(
      to: fixtures().folder.appending(path: "1.0.0.store"))
    let damaged = try problems { try fixtures().verify() }
    #expect(damaged.count == 1 && damaged[0].hasPrefix("1.0.0: The fixture cannot be read."))
  }

  @Test func `rows that go are named unless the program says so`() throws {
    enum Losing: SchemaMigrationPlan {
      static let schemas = PersonsPlan.schemas
      static let stages: [MigrationStage] = [
        .custom(from: PersonsV1.self, to: PersonsV2.self, steps: PersonSteps.all) { _, new in
          try new.fetch(FetchDescriptor<PersonsV2.Person>()).prefix(1).forEach(new.delete)
        }
      ]
    }
    #expect(
      try problems(Losing.self) == [
        "1.0.0 → 2.0.0: Person had 2 rows, and has 1.\n    If it is meant to: verify(changingCountsOf: [\"Person\"])"
      ])
    #expect(try problems(Losing.self, changingCountsOf: ["Person"]) == [])
  }

  @Test func `what the steps say may go goes`() throws {
    enum Deduplicating: SchemaMigrationPlan {
      static let schemas: [any VersionedSchema.Type] = [TasksV1.self, TasksV2.self]
      static let stages: [MigrationStage] = [
        .custom(from: TasksV1.self, to: TasksV2.self, steps: [.deduplicate(by: \TasksV1.Tag.name, keep: .first)])
      ]
    }
    try fixtures(Deduplicating.self).record(TasksV1.self) { context in
      for name in ["a", "a", "b"] { context.insert(TasksV1.Tag(name: name)) }
    }
    try fixtures(Deduplicating.self).verify { fixture in
      try #expect(fixture.new.fetchCount(FetchDescriptor<TasksV2.Tag>()) == 2)
    }
  }

  @Test func `what a check throws, and what is in the way, are problems of their fixtures`() throws {
    struct Refusal: Error {}
    #expect(try problems(PersonsPlan.self) { _ in throw Refusal() } == ["1.0.0 → 2.0.0: Refusal()"])
    enum Lost: SchemaMigrationPlan {
      static let schemas = PersonsPlan.schemas
      static let stages: [MigrationStage] = []
    }
    #expect(try problems(Lost.self).map { $0.contains("stages do not lead from the store's version") } == [true])
  }

  @Test func `a store that changes with each opening is found`() throws {
    enum Meddling: SchemaMigrationPlan {
      static let schemas = PersonsPlan.schemas
      static let stages: [MigrationStage] = [
        .custom(
          from: PersonsV1.self, to: PersonsV2.self,
          steps: PersonSteps.all + [.sql("DELETE FROM _roost_meta WHERE key = 'version'", .after)])
      ]
    }
    #expect(
      try problems(Meddling.self) == [
        "1.0.0 → 2.0.0: The next opening of the migrated store changes it again."
      ])
  }

  @Test func `a value that could be read before and cannot be afterwards is found`() throws {
    enum Spoiling: SchemaMigrationPlan {
      static let schemas: [any VersionedSchema.Type] = [LogV1.self, LogV2.self]
      static let stages: [MigrationStage] = [
        .custom(
          from: LogV1.self, to: LogV2.self, steps: [.sql("UPDATE Note SET place = 'nowhere' WHERE _pk = 2", .after)])
      ]
    }
    try fixtures(Spoiling.self).record(LogV1.self, insert: LogV1.fill)
    let spoiled = try problems { try fixtures(Spoiling.self).verify() }
    #expect(spoiled.count == 1 && spoiled[0].contains("could be read before") && spoiled[0].contains("Note.place"))
  }
}

/// The steps from one version of the persons to the next.
private enum PersonSteps {
  static var all: [MigrationStep] {
    if case .stepwise(_, _, let steps, _)? = PersonsPlan.stages.first { steps } else { [] }
  }
}

/// The first version, after it shipped, with a street that must be there.
private enum EditedV1: VersionedSchema {
  static let models: [any PersistentModel.Type] = [Person.self]
  static let versionIdentifier = Schema.Version(1, 0, 0)

  @Model final class Person {
    var name: String
    var street: String
    var city: String?

    init(name: String, street: String) { (self.name, self.street) = (name, street) }
  }
}

private enum EditedPlan: SchemaMigrationPlan {
  static let schemas: [any VersionedSchema.Type] = [EditedV1.self]
  static let stages: [MigrationStage] = []
}
