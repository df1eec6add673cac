import Foundation
import Roost
import Testing

/// What a fetch finds, through a context and a store.
@Suite struct FetchBehaviourTests {
  private let context: ModelContext

  init() throws {
    context = ModelContext(
      try ModelContainer(for: Subject.self, configurations: ModelConfiguration(isStoredInMemoryOnly: true)))
    let owner = Owner()
    owner.name = "O"
    for number in 1...4 {
      let subject = Subject()
      context.insert(subject)
      subject.number = number
      subject.small = number % 2
      subject.text = ["a", "é", "B", "e\u{301}"][number - 1]
      subject.uuid = UUID(uuid: (UInt8(number), 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))
      subject.date = Date(timeIntervalSinceReferenceDate: Double(number))
      subject.url = try #require(URL(string: "https://a.org/\(number)"))
      if number > 2 { subject.owner = owner }
    }
    try context.save()
  }

  private func numbers(
    _ predicate: Predicate<Subject>?, _ order: [SortDescriptor<Subject>] = [SortDescriptor(\.number)]
  ) throws -> [Int] {
    let descriptor = FetchDescriptor(predicate: predicate, sortBy: order)
    let found = try context.fetch(descriptor).map(\.number)
    #expect(try context.fetchCount(descriptor) == found.count)
    #expect(try context.fetchIdentifiers(descriptor).count == found.count)
    return found
  }

  @Test func `without a predicate all are found, and without a match none`() throws {
    #expect(try numbers(nil) == [1, 2, 3, 4])
    #expect(try numbers(#Predicate { $0.number > 9 }) == [])
    #expect(try numbers(#Predicate { _ in true }) == [1, 2, 3, 4])
    #expect(try numbers(#Predicate { _ in false }) == [])
  }

