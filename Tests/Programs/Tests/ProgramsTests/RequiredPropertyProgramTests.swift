import Foundation
import SwiftData
import Testing

/// New properties without defaults, which `didMigrate` sets.
@Suite struct RequiredPropertyProgramTests {
  private let folder: URL

  init() throws {
    folder = FileManager.default.temporaryDirectory.appendingPathComponent("program-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  private func makeStore() throws -> ModelConfiguration {
    let configuration = ModelConfiguration(url: folder.appendingPathComponent("people.store"))
    let container = try ModelContainer(for: RequiredV1.RequiredPerson.self, configurations: configuration)
    let context = ModelContext(container)
    context.insert(RequiredV1.RequiredPerson(fullName: "Ada Lovelace"))
    context.insert(RequiredV1.RequiredPerson(fullName: "Cher"))
    try context.save()
    return configuration
  }

  @Test func `didMigrate sets a new property and a new relationship that must be there`() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let container = try ModelContainer(
      for: RequiredV2.RequiredPerson.self, migrationPlan: RequiredPlan.self, configurations: makeStore())
    let people = try ModelContext(container).fetch(
      FetchDescriptor<RequiredV2.RequiredPerson>(sortBy: [SortDescriptor(\.fullName)]))
    #expect(people.map(\.givenName) == ["Ada", "Cher"])
    #expect(people.map(\.group.name) == ["All", "All"])
  }

  @Test func `what didMigrate forgets keeps the store from being opened, and as it was`() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let configuration = try makeStore()
    #expect(throws: SwiftDataError.loadIssueModelContainer) {
      try ModelContainer(
        for: RequiredV2.RequiredPerson.self, migrationPlan: ForgetfulPlan.self, configurations: configuration)
    }
    let container = try ModelContainer(for: RequiredV1.RequiredPerson.self, configurations: configuration)
    #expect(try ModelContext(container).fetchCount(FetchDescriptor<RequiredV1.RequiredPerson>()) == 2)
  }
}

enum RequiredV1: VersionedSchema {
  static var versionIdentifier: Schema.Version { Schema.Version(1, 0, 0) }
  static var models: [any PersistentModel.Type] { [RequiredPerson.self] }

  @Model final class RequiredPerson {
    var fullName: String

    init(fullName: String) { self.fullName = fullName }
  }
}

enum RequiredV2: VersionedSchema {
  static var versionIdentifier: Schema.Version { Schema.Version(2, 0, 0) }
  static var models: [any PersistentModel.Type] { [RequiredPerson.self, RequiredGroup.self] }

  @Model final class RequiredPerson {
    var fullName: String
    var givenName: String
    var group: RequiredGroup

    init(fullName: String, givenName: String, group: RequiredGroup) {
      self.fullName = fullName
      self.givenName = givenName
      self.group = group
    }
  }

  @Model final class RequiredGroup {
    var name: String

    init(name: String) { self.name = name }
  }
}

enum RequiredPlan: SchemaMigrationPlan {
  static var schemas: [any VersionedSchema.Type] { [RequiredV1.self, RequiredV2.self] }

  static var stages: [MigrationStage] {
    [
      .custom(
        fromVersion: RequiredV1.self, toVersion: RequiredV2.self, willMigrate: nil,
        didMigrate: { context in
          let group = RequiredV2.RequiredGroup(name: "All")
          context.insert(group)
          let people = try context.fetch(FetchDescriptor<RequiredV2.RequiredPerson>())
          for person in people {
            person.givenName = person.fullName.components(separatedBy: " ").first ?? ""
            person.group = group
          }
          try context.save()
        })
    ]
  }
}

enum ForgetfulPlan: SchemaMigrationPlan {
  static var schemas: [any VersionedSchema.Type] { [RequiredV1.self, RequiredV2.self] }

  static var stages: [MigrationStage] {
    [.custom(fromVersion: RequiredV1.self, toVersion: RequiredV2.self, willMigrate: nil, didMigrate: { _ in })]
  }
}
