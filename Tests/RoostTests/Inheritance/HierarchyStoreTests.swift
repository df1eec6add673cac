import Foundation
import Roost
import RoostEngine
import Testing

/// What is in the file, and what other programs may put there.
@Suite struct HierarchyStoreTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private var configuration: ModelConfiguration { ModelConfiguration(url: folder.store) }

  private func rows(_ sql: String) throws -> [String] { try RoostTests.rows(of: folder.store, sql) }

  private func execute(_ sql: String) throws {
    let connection = try Connection(ConnectionOptions(location: .file(path: folder.store.path)))
    defer { connection.close() }
    try connection.execute(sql)
  }

  @Test func `one table has the rows of all classes, with a type column and NULL where a class has nothing`() throws {
    let context = try makeFourTrips(configuration)
    try context.save()
    #expect(
      try rows("SELECT _type, name, perDiem, talks, notes, PersonalTrip_notes FROM Trip ORDER BY _pk") == [
        "Trip|a plain||||", "BusinessTrip|b business|20.0|||", "ConferenceTrip|c conference|5.0|2||",
        "PersonalTrip|d personal||||7",
      ])
    #expect(
      try rows("SELECT name FROM sqlite_schema WHERE type = 'table' AND name LIKE '%Trip%' ORDER BY 1")
        == ["PersonalTrip_companions", "Trip"])
    #expect(
      try rows("SELECT name FROM pragma_table_info('Trip') WHERE \"notnull\" ORDER BY 1")
        == ["_type", "name", "start"])
    let keys = try rows("SELECT \"from\", \"table\" FROM pragma_foreign_key_list('Trip') ORDER BY 1")
    #expect(keys == ["badge|Badge", "client|Client", "traveler|Traveler"])
    let indexes = try rows("SELECT name FROM pragma_index_list('Trip') ORDER BY 1")
    for index in ["Trip_badge_index", "Trip_client_index", "Trip_name_index", "Trip_perDiem_index", "Trip_start_index"]
    {
      #expect(indexes.contains(index), "\(indexes)")
    }
    #expect(try rows("PRAGMA foreign_key_check") == [])
  }

  @Test func `a model that inherits from none has no type column`() throws {
    _ = try makeFourTrips(configuration)
    let columns = try rows("SELECT name FROM pragma_table_info('Stop')")
    #expect(columns == ["_pk", "place", "trip", "_trip_position"])
  }

  @Test func `a file opens again with everything in it`() throws {
    do {
      let context = try makeFourTrips(configuration)
      context.insert(Stop(place: "Oslo", trip: BusinessTrip(name: "e more", perDiem: 3)))
      try context.save()
      try context.container.close()
    }
    let context = try makeTrips(configuration)
    #expect(try context.fetch(.byName as FetchDescriptor<Trip>).map(\.name.first) == ["a", "b", "c", "d", "e"])
    #expect(try context.fetch(FetchDescriptor<Stop>()).first?.trip is BusinessTrip)
    context.insert(PersonalTrip(name: "f new"))
    try context.save()
    #expect(Set(try context.fetchIdentifiers(FetchDescriptor<Trip>()).map(\.key)) == [1, 2, 3, 4, 5, 6])
  }

  @Test func `the file knows who inherits from whom`() throws {
    let context = try makeFourTrips(configuration)
    try context.save()
    try context.container.close()
    var configuration = configuration
    configuration.storeOptions.migration.drops = .refuse
    let error = #expect(throws: SwiftDataError.self) {
      try ModelContainer(for: Orphaned.BusinessTrip.self, configurations: configuration)
    }
    #expect(error == .loadIssueModelContainer)
    let models = Set(error.map { $0.obstacles.map(\.model) } ?? [])
    #expect(models.isSuperset(of: ["ConferenceTrip", "PersonalTrip", "Trip"]))
  }

  @Test func `rows from another program are models of the class they name, the root's by default`() throws {
    let context = try makeTrips(configuration)
    try execute(
      """
      INSERT INTO Trip (name, start) VALUES ('plain', 0);
      INSERT INTO Trip (_type, name, start, perDiem, purpose, notes) VALUES ('BusinessTrip', 'x', 0, 4, 'meeting', '');
      """)
    let trips = try context.fetch(.byName as FetchDescriptor<Trip>)
    #expect(classes(trips) == ["Trip", "BusinessTrip"])
    #expect((trips.last as? BusinessTrip)?.purpose == .meeting)
  }

  @Test func `a row of a class that nobody knows is an error that names it, and hides no other`() throws {
    let context = try makeFourTrips(configuration)
    context.insert(Traveler(name: "Anna"))
    try context.save()
    try execute("INSERT INTO Trip (_pk, _type, name, start, traveler) VALUES (99, 'Odyssey', 'x', 0, 1)")
    try execute("UPDATE Trip SET traveler = 1")
    let other = ModelContext(context.container)
    for body in [
      { _ = try other.fetch(FetchDescriptor<Trip>()) }, { _ = try other.fetchIdentifiers(FetchDescriptor<Trip>()) },
    ] as [() throws -> Void] {
      let error = #expect(throws: SwiftDataError.self, performing: body)
      #expect(error == .corruptValue)
      #expect(error?.row?.key == 99)
      #expect(error?.model == "Trip")
      #expect(error.map { "\($0)".contains("Odyssey") } ?? false)
    }
    #expect(try other.fetchCount(FetchDescriptor<BusinessTrip>()) == 2)
    #expect(try other.fetch(FetchDescriptor<Trip>(predicate: #Predicate { $0.name != "x" })).count == 4)
    #expect(classes(try other.fetch(FetchDescriptor<PersonalTrip>())) == ["PersonalTrip"])
    let third = ModelContext(context.container)
    let anna = try #require(try third.fetch(FetchDescriptor<Traveler>()).first)
    #expect(Set(anna.trips.map(\.name.first)) == ["a", "b", "c", "d"])
  }

  @Test func `a row that lacks what its class must have is an error that names it`() throws {
    let context = try makeTrips(configuration)
    try execute("INSERT INTO Trip (_type, name, start) VALUES ('BusinessTrip', 'x', 0)")
    let error = #expect(throws: SwiftDataError.self) { try context.fetch(FetchDescriptor<Trip>()) }
    #expect(error == .corruptValue)
    #expect(error?.model == "BusinessTrip")
    #expect(error?.property == "perDiem")
  }

  @Test func `a row that another program gives another class is another model`() throws {
    let context = try makeFourTrips(configuration)
    try context.save()
    let trips = try context.fetch(.byName as FetchDescriptor<Trip>)
    try execute("UPDATE Trip SET _type = 'PersonalTrip' WHERE name = 'b business' OR name = 'a plain'")
    let again = try context.fetch(.byName as FetchDescriptor<Trip>)
    #expect(classes(again) == ["PersonalTrip", "PersonalTrip", "ConferenceTrip", "PersonalTrip"])
    #expect(trips[0].isDeleted && trips[1].isDeleted && !trips[2].isDeleted)
    (trips[1] as? BusinessTrip)?.perDiem = 8
    #expect(throws: SwiftDataError.modelValidationFailure) { try context.save() }
  }

  @Test func `a deletion that reaches a row of a class that nobody knows is an error that names the row`() throws {
    let context = ModelContext(
      try ModelContainer(for: Schema([Yard.self, Barge.self]), configurations: [configuration]))
    let yard = Yard()
    yard.hulls = [Hull(), Barge()]
    context.insert(yard)
    try context.save()
    try execute("UPDATE Hull SET _type = 'Raft' WHERE _pk = 2")
    context.delete(yard)
    let error = #expect(throws: SwiftDataError.self) { try context.save() }
    #expect(error == .corruptValue && error?.model == "Hull" && error?.row?.key == 2)
    #expect(error.map { "\($0)".contains("Raft") } ?? false)
  }

  @Test func `a relationship that another program made refer to the wrong class is nil`() throws {
    let context = try makeFourTrips(configuration)
    context.insert(Client(name: "C"))
    try context.save()
    try execute("UPDATE Client SET best = (SELECT _pk FROM Trip WHERE name = 'd personal')")
    let other = ModelContext(context.container)
    let client = try #require(try other.fetch(FetchDescriptor<Client>()).first)
    #expect(client.best == nil)
    let trips = try other.fetch(.byName as FetchDescriptor<Trip>)
    #expect(client.best == nil)
    #expect(trips.count == 4)
  }
}

@Model private final class Yard {
  @Relationship(deleteRule: .cascade, inverse: \Hull.yard) var hulls: [Hull] = []

  init() {}
}

@Model private class Hull {
  var yard: Yard?

  init() {}
}

@available(macOS 26, iOS 26, *)
@Model private final class Barge: Hull {
  var load = 0

  override init() { super.init() }
}

enum Orphaned {
  @Model final class BusinessTrip {
    var perDiem: Double = 0
    init() {}
  }
}
