import Foundation
import Roost
import RoostTesting
import Testing

@Suite struct HierarchyFetchTests {
  private let all = ["Trip", "BusinessTrip", "ConferenceTrip", "PersonalTrip"]

  @Test(arguments: [false, true]) func `a fetch of a class finds models of its subclasses, as what they are`(
    isSaved: Bool
  ) throws {
    var context = try makeFourTrips()
    if isSaved {
      try context.save()
      context = ModelContext(context.container)
    }
    #expect(classes(try context.fetch(.byName as FetchDescriptor<Trip>)) == all)
    #expect(classes(try context.fetch(.byName as FetchDescriptor<BusinessTrip>)) == ["BusinessTrip", "ConferenceTrip"])
    #expect(classes(try context.fetch(FetchDescriptor<ConferenceTrip>())) == ["ConferenceTrip"])
    #expect(try context.fetchCount(FetchDescriptor<Trip>()) == 4)
    #expect(try context.fetchCount(FetchDescriptor<BusinessTrip>()) == 2)
    #expect(try context.fetchCount(FetchDescriptor<PersonalTrip>()) == 1)
  }

  @Test func `values of every level come back`() throws {
    let context = try makeFourTrips()
    try context.save()
    let trips = try ModelContext(context.container).fetch(.byName as FetchDescriptor<Trip>)
    let business = try #require(trips[1] as? BusinessTrip)
    #expect(business.name == "b business" && business.perDiem == 20 && business.purpose == .other)
    let conference = try #require(trips[2] as? ConferenceTrip)
    #expect(conference.name == "c conference" && conference.perDiem == 5 && conference.talks == 2)
    #expect((trips[3] as? PersonalTrip)?.notes == 7)
  }

  @Test func `edits of inherited and own properties are saved`() throws {
    let context = try makeFourTrips()
    try context.save()
    let trip = try #require(try context.fetch(FetchDescriptor<ConferenceTrip>()).first)
    trip.name = "x"
    trip.perDiem = 99
    trip.talks = 3
    trip.notes = "long"
    #expect(trip.hasChanges)
    #expect(try context.fetch(FetchDescriptor<Trip>(predicate: #Predicate { $0.name == "x" })) == [trip])
    try context.save()
    let read = try #require(try ModelContext(context.container).fetch(FetchDescriptor<ConferenceTrip>()).first)
    #expect(read.name == "x" && read.perDiem == 99 && read.talks == 3 && read.notes == "long")
    trip.talks = 8
    trip.name = "y"
    context.rollback()
    #expect(trip.talks == 3 && trip.name == "x")
  }

  @Test func `identifiers name the class of the row`() throws {
    let context = try makeFourTrips()
    let pending = try context.fetchIdentifiers(.byName as FetchDescriptor<Trip>)
    #expect(pending.map(\.entityName) == all)
    #expect(pending == (try context.fetch(.byName as FetchDescriptor<Trip>)).map(\.persistentModelID))
    try context.save()
    let stored = try context.fetchIdentifiers(.byName as FetchDescriptor<Trip>)
    #expect(stored.map(\.entityName) == all)
    #expect(stored == (try context.fetch(.byName as FetchDescriptor<Trip>)).map(\.persistentModelID))
    #expect(Set(stored.map(\.id)).count == 4)
    let other = ModelContext(context.container)
    for (identifier, name) in zip(stored, all) {
      let registered: Trip? = other.registeredModel(for: identifier)
      #expect(registered == nil)
      let model = other.model(for: identifier)
      #expect("\(type(of: model))" == name)
      #expect((model as? Trip)?.name.isEmpty == false)
      #expect(other.registeredModel(for: identifier) as Trip? === model)
    }
    #expect(classes(try other.fetch(.byName as FetchDescriptor<Trip>)) == all)
  }

  @Test func `an identifier of another class of the row gives a model that says it is deleted`() throws {
    let context = try makeFourTrips()
    try context.save()
    let business = try #require(try context.fetch(FetchDescriptor<BusinessTrip>()).first)
    let key = business.persistentModelID.key
    let store = try #require(business.persistentModelID.storeIdentifier)
    func identifier(_ name: String) throws -> PersistentIdentifier {
      try .identifier(for: store, entityName: name, primaryKey: key)
    }
    #expect(context.model(for: try identifier("Trip")) === business)
    #expect(context.model(for: try identifier("PersonalTrip")).isDeleted)
    #expect(!business.isDeleted)
    let other = ModelContext(context.container)
    for name in ["Trip", "PersonalTrip", "ConferenceTrip"] {
      let model = try #require(other.model(for: try identifier(name)) as? Trip)
      #expect(model.name.isEmpty)
      #expect(model.isDeleted)
    }
    #expect(classes(try other.fetch(.byName as FetchDescriptor<BusinessTrip>)) == ["BusinessTrip", "ConferenceTrip"])
  }

