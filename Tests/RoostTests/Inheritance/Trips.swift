import Foundation
import Roost
import RoostEngine

// Three levels of classes, two siblings with a property of the same name, and relationships to and from all of them.

enum Purpose: String, Codable { case meeting, other }

@Model class Trip {
  #Index<Trip>([\.start])
  var name: String
  var start: Date
  @Relationship(deleteRule: .cascade, inverse: \Stop.trip) var stops: [Stop] = []
  var traveler: Traveler?

  init(name: String, start: Date = Date(timeIntervalSinceReferenceDate: 0)) {
    self.name = name
    self.start = start
  }
}

@available(macOS 26, iOS 26, *)
@Model class BusinessTrip: Trip {
  #Index<BusinessTrip>([\.perDiem], [\.name])
  var perDiem: Double
  var purpose: Purpose = Purpose.other
  var notes: String = ""
  var client: Client?

  init(name: String, perDiem: Double) {
    self.perDiem = perDiem
    super.init(name: name)
  }
}

@available(macOS 26, iOS 26, *)
@Model final class ConferenceTrip: BusinessTrip {
  var talks: Int
  @Relationship(deleteRule: .cascade) var badge: Badge?

  init(name: String, perDiem: Double = 0, talks: Int) {
    self.talks = talks
    super.init(name: name, perDiem: perDiem)
  }
}

@available(macOS 26, iOS 26, *)
@Model final class PersonalTrip: Trip {
  var notes: Int?
  @Relationship(inverse: \Traveler.shared) var companions: [Traveler] = []

  init(name: String, notes: Int? = nil) {
    self.notes = notes
    super.init(name: name)
  }
}

@Model final class Stop {
  var place: String
  var trip: Trip?

  init(place: String, trip: Trip? = nil) {
    self.place = place
    self.trip = trip
  }
}

@Model final class Badge {
  var number: Int

  init(number: Int) { self.number = number }
}

@Model final class Traveler {
  var name: String
  @Relationship(inverse: \Trip.traveler) var trips: [Trip] = []
  var shared: [PersonalTrip] = []

  init(name: String) { self.name = name }
}

@Model final class Client {
  var name: String
  @Relationship(deleteRule: .deny, inverse: \BusinessTrip.client) var trips: [BusinessTrip] = []
  @Relationship(inverse: nil) var best: BusinessTrip?

  init(name: String) { self.name = name }
}

let tripTypes: [any PersistentModel.Type] = [Trip.self, BusinessTrip.self, ConferenceTrip.self, PersonalTrip.self]

func makeTrips(_ configuration: ModelConfiguration = .init(isStoredInMemoryOnly: true)) throws -> ModelContext {
  ModelContext(try ModelContainer(for: Schema(tripTypes), configurations: [configuration]))
}

/// A context with one model of each class, not saved.
func makeFourTrips(_ configuration: ModelConfiguration = .init(isStoredInMemoryOnly: true)) throws -> ModelContext {
  let context = try makeTrips(configuration)
  context.insert(Trip(name: "a plain"))
  context.insert(BusinessTrip(name: "b business", perDiem: 20))
  context.insert(ConferenceTrip(name: "c conference", perDiem: 5, talks: 2))
  context.insert(PersonalTrip(name: "d personal", notes: 7))
  return context
}

extension FetchDescriptor where T: Trip {
  /// All, by name.
  static var byName: FetchDescriptor<T> { FetchDescriptor<T>(sortBy: [SortDescriptor(\T.name)]) }
}

/// The classes of models.
func classes(_ models: [some PersistentModel]) -> [String] { models.map { "\(type(of: $0))" } }

/// What a query says of a store's file: a line a row, its columns as text between bars.
func rows(of store: URL, _ sql: String) throws -> [String] {
  let connection = try Connection(ConnectionOptions(location: .file(path: store.path)))
  defer { connection.close() }
  let statement = try connection.statement(sql)
  defer { statement.reset() }
  var rows: [String] = []
  while try statement.step() {
    rows.append((0..<statement.columnCount).map { statement.string($0) }.joined(separator: "|"))
  }
  return rows
}
