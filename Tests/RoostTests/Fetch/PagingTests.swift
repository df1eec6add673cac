import Foundation
import Roost
import RoostTesting
import Testing

/// A page that begins after a model.
@Suite struct PagingTests {
  private func context(_ count: Int = 10) throws -> ModelContext {
    let context = try makeEvents()
    for number in 0..<count { context.insert(Event(day: number / 2, title: "\(number)")) }
    try context.save()
    return context
  }

  private let byDay = FetchDescriptor<Event>(sortBy: [SortDescriptor(\.day, order: .reverse)])

  @Test func `pages follow each other until none is left`() throws {
    let context = try context()
    var descriptor = byDay
    descriptor.fetchLimit = 3
    var titles: [[String]] = []
    var page = try context.fetch(descriptor, after: nil)
    while let last = page.last {
      titles.append(page.map(\.title))
      page = try context.fetch(descriptor, after: last)
    }
    #expect(titles == [["9", "8", "7"], ["6", "5", "4"], ["3", "2", "1"], ["0"]])
  }

  @Test func `counts, values, sections and batches begin there as well`() throws {
    let context = try context()
    var descriptor = byDay
    descriptor.fetchAfter = try context.fetch(byDay)[5].persistentModelID
    #expect(try context.fetchCount(descriptor) == 4)
    #expect(try context.aggregate(descriptor, .max(\.day)) == 1)
    #expect(try context.fetch(descriptor, select: \.title) == ["3", "2", "1", "0"])
    #expect(try context.fetch(descriptor, batchSize: 3).map(\.title) == ["3", "2", "1", "0"])
    #expect(try context.fetch(descriptor, sectionBy: \.day).map { $0.map(\.title) } == [["3", "2"], ["1", "0"]])
    #expect(try context.exists(descriptor) && context.first(descriptor)?.title == "3")
    descriptor.fetchOffset = 1
    descriptor.fetchLimit = 2
    #expect(try context.fetch(descriptor, select: \.title) == ["2", "1"])
    #expect(try context.aggregate(descriptor, .count) == 2)
    descriptor.fetchOffset = -1
    #expect(try context.fetch(descriptor, select: \.title) == ["3", "2"])
  }

  @Test func `inserts and deletions before a page move nothing in it`() throws {
    let context = try context()
    let last = try context.fetch(byDay)[3]
    context.insert(Event(day: 99, title: "new"))
    try context.delete(model: Event.self, where: #Predicate { $0.day == 4 })
    #expect(try context.fetch(byDay, after: last).map(\.title) == ["5", "4", "3", "2", "1", "0"])
    try context.save()
    #expect(try context.fetch(byDay, after: last).map(\.title) == ["5", "4", "3", "2", "1", "0"])
  }

  @Test func `unsaved values count, and unsaved models have a place, if the fetch includes them`() throws {
    let context = try context()
    var saved = byDay
    saved.includePendingChanges = false
    let event = try #require(try context.fetch(byDay).first)
    event.day = 1
    #expect(try context.fetch(byDay, after: event).map(\.title) == ["3", "2", "1", "0"])
    #expect(try context.fetch(saved, after: event).count == 9)
    let new = Event(day: 0, title: "new")
    context.insert(new)
    #expect(try context.fetch(byDay, after: new).isEmpty)
    #expect(throws: SwiftDataError.rowNotFound) { try context.fetch(saved, after: new) }
    let draft = ModelContext(draftOf: context)
    let copy = try #require(draft.model(for: event.persistentModelID) as? Event)
    copy.day = 0
    #expect(try draft.fetch(byDay, after: copy).map(\.title) == ["1", "0", "new"])
  }

  @Test func `a deleted model has its place until the save, and then an error says what to do`() throws {
    let context = try context()
    let event = try context.fetch(byDay)[7]
    let identifier = event.persistentModelID
    context.delete(event)
    var descriptor = byDay
    descriptor.fetchAfter = identifier
    #expect(try context.fetch(descriptor).map(\.title) == ["1", "0"])
    try context.save()
    let error = #expect(throws: SwiftDataError.rowNotFound) { try context.fetch(descriptor) }
    #expect(error?.row == identifier && error?.remedy?.contains("another model") == true)
  }

  @Test func `without an order, or after a model of another type or store, there is no page`() throws {
    let context = try context()
    let event = try #require(try context.fetch(byDay).first)
    let error = #expect(throws: SwiftDataError.unsupportedSortDescriptor) {
      try context.fetch(FetchDescriptor<Event>(), after: event)
    }
    #expect(error?.remedy?.contains("persistentModelID") == true)
    let byKey = FetchDescriptor<Event>(sortBy: [SortDescriptor(\.persistentModelID)])
    #expect(try context.fetch(byKey, after: event).map(\.title) == [])
    #expect(throws: SwiftDataError.rowNotFound) { try context.fetch(byDay, after: Event(day: 0, title: "")) }
    let venue = Venue(name: "a")
    context.insert(venue)
    try context.save()
    var other = byDay
    other.fetchAfter = venue.persistentModelID
    // Its key may be that of an event.
    #expect(throws: SwiftDataError.rowNotFound) { try context.fetch(other) }
    #expect(throws: SwiftDataError.rowNotFound) { try self.context().fetch(byDay, after: event) }
  }

