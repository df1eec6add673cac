import Foundation
import Roost
import Testing

/// Conditions on a model's class: SQL and memory agree.
@Suite struct CastPredicateTests {
  private let context: ModelContext
  private let trips: [Trip]

  init() throws {
    context = try makeFourTrips()
    try context.save()
    trips = try context.fetch(.byName)
    let conference = trips.compactMap { $0 as? ConferenceTrip }[0]
    conference.client = Client(name: "C")
    conference.stops = [Stop(place: "Oslo")]
    try context.save()
  }

  private func expect(
    _ predicate: Predicate<Trip>, _ letters: String, sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let found = try context.fetch(FetchDescriptor(predicate: predicate, sortBy: [SortDescriptor(\.name)]))
    #expect(String(found.compactMap(\.name.first)) == letters, sourceLocation: sourceLocation)
    let evaluated = trips.filter { (try? predicate.evaluate($0)) ?? false }
    #expect(String(evaluated.compactMap(\.name.first)) == letters, sourceLocation: sourceLocation)
  }

  @Test func `is`() throws {
    try expect(#Predicate<Trip> { $0 is BusinessTrip }, "bc")
    try expect(#Predicate<Trip> { $0 is ConferenceTrip }, "c")
    try expect(#Predicate<Trip> { !($0 is BusinessTrip) }, "ad")
    try expect(#Predicate<Trip> { $0 is PersonalTrip || $0.name == "a plain" }, "ad")
  }

  @Test func `as? with if let`() throws {
    try expect(#Predicate<Trip> { if let trip = $0 as? BusinessTrip { trip.perDiem > 10 } else { false } }, "b")
    try expect(#Predicate<Trip> { if let trip = $0 as? BusinessTrip { trip.perDiem > 10 } else { true } }, "abd")
    try expect(
      #Predicate<Trip> { if let trip = $0 as? ConferenceTrip { trip.client?.name == "C" } else { false } }, "c")
    try expect(#Predicate<Trip> { if let trip = $0 as? PersonalTrip { trip.notes == 7 } else { false } }, "d")
    try expect(
      #Predicate<Trip> {
        if let trip = $0 as? BusinessTrip, trip.perDiem < 9 {
          trip.stops.contains { $0.place == "Oslo" }
        } else {
          false
        }
      }, "c")
  }

  @Test func `as? with a chain`() throws {
    try expect(#Predicate<Trip> { ($0 as? BusinessTrip)?.perDiem ?? 0 > 10 }, "b")
    try expect(#Predicate<Trip> { ($0 as? BusinessTrip)?.perDiem == 5 }, "c")
    try expect(#Predicate<Trip> { ($0 as? BusinessTrip)?.perDiem != 5 }, "abd")
    try expect(#Predicate<Trip> { ($0 as? PersonalTrip)?.notes == nil }, "abc")
    try expect(#Predicate<Trip> { ($0 as? BusinessTrip) != nil }, "bc")
    try expect(#Predicate<Trip> { ($0 as? BusinessTrip)?.client?.name == "C" }, "c")
  }

  @Test func `as!`() throws {
    try expect(#Predicate<Trip> { ($0 as! BusinessTrip).perDiem > 1 }, "bc")
    try expect(#Predicate<Trip> { $0 is BusinessTrip && ($0 as! BusinessTrip).perDiem > 10 }, "b")
    try expect(#Predicate<Trip> { !($0 is BusinessTrip) || ($0 as! BusinessTrip).perDiem > 10 }, "abd")
  }

  @Test func `a related model's class`() throws {
    let stops = try context.fetch(FetchDescriptor<Stop>(predicate: #Predicate { $0.trip is BusinessTrip }))
    #expect(stops.map(\.place) == ["Oslo"])
    let others = try context.fetchCount(
      FetchDescriptor<Stop>(predicate: #Predicate { ($0.trip as? ConferenceTrip)?.talks == 3 }))
    #expect(others == 0)
  }

  @Test func `an inherited property that is optional, of a related model of another class`() throws {
    let anna = Traveler(name: "Anna")
    context.insert(anna)
    trips[0].stops = [Stop(place: "Rome")]
    for trip in trips { trip.traveler = anna }
    try context.save()
    for predicate in [
      #Predicate<Stop> { ($0.trip as? BusinessTrip)?.traveler?.name == "Anna" },
      #Predicate<Stop> { if let trip = $0.trip as? BusinessTrip { trip.traveler == anna } else { false } },
      #Predicate<Stop> { ($0.trip as? BusinessTrip)?.traveler != nil },
    ] {
      let found = try context.fetch(FetchDescriptor(predicate: predicate)).map(\.place)
      #expect(found == ["Oslo"], "\(predicate)")
    }
  }

  @Test func `elements of a list by their class`() throws {
    let anna = Traveler(name: "Anna")
    context.insert(anna)
    anna.trips = trips
    let predicate = #Predicate<Traveler> { $0.trips.contains { $0 is PersonalTrip } }
    #expect(try context.fetchCount(FetchDescriptor(predicate: predicate)) == 1)
    try context.save()
    #expect(try context.fetchCount(FetchDescriptor(predicate: predicate)) == 1)
    let count = #Predicate<Traveler> { $0.trips.filter { $0 is BusinessTrip }.count == 2 }
    #expect(try context.fetchCount(FetchDescriptor(predicate: count)) == 1)
    #expect(try count.evaluate(anna))
  }

  @Test func `inherited properties by the subclass's key paths`() throws {
    let start = Date(timeIntervalSinceReferenceDate: -1)
    let found = try context.fetch(
      FetchDescriptor<BusinessTrip>(
        predicate: #Predicate { $0.name == "c conference" && $0.start > start && $0.stops.count == 1 }))
    #expect(classes(found) == ["ConferenceTrip"])
    let third = try context.fetch(
      FetchDescriptor<ConferenceTrip>(predicate: #Predicate { $0.traveler == nil && $0.perDiem == 5 }))
    #expect(third.count == 1)
  }

  @Test func `a model and its identifier are found by every class of theirs`() throws {
    let conference = trips[2]
    let identifier = conference.persistentModelID
    #expect(
      try context.fetchCount(FetchDescriptor<Trip>(predicate: #Predicate { $0.persistentModelID == identifier })) == 1)
    #expect(
      try context.fetchCount(
        FetchDescriptor<ConferenceTrip>(predicate: #Predicate { $0.persistentModelID == identifier })) == 1)
    #expect(
      try context.fetchCount(
        FetchDescriptor<PersonalTrip>(predicate: #Predicate { $0.persistentModelID == identifier })) == 0)
    #expect(try context.fetchCount(FetchDescriptor<Stop>(predicate: #Predicate { $0.trip == conference })) == 1)
  }
}
