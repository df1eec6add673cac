import Foundation
import Roost
import Testing

/// Random models of a hierarchy, random edits, and random conditions: what a fetch finds is what memory says.
@Suite struct RandomHierarchyTests {
  @Test func `fetches of every class find what evaluates to true`() throws {
    let seed = SeededRandom.seed
    print("ROOST_SEED=\(seed)")
    let folder = try TemporaryFolder()
    var walk = HierarchyWalk(SeededRandom(seed: seed), try makeTrips(ModelConfiguration(url: folder.store)))
    for step in 0..<250 {
      try walk.edit()
      try walk.check("seed \(seed), step \(step)")
      if walk.random.once(in: 20) { try walk.context.save() }
      if walk.random.once(in: 60) { try walk.reopen() }
    }
    try walk.context.save()
    #expect(try rows(of: folder.store, "PRAGMA foreign_key_check") == [])
    #expect(walk.found > 500)
  }
}

private struct HierarchyWalk {
  var random: SeededRandom
  private(set) var context: ModelContext
  /// All that are not deleted.
  private var trips: [Trip] = []
  private var travelers: [Traveler]
  private var clients: [Client]
  private var count = 0
  /// How many models the fetches found.
  private(set) var found = 0

  init(_ random: SeededRandom, _ context: ModelContext) {
    self.random = random
    self.context = context
    travelers = ["Anna", "Ben"].map { Traveler(name: $0) }
    clients = ["C", "D"].map { Client(name: $0) }
    travelers.forEach(context.insert)
    clients.forEach(context.insert)
  }

  // MARK: - Edits

  mutating func edit() throws {
    switch random.below(6) {
    case 0, 1, 2: insert()
    case 3 where !trips.isEmpty: context.delete(trips.remove(at: random.below(trips.count)))
    default: if !trips.isEmpty { change(random.pick(trips)) }
    }
  }

  private mutating func insert() {
    count += 1
    let name = String(format: "%04d", count)
    let trip: Trip =
      switch random.below(4) {
      case 0: Trip(name: name)
      case 1: BusinessTrip(name: name, perDiem: Double(random.below(5)))
      case 2: ConferenceTrip(name: name, perDiem: Double(random.below(5)), talks: random.below(3))
      default: PersonalTrip(name: name, notes: random.once(in: 2) ? random.below(3) : nil)
      }
    context.insert(trip)
    trips.append(trip)
    change(trip)
  }

  private mutating func change(_ trip: Trip) {
    if random.once(in: 2) { trip.traveler = random.once(in: 3) ? nil : random.pick(travelers) }
    if random.once(in: 3) { trip.stops.append(Stop(place: random.pick(["Oslo", "Rome"]))) }
    if let trip = trip as? BusinessTrip {
      if random.once(in: 2) { trip.client = random.once(in: 3) ? nil : random.pick(clients) }
      if random.once(in: 2) { trip.perDiem = Double(random.below(5)) }
      if random.once(in: 2) { trip.purpose = random.pick([.meeting, .other]) }
    }
    if let trip = trip as? ConferenceTrip, random.once(in: 3) { trip.badge = Badge(number: random.below(3)) }
    if let trip = trip as? PersonalTrip, random.once(in: 3) { trip.companions = random.once(in: 2) ? travelers : [] }
  }

  /// Goes on with what the file has, in a context of its own.
  mutating func reopen() throws {
    try context.save()
    let names = trips.map { "\(type(of: $0)) \($0.name) \($0.traveler?.name ?? "") \($0.stops.count)" }.sorted()
    context = ModelContext(context.container)
    trips = try context.fetch(FetchDescriptor<Trip>())
    travelers = try context.fetch(FetchDescriptor<Traveler>())
    clients = try context.fetch(FetchDescriptor<Client>())
    #expect(
      trips.map { "\(type(of: $0)) \($0.name) \($0.traveler?.name ?? "") \($0.stops.count)" }.sorted() == names)
  }

  // MARK: - Checks

  mutating func check(_ note: String) throws {
    let predicate = condition(depth: random.below(3))
    try check(predicate, \.name, note)
    let number = Double(random.below(5))
    try check(
      #Predicate<BusinessTrip> { $0.perDiem >= number || $0.client?.name == "D" || $0.stops.count == 2 }, \.name, note)
    let talks = random.below(3)
    try check(#Predicate<ConferenceTrip> { $0.talks == talks && $0.perDiem < number }, \.name, note)
    try check(
      #Predicate<PersonalTrip> { $0.companions.contains { $0.name == "Ben" } || $0.notes == talks }, \.name, note)
    for traveler in travelers {
      let expected = Set(trips.filter { $0.traveler === traveler }.map(ObjectIdentifier.init))
      #expect(Set(traveler.trips.map(ObjectIdentifier.init)) == expected, "\(note): members of \(traveler.name)")
    }
  }

  private mutating func check<T: PersistentModel>(
    _ predicate: Predicate<T>, _ name: any KeyPath<T, String> & Sendable, _ note: String
  ) throws {
    let expected = try trips.compactMap { ($0 as AnyObject) as? T }.filter { try predicate.evaluate($0) }
      .sorted { $0[keyPath: name] < $1[keyPath: name] }
    let descriptor = FetchDescriptor<T>(predicate: predicate, sortBy: [SortDescriptor(name)])
    let models = try context.fetch(descriptor)
    found += models.count
    #expect(models.map { $0[keyPath: name] } == expected.map { $0[keyPath: name] }, "\(note): \(predicate)")
    #expect(zip(models, expected).allSatisfy { $0 === $1 }, "\(note): other instances")
    #expect(try context.fetchCount(descriptor) == expected.count, "\(note)")
    #expect(try context.fetchIdentifiers(descriptor) == expected.map(\.persistentModelID), "\(note)")
  }

  private mutating func condition(depth: Int) -> Predicate<Trip> {
    if depth > 0 {
      let (one, other) = (condition(depth: depth - 1), condition(depth: depth - 1))
      switch random.below(3) {
      case 0: return Predicate(all: [one, other])
      case 1: return Predicate(any: [one, other])
      default: return #Predicate<Trip> { !one.evaluate($0) }
      }
    }
    let number = random.below(5)
    let real = Double(number)
    let name = random.pick(["Anna", "Ben"])
    switch random.below(10) {
    case 0: return #Predicate<Trip> { $0 is BusinessTrip }
    case 1: return #Predicate<Trip> { $0 is PersonalTrip }
    case 2: return #Predicate<Trip> { ($0 as? BusinessTrip)?.perDiem ?? 0 > real }
    case 3: return #Predicate<Trip> { if let trip = $0 as? ConferenceTrip { trip.talks < number } else { false } }
    case 4: return #Predicate<Trip> { ($0 as? PersonalTrip)?.notes == number }
    case 5: return #Predicate<Trip> { $0.traveler?.name == name }
    case 6: return #Predicate<Trip> { $0.stops.contains { $0.place == "Oslo" } }
    case 7: return #Predicate<Trip> { ($0 as? BusinessTrip)?.client?.name == "C" }
    case 8: return #Predicate<Trip> { $0 is ConferenceTrip && ($0 as! BusinessTrip).perDiem == real }
    default: return #Predicate<Trip> { ($0 as? ConferenceTrip)?.badge?.number != number }
    }
  }
}
