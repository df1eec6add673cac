import Foundation
import Roost
import RoostEngine
import RoostTesting
import Testing

@Suite struct HierarchyRelationshipTests {
  @Test func `a relationship to a class refers to models of its subclasses`() throws {
    let context = try makeTrips()
    let anna = Traveler(name: "Anna")
    let trips = [Trip(name: "1"), BusinessTrip(name: "2", perDiem: 1), ConferenceTrip(name: "3", talks: 1)]
    for trip in trips { trip.traveler = anna }
    context.insert(anna)
    for trip in trips { trip.stops = [Stop(place: trip.name)] }
    try context.save()
    let other = ModelContext(context.container)
    let stops = try other.fetch(FetchDescriptor<Stop>(sortBy: [SortDescriptor(\.place)]))
    #expect(classes(stops.compactMap(\.trip)) == ["Trip", "BusinessTrip", "ConferenceTrip"])
    let read = try #require(try ModelContext(context.container).fetch(FetchDescriptor<Traveler>()).first)
    #expect(classes(read.trips) == ["Trip", "BusinessTrip", "ConferenceTrip"])
    #expect(read.trips.map(\.stops.count) == [1, 1, 1])
  }

  @Test func `targets of several classes are read for all siblings in one statement`() throws {
    let recorder = StatementRecorder()
    let context = try makeTrips(ModelConfiguration(isStoredInMemoryOnly: true).recording(to: recorder))
    for number in 0..<500 {
      let trip = number % 2 == 0 ? Trip(name: "\(number)") : BusinessTrip(name: "\(number)", perDiem: 1)
      context.insert(Stop(place: "\(number)", trip: trip))
    }
    try context.save()
    let other = ModelContext(context.container)
    let stops = try other.fetch(FetchDescriptor<Stop>())
    var names = 0
    let statements = recorder.statements {
      for stop in stops { names += stop.trip?.name.count ?? 0 }
    }
    #expect(names > 0)
    #expect(statements.count == 1, "\(statements)")
  }

  @Test func `members of several classes are read for all siblings in few statements`() throws {
    let recorder = StatementRecorder()
    let context = try makeTrips(ModelConfiguration(isStoredInMemoryOnly: true).recording(to: recorder))
    for number in 0..<100 {
      let traveler = Traveler(name: "\(number)")
      context.insert(traveler)
      traveler.trips = [Trip(name: "a"), BusinessTrip(name: "b", perDiem: 1), PersonalTrip(name: "c")]
    }
    try context.save()
    let other = ModelContext(context.container)
    let travelers = try other.fetch(FetchDescriptor<Traveler>())
    var names = ""
    let statements = recorder.statements {
      for traveler in travelers { names += traveler.trips.map(\.name).joined() }
    }
    #expect(names == String(repeating: "abc", count: 100))
    // The keys of 64 lists first, then of the others; the rows of one, of those lists, and of the others.
    #expect(statements.count <= 5, "\(statements)")
  }

  @Test func `models of a subclass have their own relationships, read for those that have them`() throws {
    let context = try makeTrips()
    let client = Client(name: "C")
    context.insert(client)
    for number in 0..<5 {
      let trip = number % 2 == 0 ? BusinessTrip(name: "b\(number)", perDiem: 1) : PersonalTrip(name: "p\(number)")
      (trip as? BusinessTrip)?.client = client
      (trip as? PersonalTrip)?.companions = [Traveler(name: "t\(number)")]
      context.insert(trip)
    }
    client.best = ConferenceTrip(name: "best", talks: 1)
    try context.save()
    let other = ModelContext(context.container)
    let trips = try other.fetch(.byName as FetchDescriptor<Trip>)
    #expect(trips.compactMap { ($0 as? BusinessTrip)?.client?.name } == ["C", "C", "C"])
    #expect(trips.compactMap { ($0 as? PersonalTrip)?.companions.first?.name } == ["t1", "t3"])
    let read = try #require(try other.fetch(FetchDescriptor<Client>()).first)
    #expect(read.trips.map(\.name) == ["b0", "b2", "b4"])
    #expect(read.best is ConferenceTrip)
    let traveler = try #require(try other.fetch(FetchDescriptor<Traveler>()).first)
    #expect(traveler.shared.map(\.name) == ["p1"])
  }

