import Foundation
import Roost
import RoostTesting
import Testing

/// Orders by what related models make together.
@Suite struct RelatedSortTests {
  private let context: ModelContext

  init() throws {
    context = try makeEvents()
    for (name, days) in [("one", [7]), ("none", []), ("three", [1, 2, 3]), ("two", [9, 1])] {
      let venue = Venue(name: name)
      context.insert(venue)
      for day in days {
        let event = Event(day: day, title: name)
        context.insert(event)
        event.venue = venue
      }
    }
    try context.save()
  }

  private func names(_ sorts: SortDescriptor<Venue>...) throws -> [String] {
    try context.fetch(FetchDescriptor<Venue>(sortBy: sorts)).map(\.name)
  }

  @Test func `the number of related models is an order`() throws {
    #expect(try names(SortDescriptor(\.events.count)) == ["none", "one", "two", "three"])
    #expect(try names(SortDescriptor(\.events, .count, order: .reverse)) == ["three", "two", "one", "none"])
    #expect(
      try context.fetch(FetchDescriptor<Venue>(sortBy: [SortDescriptor(\.name)]), select: \.events.count) == [
        0, 1, 3, 2,
      ])
    let labels = try ModelContext(
      ModelContainer(for: Subject.self, configurations: ModelConfiguration(isStoredInMemoryOnly: true)))
    let subjects = [Subject(), Subject()]
    subjects.forEach(labels.insert)
    subjects[0].extras = [Label()]
    let byExtras = FetchDescriptor<Subject>(sortBy: [SortDescriptor(\.extras?.count, order: .reverse)])
    #expect(try labels.fetch(byExtras) == subjects)
  }

  @Test func `sums, means and extremes of related models are orders`() throws {
    #expect(try names(SortDescriptor(\.events, .sum(\.day))) == ["none", "three", "one", "two"])
    #expect(try names(SortDescriptor(\.events, .average(\.day), order: .reverse)) == ["one", "two", "three", "none"])
    #expect(try names(SortDescriptor(\.events, .max(\.day))) == ["none", "three", "one", "two"])
    #expect(
      try names(SortDescriptor(\.events, .min(\.day)), SortDescriptor(\.name, order: .reverse))
        == ["none", "two", "three", "one"])
  }

  @Test func `what changes, and is not saved, counts`() throws {
    let none = try #require(
      try context.fetch(FetchDescriptor<Venue>(predicate: #Predicate { $0.name == "none" })).first)
    for day in 0..<4 {
      let event = Event(day: day, title: "new")
      context.insert(event)
      event.venue = none
    }
    #expect(try names(SortDescriptor(\.events.count, order: .reverse)).first == "none")
  }

  @Test func `one statement sorts, and no related model is made`() throws {
    let other = ModelContext(context.container)
    let byCount = FetchDescriptor<Venue>(sortBy: [SortDescriptor(\.events, .count)])
    #expect(try other.fetch(byCount).count == 4)
    #expect(other.liveModelCount == 0)
    #expect(try other.explain(byCount).indexes == ["Event_venue_index"])
  }

  @Test func `equal orders are equal descriptors`() {
    let count = SortDescriptor(\Venue.events, .count)
    #expect(count == SortDescriptor(\Venue.events, .count))
    #expect(count != SortDescriptor(\Venue.events, .count, order: .reverse))
    #expect(SortDescriptor(\Venue.events, .sum(\.day)) == SortDescriptor(\Venue.events, .sum(\.day)))
    #expect(SortDescriptor(\Venue.events, .sum(\.day)) != SortDescriptor(\Venue.events, .sum(\.rank)))
    #expect(SortDescriptor(\Venue.events, .min(\.day)) != SortDescriptor(\Venue.events, .max(\.day)))
  }

  @Test func `what else a list or a relationship has is refused`() throws {
    #expect(throws: SwiftDataError.unsupportedKeyPath) { try names(SortDescriptor(\.events.capacity)) }
    #expect(throws: SwiftDataError.unsupportedKeyPath) { try names(SortDescriptor(\.events, .max(\.title.count))) }
  }

  @Test func `the database sorts as the descriptors do in memory`() throws {
    let seed = SeededRandom.seed
    print("ROOST_SEED=\(seed) related orders")
    var random = SeededRandom(seed: seed)
    for round in 0..<10 {
      let context = try makeEvents()
      let venues = (0..<12).map { _ in Venue(&random) }
      venues.forEach(context.insert)
      for _ in 0..<30 {
        let event = Event(&random)
        context.insert(event)
        event.venue = random.once(in: 5) ? nil : random.pick(venues)
        event.other = random.once(in: 5) ? nil : random.pick(venues)
        if random.once(in: 10) { try context.save() }
      }
      for order in [SortOrder.forward, .reverse] {
        func expect<Model: PersistentModel>(_ name: String, _ descriptor: SortDescriptor<Model>) throws {
          let key = SortDescriptor((\Model.persistentModelID), order: order)
          let found = try context.fetch(FetchDescriptor<Model>(sortBy: [descriptor]))
          #expect(
            found == found.shuffled(using: &random).sorted(using: [descriptor, key]), "\(name), seed \(seed), \(round)")
        }
        try expect("count", SortDescriptor(\Venue.events.count, order: order))
        try expect("related count", SortDescriptor(\Venue.events, .count, order: order))
        try expect("distinct", SortDescriptor(\Venue.events, .countDistinct(\.subtitle), order: order))
        try expect("distinct models", SortDescriptor(\Venue.events, .countDistinct(\.other), order: order))
        try expect("sum", SortDescriptor(\Venue.events, .sum(\.day), order: order))
        try expect("optional sum", SortDescriptor(\Venue.events, .sum(\.stars), order: order))
        try expect("decimal sum", SortDescriptor(\Venue.events, .sum(\.price), order: order))
        try expect("mean", SortDescriptor(\Venue.events, .average(\.stars), order: order))
        try expect("decimal mean", SortDescriptor(\Venue.events, .average(\.price), order: order))
        try expect("least text", SortDescriptor(\Venue.events, .min(\.title), order: order))
        try expect("least date", SortDescriptor(\Venue.events, .min(\.date), order: order))
        try expect("greatest number", SortDescriptor(\Venue.events, .max(\.maybeBig), order: order))
        try expect("greatest of others", SortDescriptor(\Venue.events, .max(\.other?.seats), order: order))
        try expect("through a model", SortDescriptor(\Event.venue?.events, .count, order: order))
        try expect("sum through a model", SortDescriptor(\Event.venue?.events, .sum(\.rank), order: order))
      }
    }
  }
}
