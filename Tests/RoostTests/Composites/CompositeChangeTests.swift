import Foundation
import Roost
import RoostEngine
import Testing

/// A store of a program whose composite structs had other fields.
@Suite struct CompositeChangeTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    let context = try open(Original.Trip.self)
    context.insert(Original.Trip(name: "a", place: .init(city: "Oslo", zip: 1)))
    try context.save()
    try context.container.close()
  }

  private func open(_ type: any PersistentModel.Type) throws -> ModelContext {
    ModelContext(try ModelContainer(for: Schema([type]), configurations: [.init(url: folder.store)]))
  }

  @Test func `an added field that may be missing is nil, or what init(from:) makes of it`() throws {
    let context = try open(Grown.Trip.self)
    let trip = try #require(try context.fetch(FetchDescriptor<Grown.Trip>()).first)
    #expect(trip.place.city == "Oslo" && trip.place.zip == 1 && trip.place.street == nil && trip.place.floor == 7)
    #expect(try context.fetchCount(FetchDescriptor<Grown.Trip>(predicate: #Predicate { $0.place.street == nil })) == 1)
    try context.container.close()
    // The file now says so; the older program reads it still.
    let older = try open(Original.Trip.self)
    #expect(try older.fetch(FetchDescriptor<Original.Trip>()).first?.place.zip == 1)
  }

  @Test func `a removed field keeps the others`() throws {
    let context = try open(Shrunk.Trip.self)
    #expect(try context.fetch(FetchDescriptor<Shrunk.Trip>()).first?.place.city == "Oslo")
  }

  @Test func `an added field that every value must have is refused while rows lack it`() throws {
    let error = #expect(throws: SwiftDataError.self) { try open(Demanding.Trip.self) }
    #expect(error == .loadIssueModelContainer)
    let obstacle = try #require(error?.obstacles.first)
    #expect(obstacle.property == "place.floor" && obstacle.rowCount == 1 && obstacle.exampleRow == "1")
    let connection = try Connection(ConnectionOptions(location: .file(path: folder.store.path)))
    try connection.execute("UPDATE Trip SET place = json_set(place, '$.floor', 3)")
    let context = try open(Demanding.Trip.self)
    #expect(try context.fetch(FetchDescriptor<Demanding.Trip>()).first?.place.floor == 3)
  }

  @Test func `a field of another type is an obstacle while there are values`() throws {
    let error = #expect(throws: SwiftDataError.self) { try open(Retyped.Trip.self) }
    #expect(error?.obstacles.map(\.message) == ["Its values have another form: Trip.place.zip: was Int64, is String."])
  }

  @Test func `a hash modifier makes another schema, options that leave the file alone do not`() throws {
    let configuration = ModelConfiguration(url: folder.store, allowsSave: false)
    let error = #expect(throws: SwiftDataError.self) {
      try ModelContainer(for: Modified.Trip.self, configurations: configuration)
    }
    #expect(error?.message.contains("Trip.name: hash modifier was none, is two") == true)
    try ModelContainer(for: Indexed.Trip.self, configurations: configuration).close()
    try open(Indexed.Trip.self).container.close()
    let connection = try Connection(ConnectionOptions(location: .file(path: folder.store.path)))
    let statement = try connection.statement("SELECT definition FROM _roost_entity")
    #expect(try statement.step())
    #expect(statement.string(0).contains("spotlight") && statement.string(0).contains("allowsCloudEncryption"))
    statement.reset()
  }

  @Test func `a value that no longer decodes is an error with model, property and row`() throws {
    let connection = try Connection(ConnectionOptions(location: .file(path: folder.store.path)))
    try connection.execute("UPDATE Trip SET place = json_remove(place, '$.zip')")
    let error = #expect(throws: SwiftDataError.self) {
      try open(Original.Trip.self).fetch(FetchDescriptor<Original.Trip>())
    }
    #expect(error == .corruptValue && error?.model == "Trip" && error?.property == "place" && error?.row != nil)
  }

  @Test func `a query that looks into what is no JSON throws`() throws {
    let connection = try Connection(ConnectionOptions(location: .file(path: folder.store.path)))
    try connection.execute("UPDATE Trip SET place = '{'")
    let error = #expect(throws: SwiftDataError.self) {
      try open(Original.Trip.self).fetchCount(
        FetchDescriptor<Original.Trip>(predicate: #Predicate { $0.place.city == "Oslo" }))
    }
    #expect("\(error.map { "\($0)" } ?? "")".contains("JSON"))
  }
}

private enum Original {
  struct Place: Codable {
    var city: String
    var zip: Int
  }

  @Model final class Trip {
    var name: String
    var place: Place

    init(name: String, place: Place) { (self.name, self.place) = (name, place) }
  }
}

private enum Grown {
  struct Place: Codable {
    var city: String
    var zip: Int
    var street: String?
    var floor: Int

    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      city = try container.decode(String.self, forKey: .city)
      zip = try container.decode(Int.self, forKey: .zip)
      street = try container.decodeIfPresent(String.self, forKey: .street)
      floor = try container.decodeIfPresent(Int.self, forKey: .floor) ?? 7
    }
  }

  @Model final class Trip {
    var name: String
    var place: Place

    init(name: String, place: Place) { (self.name, self.place) = (name, place) }
  }
}

private enum Shrunk {
  struct Place: Codable { var city: String }

  @Model final class Trip {
    var name: String
    var place: Place

    init(name: String, place: Place) { (self.name, self.place) = (name, place) }
  }
}

private enum Demanding {
  struct Place: Codable {
    var city: String
    var zip: Int
    var floor: Int
  }

  @Model final class Trip {
    var name: String
    var place: Place

    init(name: String, place: Place) { (self.name, self.place) = (name, place) }
  }
}

private enum Retyped {
  struct Place: Codable {
    var city: String
    var zip: String
  }

  @Model final class Trip {
    var name: String
    var place: Place

    init(name: String, place: Place) { (self.name, self.place) = (name, place) }
  }
}

private enum Modified {
  @Model final class Trip {
    @Attribute(hashModifier: "two") var name: String
    var place: Original.Place

    init(name: String, place: Original.Place) { (self.name, self.place) = (name, place) }
  }
}

private enum Indexed {
  @Model final class Trip {
    @Attribute(.spotlight, .allowsCloudEncryption, .preserveValueOnDeletion) var name: String
    var place: Original.Place

    init(name: String, place: Original.Place) { (self.name, self.place) = (name, place) }
  }
}