  @Test func `enumerate visits models as what they are, in one statement a batch`() throws {
    let context = try makeTrips()
    for number in 0..<40 {
      context.insert(number % 2 == 0 ? Trip(name: "\(number)") : BusinessTrip(name: "\(number)", perDiem: 1))
    }
    try context.save()
    let other = ModelContext(context.container)
    var found: [String] = []
    try other.enumerate(FetchDescriptor<Trip>(), batchSize: 7) { found.append("\(type(of: $0)) \($0.name)") }
    #expect(found == (0..<40).map { ($0 % 2 == 0 ? "Trip" : "BusinessTrip") + " \($0)" })
  }

  @Test func `a property that was not fetched is read when it is asked for, at every level`() throws {
    let context = try makeFourTrips()
    try context.save()
    let other = ModelContext(context.container)
    var descriptor: FetchDescriptor<Trip> = .byName
    descriptor.propertiesToFetch = [\.name]
    let trips = try other.fetch(descriptor)
    #expect(classes(trips) == all)
    #expect(trips.map(\.name) == ["a plain", "b business", "c conference", "d personal"])
    #expect((trips[1] as? BusinessTrip)?.perDiem == 20)
    #expect((trips[2] as? ConferenceTrip)?.talks == 2)
    #expect((trips[3] as? PersonalTrip)?.notes == 7)
    var business: FetchDescriptor<BusinessTrip> = .byName
    business.propertiesToFetch = [\.name, \.perDiem]
    #expect(try ModelContext(context.container).fetch(business).map(\.purpose) == [.other, .other])
  }

  @Test func `a fetch sorts by inherited and own properties`() throws {
    let context = try makeFourTrips()
    try context.save()
    let byName = try context.fetch(FetchDescriptor<BusinessTrip>(sortBy: [SortDescriptor(\.name, order: .reverse)]))
    #expect(classes(byName) == ["ConferenceTrip", "BusinessTrip"])
    let own = try context.fetch(FetchDescriptor<BusinessTrip>(sortBy: [SortDescriptor(\BusinessTrip.perDiem)]))
    #expect(classes(own) == ["ConferenceTrip", "BusinessTrip"])
    let both = try context.fetch(
      FetchDescriptor<ConferenceTrip>(sortBy: [SortDescriptor(\.talks), SortDescriptor(\.traveler?.name)]))
    #expect(both.count == 1)
  }

  @Test func `a model of a class that the container does not know is refused, not trapped`() throws {
    let context = ModelContext(
      try ModelContainer(for: BusinessTrip.self, configurations: .init(isStoredInMemoryOnly: true)))
    #expect(context.container.schema.entitiesByName.keys.contains("Trip"))
    #expect(!context.container.schema.entitiesByName.keys.contains("ConferenceTrip"))
    #expect(throws: SwiftDataError.modelNotInSchema) { try context.fetch(FetchDescriptor<ConferenceTrip>()) }
    context.insert(ConferenceTrip(name: "unknown", talks: 1))
    let error = #expect(throws: SwiftDataError.self) { try context.save() }
    #expect(error == .modelNotInSchema)
    #expect(error?.model == "ConferenceTrip")
    #expect(error?.remedy?.contains("ConferenceTrip.self") ?? false)
    #expect(try context.fetch(FetchDescriptor<Trip>()).isEmpty)
  }

  @Test func `models of several classes are as few objects as rows, and none outlives its scope`() throws {
    let context = try makeFourTrips()
    try context.save()
    let other = ModelContext(context.container)
    do {
      let first = try other.fetch(.byName as FetchDescriptor<Trip>)
      let second = try other.fetch(.byName as FetchDescriptor<BusinessTrip>)
      #expect(first[1] === second[0] && first[2] === second[1])
      #expect(other.liveModelCount == 4)
    }
    #expect(other.liveModelCount == 0)
  }
}