  @Test func `an index finds where a page begins`() throws {
    let context = try context(3_000)
    for event in try context.fetch(FetchDescriptor<Event>()) { event.stars = event.day % 5 }
    try context.save()
    func plan(_ sorts: SortDescriptor<Event>...) throws -> String {
      var descriptor = FetchDescriptor<Event>(sortBy: sorts)
      descriptor.fetchLimit = 20
      descriptor.fetchAfter = try context.fetch(descriptor).last?.persistentModelID
      let found = try context.explain(descriptor)
      #expect(found.warnings.isEmpty)
      return found.plan.map(\.detail).joined(separator: "; ")
    }
    #expect(try plan(SortDescriptor(\.day)) == "SEARCH t0 USING INDEX Event_day_index (day>?)")
    #expect(try plan(SortDescriptor(\.day, order: .reverse)) == "SEARCH t0 USING INDEX Event_day_index (day<?)")
    #expect(
      try plan(SortDescriptor(\.rank), SortDescriptor(\.date)) == "SEARCH t0 USING INDEX Event_rank_date_index "
        + "((rank,date)>(?,?))")
    let mixed = try plan(SortDescriptor(\.day), SortDescriptor(\.title, order: .reverse))
    #expect(mixed.hasPrefix("SEARCH t0 USING INDEX Event_day_index (day>?)"))
    #expect(try plan(SortDescriptor(\.stars)) == "SEARCH t0 USING INDEX Event_stars_index (stars>?)")
    func seeks(_ order: SortOrder) throws -> [String] {
      var descriptor = FetchDescriptor<Event>(sortBy: [SortDescriptor(\.stars, order: order)])
      descriptor.fetchLimit = 20
      descriptor.fetchAfter = try context.fetch(descriptor).last?.persistentModelID
      let found = try context.explain(descriptor)
      #expect(found.warnings.isEmpty)
      return found.description.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
    }
    // Descending, those without a value come at the end.
    #expect(try seeks(.reverse).filter { $0.hasPrefix("SEARCH") }.count == 3)
    #expect(try !seeks(.reverse).contains { $0.hasPrefix("SCAN t0") })
    for event in try context.fetch(FetchDescriptor<Event>()) where event.day % 2 == 0 { event.stars = nil }
    try context.save()
    #expect(try !seeks(.forward).contains { $0.hasPrefix("SCAN t0") })
  }

  @Test func `pages of a class begin after a model of a subclass`() throws {
    let configuration = ModelConfiguration(isStoredInMemoryOnly: true)
    let context = ModelContext(
      try ModelContainer(for: Trip.self, ConferenceTrip.self, PersonalTrip.self, configurations: configuration))
    for number in 0..<4 {
      context.insert(Trip(name: "t\(number)"))
      context.insert(BusinessTrip(name: "b\(number)", perDiem: Double(number)))
      context.insert(ConferenceTrip(name: "c\(number)", talks: number))
    }
    try context.save()
    let byName = FetchDescriptor<Trip>(sortBy: [SortDescriptor(\.name, order: .reverse)])
    let trip = try #require(try context.fetch(byName).first { $0.name == "c1" })
    #expect(try context.fetch(byName, after: trip).map(\.name) == ["c0", "b3", "b2", "b1", "b0"])
    let byPay = FetchDescriptor<BusinessTrip>(sortBy: [SortDescriptor(\.perDiem, order: .reverse)])
    let business = try #require(try context.fetch(byPay).first { $0.name == "b1" })
    #expect(try context.fetch(byPay, after: business).map(\.name) == ["c3", "c2", "c1", "c0", "b0"])
    var afterTrip = byPay
    afterTrip.fetchAfter = try context.fetch(byName).first?.persistentModelID
    #expect(throws: SwiftDataError.rowNotFound) { try context.fetch(afterTrip) }
  }
}
