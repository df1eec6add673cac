import Foundation
import Roost
import RoostEngine
import Testing

/// Stages between versions whose structs have other keys.
@Suite struct StructStageTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func open(
    _ version: any VersionedSchema.Type, _ plan: (any SchemaMigrationPlan.Type)? = nil
  ) throws -> ModelContext {
    ModelContext(
      try ModelContainer(
        for: Schema(versionedSchema: version), migrationPlan: plan,
        configurations: [ModelConfiguration(url: folder.store)]))
  }

  private func makeFirst() throws {
    let context = try open(Places.First.self)
    context.insert(Places.First.Trip(place: .init(city: "Oslo")))
    try context.save()
    try context.container.close()
  }

  @Test func `a stage is run where the newer struct asks for less than the older`() throws {
    try makeFirst()
    let report = try ModelContainer.dryRun(
      for: Places.Renamed.Trip.self, migrationPlan: Places.ToRenamed.self,
      configurations: ModelConfiguration(url: folder.store))
    #expect(report.isNeeded && report.stages == ["First → Renamed"])
    for _ in 0..<2 {
      let context = try open(Places.Renamed.self, Places.ToRenamed.self)
      #expect(try context.fetch(FetchDescriptor<Places.Renamed.Trip>()).map(\.place.town) == ["Oslo."])
      try context.container.close()
    }
    #expect(throws: SwiftDataError.backwardMigration) { try open(Places.First.self, Places.ToRenamed.self) }
  }

  @Test func `where the stage does nothing else, or there is none, the store is opened as it is`() throws {
    try makeFirst()
    let configuration = ModelConfiguration(url: folder.store, allowsSave: false)
    for plan in [Places.Lightly.self, Places.NoStage.self] as [any SchemaMigrationPlan.Type] {
      let container = try ModelContainer(
        for: Schema(versionedSchema: Places.Renamed.self), migrationPlan: plan, configurations: [configuration])
      #expect(try ModelContext(container).fetch(FetchDescriptor<Places.Renamed.Trip>()).map(\.place.town) == [nil])
      try container.close()
    }
    let context = try open(Places.Noted.self, Places.Gap.self)
    #expect(try context.fetch(FetchDescriptor<Places.Noted.Trip>()).map(\.note) == [nil])
  }

  @Test func `a step writes values that have what a newer struct asks for, also where they are in files`() throws {
    try makeFirst()
    let error = #expect(throws: SwiftDataError.self) { try open(Places.Fuller.self) }
    #expect(error?.obstacles.map(\.property) == ["place.country", "area.country"])
    let context = try open(Places.Fuller.self, Places.ToFuller.self)
    let trip = try #require(try context.fetch(FetchDescriptor<Places.Fuller.Trip>()).first)
    #expect(trip.place.city == "Oslo" && trip.place.country == "Norway" && trip.area.country == "Nordic")
  }
}

private enum Places {
  enum First: VersionedSchema {
    static let models: [any PersistentModel.Type] = [Trip.self]
    static let versionIdentifier = Schema.Version(1, 0, 0)

    struct Place: Codable { var city: String }

    @Model final class Trip {
      var place: Place
      @Attribute(.externalStorage) var area: Place

      init(place: Place) {
        self.place = place
        area = Place(city: String(repeating: "x", count: 200_000))
      }
    }
  }

  enum Renamed: VersionedSchema {
    static let models: [any PersistentModel.Type] = [Trip.self]
    static let versionIdentifier = Schema.Version(2, 0, 0)

    struct Place: Codable { var town: String? }

    @Model final class Trip {
      var place: Place
      @Attribute(.externalStorage) var area: Place

      init(place: Place) { (self.place, area) = (place, place) }
    }
  }

  enum ToRenamed: SchemaMigrationPlan {
    static let schemas: [any VersionedSchema.Type] = [First.self, Renamed.self]
    static let stages: [MigrationStage] = [
      .custom(
        from: First.self, to: Renamed.self,
        steps: [.transform(\First.Trip.place, to: \Renamed.Trip.place) { .init(town: $0.city + ".") }])
    ]
  }

  enum Lightly: SchemaMigrationPlan {
    static let schemas: [any VersionedSchema.Type] = [First.self, Renamed.self]
    static let stages: [MigrationStage] = [.lightweight(fromVersion: First.self, toVersion: Renamed.self)]
  }

  enum NoStage: SchemaMigrationPlan {
    static let schemas: [any VersionedSchema.Type] = [First.self, Renamed.self]
    static let stages: [MigrationStage] = []
  }

  enum Noted: VersionedSchema {
    static let models: [any PersistentModel.Type] = [Trip.self]
    static let versionIdentifier = Schema.Version(3, 0, 0)

    @Model final class Trip {
      var place: Renamed.Place
      @Attribute(.externalStorage) var area: Renamed.Place
      var note: String?

      init(place: Renamed.Place) { (self.place, area) = (place, place) }
    }
  }

  /// No stage leads to the second version, whose structs only ask for less.
  enum Gap: SchemaMigrationPlan {
    static let schemas: [any VersionedSchema.Type] = [First.self, Renamed.self, Noted.self]
    static let stages: [MigrationStage] = [.lightweight(fromVersion: Renamed.self, toVersion: Noted.self)]
  }

  enum Fuller: VersionedSchema {
    static let models: [any PersistentModel.Type] = [Trip.self]
    static let versionIdentifier = Schema.Version(2, 0, 0)

    struct Place: Codable {
      var city: String
      var country: String
    }

    @Model final class Trip {
      var place: Place
      @Attribute(.externalStorage) var area: Place

      init(place: Place) { (self.place, area) = (place, place) }
    }
  }

  enum ToFuller: SchemaMigrationPlan {
    static let schemas: [any VersionedSchema.Type] = [First.self, Fuller.self]
    static let stages: [MigrationStage] = [
      .custom(
        from: First.self, to: Fuller.self,
        steps: [
          .transform(\First.Trip.place, to: \Fuller.Trip.place) { .init(city: $0.city, country: "Norway") },
          .transform(\First.Trip.area, to: \Fuller.Trip.area) { .init(city: $0.city, country: "Nordic") },
        ])
    ]
  }
}