  @Test func `both sides are in step, whichever class the model has`() throws {
    let context = try makeFourTrips()
    try context.save()
    let other = ModelContext(context.container)
    let anna = Traveler(name: "Anna")
    other.insert(anna)
    let conference = try #require(try other.fetch(FetchDescriptor<ConferenceTrip>()).first)
    conference.traveler = anna
    #expect(anna.trips == [conference])
    let new = PersonalTrip(name: "new")
    anna.trips.append(new)
    #expect(new.traveler === anna)
    try other.save()
    let third = ModelContext(context.container)
    let read = try #require(try third.fetch(FetchDescriptor<Traveler>()).first)
    read.trips.reverse()
    try third.save()
    let last = try #require(try ModelContext(context.container).fetch(FetchDescriptor<Traveler>()).first)
    #expect(classes(last.trips) == ["PersonalTrip", "ConferenceTrip"])
  }

  @Test func `members that are read late include pending ones of subclasses`() throws {
    let context = try makeTrips()
    context.insert(Traveler(name: "Anna"))
    context.insert(BusinessTrip(name: "stored", perDiem: 1))
    try context.save()
    let other = ModelContext(context.container)
    let anna = try #require(try other.fetch(FetchDescriptor<Traveler>()).first)
    let stored = try #require(try other.fetch(FetchDescriptor<Trip>()).first)
    stored.traveler = anna
    let new = ConferenceTrip(name: "new", talks: 0)
    other.insert(new)
    new.traveler = anna
    #expect(Set(anna.trips.map(\.name)) == ["stored", "new"])
    #expect(try other.fetchCount(FetchDescriptor<Trip>(predicate: #Predicate { $0.traveler?.name == "Anna" })) == 2)
  }

  @Test func `delete rules hold for what a class inherits and for what it declares`() throws {
    let folder = try TemporaryFolder()
    let context = try makeTrips(ModelConfiguration(url: folder.store))
    let trip = ConferenceTrip(name: "c", talks: 1)
    context.insert(trip)
    trip.stops = [Stop(place: "Oslo")]
    trip.badge = Badge(number: 1)
    let client = Client(name: "C")
    trip.client = client
    client.best = trip
    try context.save()

    context.delete(client)
    let error = #expect(throws: SwiftDataError.self) { try context.save() }
    #expect(error?.property == "trips")
    context.rollback()

    let other = ModelContext(context.container)
    let read = try #require(try other.fetch(FetchDescriptor<Trip>()).first)
    other.delete(read)
    try other.save()
    #expect(try other.fetchCount(FetchDescriptor<Stop>()) == 0)
    #expect(try other.fetchCount(FetchDescriptor<Badge>()) == 0)
    let left = try #require(try other.fetch(FetchDescriptor<Client>()).first)
    #expect(left.trips.isEmpty && left.best == nil)
    #expect(try rows(of: folder.store, "PRAGMA foreign_key_check") == [])
  }

  @Test func `deleting all models of a class spares its subclasses if asked to`() throws {
    let context = try makeFourTrips()
    try context.save()
    try context.delete(model: Trip.self, includeSubclasses: false)
    try context.save()
    #expect(try context.fetchCount(FetchDescriptor<Trip>()) == 3)
    try context.delete(
      model: BusinessTrip.self, where: #Predicate { $0.perDiem > 1 }, includeSubclasses: false)
    try context.save()
    #expect(classes(try context.fetch(.byName as FetchDescriptor<Trip>)) == ["ConferenceTrip", "PersonalTrip"])
    try context.delete(model: Trip.self)
    #expect(try context.fetchCount(FetchDescriptor<Trip>()) == 0)
    try context.save()
    #expect(try ModelContext(context.container).fetchCount(FetchDescriptor<Trip>()) == 0)
  }

  @Test func `an inverse of another class than the relationship's is refused`() throws {
    let error = #expect(throws: SwiftDataError.self) { try Schema(Lopsided.Owner.self, Lopsided.Dog.self).info() }
    #expect(error == .invalidSchema)
    #expect(error?.property == "dogs")
  }
}

enum Lopsided {
  @Model class Animal {
    var owner: Owner?
    init() {}
  }

  @Model final class Dog: Animal {
    override init() { super.init() }
  }

  @Model final class Owner {
    @Relationship(inverse: \Animal.owner) var dogs: [Dog] = []
    init() {}
  }
}