  @Test func `sort descriptors apply in turn`() throws {
    #expect(try numbers(nil, [SortDescriptor(\.small), SortDescriptor(\.number, order: .reverse)]) == [4, 2, 3, 1])
    #expect(
      try numbers(nil, [SortDescriptor(\.text, comparator: .lexical, order: .reverse), SortDescriptor(\.number)])
        == [2, 4, 1, 3])
    #expect(try numbers(nil, [SortDescriptor(\.owner?.name), SortDescriptor(\.number)]) == [1, 2, 3, 4])
  }

  @Test func `identifiers, dates and addresses compare`() throws {
    let uuid = UUID(uuid: (2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))
    #expect(try numbers(#Predicate { $0.uuid == uuid }) == [2])
    let date = Date(timeIntervalSinceReferenceDate: 2)
    #expect(try numbers(#Predicate { $0.date > date }) == [3, 4])
    let url = try #require(URL(string: "https://a.org/3"))
    #expect(try numbers(#Predicate { $0.url == url }) == [3])
  }

  @Test func `optionals are chained, mapped and given a default`() throws {
    #expect(try numbers(#Predicate { $0.owner?.name == "O" }) == [3, 4])
    #expect(try numbers(#Predicate { $0.owner.flatMap { $0.nickname } == nil }) == [1, 2, 3, 4])
    #expect(try numbers(#Predicate { ($0.owner?.name ?? "none") == "none" }) == [1, 2])
    #expect(try numbers(#Predicate { $0.extras?.isEmpty ?? false }) == [1, 2, 3, 4])
    #expect(
      try numbers(
        #Predicate { subject in
          subject.owner?.subjects.contains { other in other.number < subject.number } ?? false
        }) == [4])
  }

  @Test func `a binding that is nil ends a chain whose next one reads another row`() throws {
    let context = try makeEvents()
    let (hall, yard) = (Venue(name: "hall"), Venue(name: "yard"))
    yard.city = "Rome"
    let events = ["both", "one"].map { Event(day: 0, title: $0) }
    for event in events {
      context.insert(event)
      event.other = yard
    }
    events[0].venue = hall
    try context.save()
    let predicate = #Predicate<Event> {
      if let venue = $0.venue, let city = $0.other?.city { venue.city == nil && city == "Rome" } else { false }
    }
    #expect(try events.filter { try predicate.evaluate($0) }.map(\.title) == ["both"])
    #expect(try context.fetch(FetchDescriptor(predicate: predicate)).map(\.title) == ["both"])
  }

  @Test func `strings mean what Swift means`() throws {
    #expect(try numbers(#Predicate { $0.text == "é" }) == [2, 4])
    #expect(try numbers(#Predicate { $0.text.localizedStandardContains("E") }) == [2, 4])
    #expect(try numbers(#Predicate { $0.text < "b" }) == [1, 3])
    #expect(try numbers(#Predicate { $0.text.contains(/[A-Z]/) }) == [3])
  }

  @Test func `predicates and expressions run inside predicates`() throws {
    let late = #Predicate<Subject> { $0.number > 2 }
    let double = #Expression<Subject, Int> { $0.number * 2 }
    #expect(try numbers(#Predicate { late.evaluate($0) && double.evaluate($0) < 8 }) == [3])
    #expect(try numbers(!late || .comparing(\.number, .equal, 4)) == [1, 2, 4])
  }

  @Test func `pending changes count unless they are excluded`() throws {
    let all = try context.fetch(FetchDescriptor<Subject>(sortBy: [SortDescriptor(\.number)]))
    all[0].number = 10
    context.delete(all[1])
    var descriptor = FetchDescriptor<Subject>(sortBy: [SortDescriptor(\.number)])
    #expect(try context.fetchIdentifiers(descriptor).count == 3)
    #expect(try context.fetch(descriptor, batchSize: 2).map(\.number) == [3, 4, 10])
    descriptor.includePendingChanges = false
    #expect(try context.fetchCount(descriptor) == 4)
  }

  @Test func `a model that is to be deleted is gone from relationships without an inverse`() throws {
    let context = try makeEvents()
    let event = Event(day: 1, title: "a")
    context.insert(event)
    event.other = Venue(name: "hall")
    try context.save()
    let deleting = ModelContext(context.container)
    try deleting.delete(model: Venue.self)
    var homeless = FetchDescriptor<Event>(predicate: #Predicate { $0.other == nil })
    #expect(try deleting.fetch(homeless).map(\.other) == [nil])
    homeless.includePendingChanges = false
    #expect(try deleting.fetchCount(homeless) == 0)
    try deleting.save()
    #expect(try deleting.fetchCount(homeless) == 1)
  }

  @Test func `a model that is to be deleted is gone from lists without an inverse`() throws {
    let container = try ModelContainer(
      for: Routes.Flight.self, configurations: ModelConfiguration(isStoredInMemoryOnly: true))
    let context = ModelContext(container)
    let flight = Routes.Flight("LH1", price: 1, seats: 2, gate: nil, city: nil)
    context.insert(flight)
    flight.stops = [Routes.City("Rome", 3), Routes.City("Oslo", 1)]
    try context.save()
    let deleting = ModelContext(container)
    let small = #Predicate<Routes.City> { $0.population < 2 }
    try deleting.delete(model: Routes.City.self, where: small)
    let once = FetchDescriptor<Routes.Flight>(predicate: #Predicate { $0.stops.count == 1 })
    #expect(try deleting.fetch(once).map(\.stops.count) == [1])
    #expect(try deleting.fetch(FetchDescriptor<Routes.Flight>(), select: .count(\.stops)) == [1])
    try deleting.delete(model: Routes.City.self)
    #expect(try deleting.fetchCount(FetchDescriptor<Routes.Flight>(predicate: #Predicate { $0.stops.isEmpty })) == 1)
  }

  @Test func `what cannot be translated is named before anything runs`() throws {
    #expect(throws: SwiftDataError.unsupportedPredicate) { try numbers(#Predicate { $0.url.path == "" }) }
    #expect(throws: SwiftDataError.unsupportedKeyPath) { try numbers(nil, [SortDescriptor(\.text.count)]) }
    #expect(throws: SwiftDataError.unsupportedSortDescriptor) { try numbers(nil, [SortDescriptor(named: "place")]) }
  }
}
