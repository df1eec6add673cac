import Foundation
import SwiftData
import Testing

// An app's module, all of whose code is the main actor's unless it says otherwise, as Xcode makes it for new projects.

struct Place: Codable, Hashable {
  var name: String
  var latitude = 0.0
}

enum Effort: Codable, Equatable {
  case rest
  case minutes(Int)
  case intervals([Int], at: Place?)
}

enum Mood: String, Codable, CaseIterable {
  case good, tired
}

@Model final class Workout {
  @Attribute(.unique) var name: String
  var place: Place
  var last: Place?
  var effort = Effort.rest
  var efforts: [Effort] = []
  var mood = Mood.good
  var moods: [Mood] = []
  var byDay: [String: Place] = [:]
  var plan: Plan?

  init(name: String, place: Place) {
    self.name = name
    self.place = place
  }
}

@Model final class Plan {
  var title: String
  @Relationship(deleteRule: .cascade, inverse: \Workout.plan) var workouts: [Workout] = []

  init(title: String) { self.title = title }
}

protocol Located {
  var place: Place { get }
  var last: Place? { get }
}

extension Workout: Located {}

nonisolated protocol Visited: PersistentModel {
  var last: Place? { get }
}

extension Workout: nonisolated Visited {}

@ModelActor actor Importer {
  func countOfUnvisited<Model: Visited>(_ type: Model.Type) throws -> Int {
    try modelContext.fetchCount(FetchDescriptor(predicate: #Predicate<Model> { $0.last == nil }))
  }

  /// A context of its own reads and writes the values.
  func shorten(_ identifier: PersistentIdentifier) throws -> String {
    guard let workout = self[identifier, as: Workout.self] else { return "" }
    workout.efforts = workout.efforts.dropLast()
    try modelContext.save()
    return workout.place.name
  }
}

@MainActor @Suite struct WorkoutsTests {
  private func makeContainer() throws -> ModelContainer {
    try ModelContainer(for: Plan.self, configurations: ModelConfiguration(isStoredInMemoryOnly: true))
  }

  @Test func `Enums with values and structs are attributes as they are`() throws {
    let container = try makeContainer()
    let workout = Workout(name: "Run", place: Place(name: "Park", latitude: 52.5))
    workout.effort = .intervals([3, 2], at: Place(name: "Hill"))
    workout.efforts = [.minutes(10), .rest]
    workout.moods = [.tired, .good]
    workout.byDay = ["Monday": Place(name: "Track")]
    container.mainContext.insert(workout)
    try container.mainContext.save()

    let park = #Predicate<Workout> { $0.place.name == "Park" && $0.last == nil }
    let found = try #require(try ModelContext(container).fetch(FetchDescriptor(predicate: park)).first)
    #expect(found.effort == .intervals([3, 2], at: Place(name: "Hill")) && found.efforts == [.minutes(10), .rest])
    #expect(found.moods == [.tired, .good] && found.byDay == ["Monday": Place(name: "Track")])
    #expect(found.place == Place(name: "Park", latitude: 52.5))
  }

  @Test func `Generic code asks for them by a protocol's requirements`() throws {
    func names<Model: PersistentModel & Located>(_ type: Model.Type, in context: ModelContext) throws -> [String] {
      let parks = #Predicate<Model> { $0.place.name == "Park" && $0.last == nil }
      return try context.fetch(FetchDescriptor(predicate: parks)).map(\.place.name)
    }
    let context = try makeContainer().mainContext
    context.insert(Workout(name: "Run", place: Place(name: "Park")))
    context.insert(Workout(name: "Swim", place: Place(name: "Lake")))
    #expect(try names(Workout.self, in: context) == ["Park"])
  }

  @Test func `An actor reads and writes them too`() async throws {
    let container = try makeContainer()
    let plan = Plan(title: "Spring")
    plan.workouts = [Workout(name: "Swim", place: Place(name: "Lake"))]
    plan.workouts[0].efforts = [.minutes(20), .rest]
    container.mainContext.insert(plan)
    try container.mainContext.save()
    let name = try await Importer(modelContainer: container).shorten(plan.workouts[0].persistentModelID)
    #expect(name == "Lake")
    let workout = try #require(try ModelContext(container).fetch(FetchDescriptor<Workout>()).first)
    #expect(workout.efforts == [.minutes(20)])
    #expect(try await Importer(modelContainer: container).countOfUnvisited(Workout.self) == 1)
  }
}
