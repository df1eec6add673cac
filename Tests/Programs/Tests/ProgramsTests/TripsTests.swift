import Foundation
import SwiftData
import Testing

@Model class Trip {
  #Index<Trip>([\.name], [\.startDate, \.endDate])
  #Unique<Trip>([\.name, \.startDate])

  var name: String
  var destination: String
  @Attribute(originalName: "start_date") var startDate: Date
  @Attribute(.preserveValueOnDeletion, originalName: "end_date") var endDate: Date
  @Relationship(deleteRule: .cascade, inverse: \BucketListItem.trip) var bucketList: [BucketListItem] = []
  @Relationship(deleteRule: .cascade, inverse: \LivingAccommodation.trip) var livingAccommodation: LivingAccommodation?
  @Transient var tripViews: Int = 0

  init(name: String, destination: String, startDate: Date = .now, endDate: Date = .distantFuture) {
    self.name = name
    self.destination = destination
    self.startDate = startDate
    self.endDate = endDate
  }
}

@Model final class BusinessTrip: Trip {
  var purpose: String
  var expenseCode: String = "none"
  var perDiem: Double

  init(name: String, destination: String, purpose: String, perDiem: Double) {
    self.purpose = purpose
    self.perDiem = perDiem
    super.init(name: name, destination: destination)
  }
}

@Model final class PersonalTrip: Trip {
  enum Reason: String, CaseIterable, Codable, Identifiable {
    case family, wellness, unknown
    var id: Self { self }
  }

  var reason: Reason

  init(name: String, destination: String, reason: Reason) {
    self.reason = reason
    super.init(name: name, destination: destination)
  }
}

@Model final class BucketListItem {
  var title: String
  var details: String
  var hasReservation: Bool
  var isInPlan: Bool
  var trip: Trip?

  init(title: String, details: String, hasReservation: Bool, isInPlan: Bool) {
    self.title = title
    self.details = details
    self.hasReservation = hasReservation
    self.isInPlan = isInPlan
  }
}

@Model final class LivingAccommodation {
  var address: String
  var placeName: String
  @Relationship var trip: Trip?

  init(address: String, placeName: String) {
    self.address = address
    self.placeName = placeName
  }
}

extension Trip {
  var displayTitle: String { name.isEmpty ? "Untitled trip" : name }

  @MainActor static var preview: ModelContainer {
    get throws {
      let schema = Schema([Trip.self, BusinessTrip.self, PersonalTrip.self])
      let configuration = ModelConfiguration(schema: schema, isStoredInMemoryOnly: true)
      let container = try ModelContainer(for: schema, configurations: [configuration])
      let trips = [
        BusinessTrip(name: "Conference", destination: "Cupertino", purpose: "Sessions", perDiem: 123.45),
        PersonalTrip(name: "Grandmother", destination: "Lisbon", reason: .family),
        Trip(name: "Camping", destination: "Yosemite"),
      ]
      for trip in trips { container.mainContext.insert(trip) }
      trips[2].bucketList.append(
        BucketListItem(title: "Half Dome", details: "", hasReservation: true, isInPlan: false))
      trips[2].livingAccommodation = LivingAccommodation(address: "Valley", placeName: "Tent")
      try container.mainContext.save()
      return container
    }
  }
}

/// In the style of Apple's sample of trips.
@MainActor @Suite struct TripsTests {
  @Test func `Trips of subclasses are found by their class, and by what only they have`() throws {
    let context = try Trip.preview.mainContext
    let all = try context.fetch(FetchDescriptor<Trip>(sortBy: [SortDescriptor(\.name)]))
    #expect(all.map(\.displayTitle) == ["Camping", "Conference", "Grandmother"])
    #expect(all.compactMap { ($0 as? BusinessTrip)?.perDiem } == [123.45])

    let isPersonal = #Predicate<Trip> { $0 is PersonalTrip }
    #expect(try context.fetch(FetchDescriptor(predicate: isPersonal)).map(\.name) == ["Grandmother"])
    let isExpensive = #Predicate<Trip> { trip in
      if let business = trip as? BusinessTrip { business.perDiem > 100 } else { false }
    }
    #expect(try context.fetch(FetchDescriptor(predicate: isExpensive)).map(\.name) == ["Conference"])
    #expect(try context.fetch(FetchDescriptor<PersonalTrip>()).map(\.reason) == [.family])
  }

  @Test func `A search looks at names and destinations, within dates`() throws {
    let context = try Trip.preview.mainContext
    let (searchText, now) = ("yosem", Date.now)
    var descriptor = FetchDescriptor<Trip>(
      predicate: #Predicate {
        searchText.isEmpty
          ? $0.endDate >= now
          : ($0.name.localizedStandardContains(searchText) || $0.destination.localizedStandardContains(searchText))
            && $0.endDate >= now
      },
      sortBy: [SortDescriptor(\Trip.startDate, order: .forward)])
    descriptor.fetchLimit = 1
    #expect(try context.fetch(descriptor).first?.name == "Camping")
  }

  @Test func `A deleted trip takes its bucket list and its accommodation along`() throws {
    let context = try Trip.preview.mainContext
    let camping = try #require(
      try context.fetch(FetchDescriptor(predicate: #Predicate<Trip> { $0.name == "Camping" })).first)
    #expect(camping.livingAccommodation?.trip === camping)
    camping.tripViews += 1
    #expect(!context.hasChanges)
    context.delete(camping)
    try context.save()
    #expect(try context.fetchCount(FetchDescriptor<BucketListItem>()) == 0)
    #expect(try context.fetchCount(FetchDescriptor<LivingAccommodation>()) == 0)
  }

  @Test func `A trip of the same name and date updates the first`() throws {
    let context = try Trip.preview.mainContext
    let date = Date(timeIntervalSince1970: 1_000)
    context.insert(Trip(name: "Ski", destination: "Aspen", startDate: date))
    try context.save()
    context.insert(Trip(name: "Ski", destination: "Zermatt", startDate: date))
    try context.save()
    let ski = try context.fetch(FetchDescriptor<Trip>(predicate: #Predicate { $0.name == "Ski" }))
    #expect(ski.map(\.destination) == ["Zermatt"])
  }
}
