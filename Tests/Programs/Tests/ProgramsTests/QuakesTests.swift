import Foundation
import SwiftData
import Testing

struct GeoFeatureCollection: Decodable {
  let features: [Feature]

  struct Feature: Decodable {
    let properties: Properties
    let geometry: Geometry

    struct Properties: Decodable {
      let mag: Double
      let place: String
      let time: Date
      let code: String
    }

    struct Geometry: Decodable { let coordinates: [Double] }
  }
}

@Model class Quake {
  @Attribute(.unique) var code: String
  var magnitude: Double
  var time: Date
  var location: Location

  init(code: String, magnitude: Double, time: Date, name: String, longitude: Double, latitude: Double) {
    self.code = code
    self.magnitude = magnitude
    self.time = time
    self.location = Location(name: name, longitude: longitude, latitude: latitude)
  }
}

extension Quake {
  struct Location: Codable, Hashable {
    var name: String
    var longitude: Double
    var latitude: Double
  }

  convenience init(from feature: GeoFeatureCollection.Feature) {
    self.init(
      code: feature.properties.code, magnitude: feature.properties.mag, time: feature.properties.time,
      name: feature.properties.place, longitude: feature.geometry.coordinates[0],
      latitude: feature.geometry.coordinates[1])
  }

  static func predicate(searchText: String, searchDate: Date) -> Predicate<Quake> {
    let calendar = Calendar.autoupdatingCurrent
    let start = calendar.startOfDay(for: searchDate)
    let end = calendar.date(byAdding: .init(day: 1), to: start) ?? start
    return #Predicate<Quake> { quake in
      (searchText.isEmpty || quake.location.name.contains(searchText)) && (quake.time > start && quake.time < end)
    }
  }

  static func totalQuakes(modelContext: ModelContext) -> Int {
    (try? modelContext.fetchCount(FetchDescriptor<Quake>())) ?? 0
  }
}

/// In the style of Apple's sample of a local copy of a server's data.
@Suite struct QuakesTests {
  static let json = """
    {"features": [
      {"properties": {"mag": 4.5, "place": "Ridgecrest", "time": 1700000000000, "code": "a"},
       "geometry": {"coordinates": [-117.5, 35.7, 8]}},
      {"properties": {"mag": 0.4, "place": "Cobb", "time": 1700000100000, "code": "b"},
       "geometry": {"coordinates": [-122.8, 38.8, 2]}}
    ]}
    """

  func refresh(_ context: ModelContext, _ json: String = json) throws {
    let decoder = JSONDecoder()
    decoder.dateDecodingStrategy = .millisecondsSince1970
    let collection = try decoder.decode(GeoFeatureCollection.self, from: Data(json.utf8))
    for feature in collection.features where feature.properties.mag > 0 {
      context.insert(Quake(from: feature))
    }
    try context.save()
  }

  @Test func `What a server sends twice is there once, with what came last`() throws {
    let container = try ModelContainer(for: Quake.self, configurations: .init(isStoredInMemoryOnly: true))
    let context = ModelContext(container)
    try refresh(context)
    try refresh(context, Self.json.replacingOccurrences(of: "4.5", with: "4.75"))
    #expect(Quake.totalQuakes(modelContext: context) == 2)
    let strongest = FetchDescriptor<Quake>(sortBy: [.init(\.magnitude, order: .reverse)])
    #expect(try context.fetch(strongest).map(\.magnitude) == [4.75, 0.4])
  }

  @Test func `Quakes of a day are found by the place that a struct has`() throws {
    let container = try ModelContainer(for: Quake.self, configurations: .init(isStoredInMemoryOnly: true))
    let context = ModelContext(container)
    try refresh(context)
    let day = Date(timeIntervalSince1970: 1_700_000_000)
    let found = try context.fetch(
      FetchDescriptor(
        predicate: Quake.predicate(searchText: "Ridge", searchDate: day), sortBy: [SortDescriptor(\.time)]))
    #expect(found.map(\.location) == [Quake.Location(name: "Ridgecrest", longitude: -117.5, latitude: 35.7)])
    let before = Quake.predicate(searchText: "", searchDate: .distantPast)
    #expect(try context.fetchCount(FetchDescriptor(predicate: before)) == 0)
  }

  @Test func `The oldest quakes are deleted by a condition`() throws {
    let container = try ModelContainer(for: Quake.self, configurations: .init(isStoredInMemoryOnly: true))
    let context = ModelContext(container)
    try refresh(context)
    let weak = 1.0
    try context.delete(model: Quake.self, where: #Predicate { $0.magnitude < weak }, includeSubclasses: true)
    try context.save()
    #expect(try context.fetch(FetchDescriptor<Quake>()).map(\.code) == ["a"])
  }
}
