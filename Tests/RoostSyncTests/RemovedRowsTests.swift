import Foundation
import Roost
import RoostCore
import RoostSync
import SyncMerge
import SyncSimulation
import TestSupport
import Testing

/// What goes on a device as others have deleted it, and what does not.
@Suite struct RemovedRowsTests {
  private let folder: Folder
  private var zone = SyncZone(MemoryZone(SyncRegistry()))

  init() throws { folder = try Folder() }

  private func machines(_ version: any VersionedSchema.Type = Clubs.self) throws -> (first: Machine, second: Machine) {
    (try Machine(1, version, at: folder.store("1")), try Machine(2, version, at: folder.store("2")))
  }

  private mutating func sync(_ machines: Machine..., pageLimit: Int = 3) throws {
    for _ in 0..<2 { for machine in machines { try machine.sync(&zone, pageLimit: pageLimit) } }
    for machine in machines { #expect(try machine.synced.counts().isUpToDate) }
  }

  private func count<Model: PersistentModel>(_: Model.Type, _ machine: Machine) throws -> Int {
    try ModelContext(machine.container).fetchCount(FetchDescriptor<Model>())
  }

  @Test mutating func `rows that keep each other go together`() throws {
    let (first, second) = try machines()
    let (team, player) = (Clubs.Team("T"), Clubs.Player("P"))
    first.context.insert(team)
    first.context.insert(player)
    (team.captain, player.team) = (player, team)
    let person = Clubs.Person("A")
    let company = Clubs.Company(founder: person)
    first.context.insert(company)
    person.employer = company
    let (other, kept) = (Clubs.Team("other"), Clubs.Player("kept"))
    first.context.insert(other)
    first.context.insert(kept)
    kept.team = other
    try first.context.save()
    try sync(first, second)
    #expect(try count(Clubs.Team.self, second) == 2 && count(Clubs.Company.self, second) == 1)
    for model in [team, player, company, person] as [any PersistentModel] { first.context.delete(model) }
    try first.context.save()
    try sync(first, second)
    for machine in [first, second] {
      let teams = try ModelContext(machine.container).fetch(FetchDescriptor<Clubs.Team>())
      #expect(teams.map(\.name) == ["other"] && teams.first?.players.map(\.name) == ["kept"])
      #expect(try count(Clubs.Company.self, machine) == 0 && count(Clubs.Person.self, machine) == 0)
    }
  }

  @Test mutating func `a row comes whose unique value one here has that goes with it, with an edit not sent yet`()
    throws
  {
    let (first, second) = try machines(LibraryV1.self)
    first.context.insert(Author("a1"))
    try first.context.save()
    try sync(first, second)
    second.context.delete(try #require(try second.context.fetch(FetchDescriptor<Author>()).first))
    second.context.insert(Author("a2"))
    try second.context.save()
    try second.sync(&zone, pageLimit: 3)
    try #require(try first.context.fetch(FetchDescriptor<Author>()).first).name = "a2"
    try first.context.save()
    try first.pull(zone)
    #expect(try first.synced.counts().collected == 0)
    try sync(first, second)
    for machine in [first, second] {
      #expect(try ModelContext(machine.container).fetch(FetchDescriptor<Author>()).map(\.name) == ["a2"])
    }
  }

  @Test mutating func `a row stays that another device links to rows which keep it, whichever class comes first`()
    throws
  {
    let (first, second) = try machines(Fleets.self)
    let (anchor, buoy) = (Fleets.Anchor("A"), Fleets.Buoy("B"))
    let (cable, dock) = (Fleets.Cable("C"), Fleets.Dock("D"))
    for model in [anchor, buoy, cable, dock] as [any PersistentModel] { first.context.insert(model) }
    try first.context.save()
    try sync(first, second)
    let context = second.context
    try #require(try context.fetch(FetchDescriptor<Fleets.Anchor>()).first).buoys = context.fetch(FetchDescriptor())
    try #require(try context.fetch(FetchDescriptor<Fleets.Dock>()).first).cables = context.fetch(FetchDescriptor())
    try context.save()
    // Neither has anything that keeps it as yet.
    for model in [anchor, dock] as [any PersistentModel] { first.context.delete(model) }
    try first.context.save()
    try sync(first, second)
    for machine in [first, second] {
      let context = ModelContext(machine.container)
      #expect(try context.fetch(FetchDescriptor<Fleets.Anchor>()).map { $0.buoys.map(\.name) } == [["B"]])
      #expect(try context.fetch(FetchDescriptor<Fleets.Dock>()).map { $0.cables.map(\.name) } == [["C"]])
    }
  }

  @Test(arguments: [true, false])
  mutating func `a row that never lets go refers to the one that comes back on all devices`(isRefused: Bool) throws {
    let (first, second) = try machines(Harbours.self)
    let (third, fourth) = (
      try Machine(3, Harbours.self, at: folder.store("3")), try Machine(4, Harbours.self, at: folder.store("4"))
    )
    let (topic, ship) = (Harbours.Topic("A"), Harbours.Ship("S"))
    first.context.insert(topic)
    first.context.insert(ship)
    ship.topic = topic
    try first.context.save()
    try sync(first, second, third)
    first.context.delete(topic)
    try first.context.save()
    try #require(try third.context.fetch(FetchDescriptor<Harbours.Topic>()).first).name = "B"
    try third.context.save()
    if isRefused { try third.sync(&zone) } else { for machine in [first, second, fourth] { try machine.sync(&zone) } }
    try sync(third, first, second, fourth)
    for machine in [first, second, third, fourth] {
      let ships = try ModelContext(machine.container).fetch(FetchDescriptor<Harbours.Ship>())
      #expect(ships.map { $0.topic?.name } == ["B"], "\(machine.url.lastPathComponent)")
    }
  }

  @Test mutating func `what comes while a deletion is on its way refers to the row that turns out to stay`() throws {
    let (first, second) = try machines(Harbours.self)
    let (topic, port) = (Harbours.Topic("A"), Harbours.Port("P"))
    first.context.insert(topic)
    first.context.insert(port)
    try first.context.save()
    try sync(first, second)
    let context = second.context
    context.insert(Harbours.Review(try #require(try context.fetch(FetchDescriptor<Harbours.Topic>()).first)))
    context.insert(Harbours.Crane(try #require(try context.fetch(FetchDescriptor<Harbours.Port>()).first)))
    try #require(try context.fetch(FetchDescriptor<Harbours.Topic>()).first).name = "B"
    try context.save()
    try second.sync(&zone)
    for model in [topic, port] as [any PersistentModel] { first.context.delete(model) }
    try first.context.save()
    try first.synced.noteChanges(now: first.now)
    // The page was asked for before.
    try first.pull(zone)
    try sync(first, second)
    for machine in [first, second] {
      let context = ModelContext(machine.container)
      #expect(try context.fetch(FetchDescriptor<Harbours.Review>()).map { $0.topic?.name } == ["B"])
      #expect(try context.fetch(FetchDescriptor<Harbours.Crane>()).map { $0.port?.name } == ["P"])
    }
  }

  @Test mutating func `a new row waits for one that others edited, and that this device has deleted`() throws {
    let (first, second) = try machines(Fleets.self)
    let (anchor, dock) = (Fleets.Anchor("A"), Fleets.Dock("D"))
    for model in [anchor, dock] as [any PersistentModel] { first.context.insert(model) }
    try first.context.save()
    try sync(first, second)
    let context = second.context
    let (buoy, cable) = (Fleets.Buoy("B"), Fleets.Cable("C"))
    for model in [buoy, cable] as [any PersistentModel] { context.insert(model) }
    buoy.anchors = try context.fetch(FetchDescriptor())
    cable.docks = try context.fetch(FetchDescriptor())
    for anchor in buoy.anchors { anchor.name = "A2" }
    for dock in cable.docks { dock.name = "D2" }
    try context.save()
    try second.sync(&zone)
    for model in [anchor, dock] as [any PersistentModel] { first.context.delete(model) }
    try first.context.save()
    try first.synced.noteChanges(now: first.now)
    // The page was asked for before, and has them all.
    try first.pull(zone, limit: 100)
    try sync(first, second)
    for machine in [first, second] {
      let context = ModelContext(machine.container)
      let (buoys, cables) = try (
        context.fetch(FetchDescriptor<Fleets.Buoy>()), context.fetch(FetchDescriptor<Fleets.Cable>())
      )
      #expect(buoys.map { $0.anchors.map(\.name) } == [["A2"]] && cables.map { $0.docks.map(\.name) } == [["D2"]])
    }
  }

  @Test mutating func `a list has the order that it got while its rows were noted for the first time`() throws {
    let (first, second) = try machines()
    let player = Clubs.Player("P")
    first.context.insert(player)
    player.captainOf = (0..<450).map { Clubs.Team("\($0)") }
    try first.context.save()
    // History has nothing of them. Some of the teams are noted, and their captain is not.
    try first.context.deleteHistory(HistoryDescriptor<DefaultHistoryTransaction>())
    try first.begin(&zone)
    player.captainOf.reverse()
    let names = player.captainOf.map(\.name)
    try first.context.save()
    try sync(first, second, pageLimit: 1_000)
    let shown = try #require(ModelContext(second.container).fetch(FetchDescriptor<Clubs.Player>()).first)
    #expect(names.first == "449" && shown.captainOf.map(\.name) == names)
  }

  @Test mutating func `rows go that take each other along and are more than SQLite follows`() throws {
    let (first, second) = try machines()
    var revisions = [Clubs.Revision()]
    for _ in 0..<1_050 {
      revisions.append(Clubs.Revision())
      revisions[revisions.count - 1].older = revisions[revisions.count - 2]
    }
    for revision in revisions { first.context.insert(revision) }
    try first.context.save()
    try sync(first, second, pageLimit: 5_000)
    #expect(try count(Clubs.Revision.self, second) == revisions.count)
    first.context.delete(revisions[revisions.count - 1])
    try first.context.save()
    #expect(try count(Clubs.Revision.self, first) == 0)
    try sync(first, second, pageLimit: 5_000)
    #expect(try count(Clubs.Revision.self, second) == 0)
  }

  /// Two devices that have a topic, of which edits win over deletions; the second one's program has left it out since.
  private mutating func leavingOut() throws -> (first: Machine, second: Machine) {
    let (first, second) = try machines()
    first.context.insert(Clubs.Score(10))
    first.context.insert(Clubs.Topic())
    try first.context.save()
    try sync(first, second)
    let leaving = try second.reopened(random: 1, unsynced: ["Topic", "Score"])
    try leaving.sync(&zone)
    return (first, leaving)
  }

  @Test(arguments: [true, false])
  mutating func `what is sent again brings no row back that others have deleted`(isDeletedFirst: Bool) throws {
    let (first, leaving) = try leavingOut()
    first.context.delete(try #require(first.context.fetch(FetchDescriptor<Clubs.Topic>()).first))
    try first.context.save()
    if isDeletedFirst { try first.sync(&zone) }
    let second = try leaving.reopened(random: 1)
    try second.sync(&zone)
    try sync(first, second)
    for machine in [first, second] { #expect(try count(Clubs.Topic.self, machine) == 0) }
  }

  @Test mutating func `what is sent again is no larger value than one that others have set since`() throws {
    let (first, leaving) = try leavingOut()
    try #require(first.context.fetch(FetchDescriptor<Clubs.Score>()).first).best = 3
    try first.context.save()
    try first.sync(&zone)
    let second = try leaving.reopened(random: 1)
    try sync(second, first)
    for machine in [first, second] {
      #expect(try ModelContext(machine.container).fetch(FetchDescriptor<Clubs.Score>()).map(\.best) == [3])
    }
  }

  @Test mutating func `rows of a model that is left out are still those that the account has once others are removed`()
    throws
  {
    let (first, leaving) = try leavingOut()
    try leaving.synced.discardRows()
    try leaving.sync(&zone)
    let second = try leaving.reopened(random: 1)
    try sync(second, first)
    for machine in [first, second] {
      #expect(try count(Clubs.Topic.self, machine) == 1 && count(Clubs.Score.self, machine) == 1)
    }
  }

  @Test func `rows of an account go, however many of them go with each other in a chain`() throws {
    let machine = try Machine(1, at: folder.store("1"))
    var last: LibraryV1.Box?
    for number in 0..<1_500 {
      let box = LibraryV1.Box("\(number)")
      machine.context.insert(box)
      box.below = last
      last = box
    }
    try machine.context.save()
    try machine.synced.discardRows()
    #expect(try count(LibraryV1.Box.self, machine) == 0)
  }

  @Test mutating func `what is unique in a new class is nothing in rows of others`() throws {
    let first = try Machine(1, Garages.self, at: folder.store("1"))
    for name in ["A", "B"] { first.context.insert(Garages.Bike(name)) }
    try first.context.save()
    try first.sync(&zone)
    let second = try Machine(2, LaterGarages.self, at: folder.store("2"))
    try sync(second)
    #expect(try count(LaterGarages.Bike.self, second) == 2)
  }
}

private enum Clubs: VersionedSchema {
  static let versionIdentifier = Schema.Version(1, 0, 0)
  static var models: [any PersistentModel.Type] {
    [Team.self, Player.self, Company.self, Person.self, Revision.self, Topic.self, Score.self]
  }

  @Model final class Team {
    var name: String
    @Relationship(deleteRule: .deny, inverse: \Player.team) var players: [Player] = []
    var captain: Player?
    init(_ name: String) { self.name = name }
  }

  @Model final class Player {
    var name: String
    var team: Team?
    @Relationship(deleteRule: .deny, inverse: \Team.captain) var captainOf: [Team] = []
    init(_ name: String) { self.name = name }
  }

  @Model final class Company {
    var founder: Person
    @Relationship(deleteRule: .deny, inverse: \Person.employer) var employees: [Person] = []
    init(founder: Person) { self.founder = founder }
  }

  @Model final class Person {
    var name: String
    var employer: Company?
    @Relationship(inverse: \Company.founder) var founded: [Company] = []
    init(_ name: String) { self.name = name }
  }

  /// Edits of it win over deletions.
  @Model final class Topic {
    var name = "Sea"
    init() {}
  }

  @Model final class Score {
    @Attribute(.merge(.max)) var best: Int
    init(_ best: Int) { self.best = best }
  }

  @Model final class Revision {
    @Relationship(deleteRule: .cascade, inverse: \Revision.newer) var older: Revision?
    var newer: Revision?
    init() {}
  }
}

private enum Garages: VersionedSchema {
  static let versionIdentifier = Schema.Version(1, 0, 0)
  static var models: [any PersistentModel.Type] { [Vehicle.self, Bike.self] }

  @Model class Vehicle {
    var name: String
    init(_ name: String) { self.name = name }
  }

  @Model final class Bike: Vehicle {
    var gears = 1
    override init(_ name: String) { super.init(name) }
  }
}

private enum LaterGarages: VersionedSchema {
  static let versionIdentifier = Schema.Version(2, 0, 0)
  static var models: [any PersistentModel.Type] { [Vehicle.self, Bike.self, Car.self] }

  @Model class Vehicle {
    var name: String
    init(_ name: String) { self.name = name }
  }

  @Model final class Bike: Vehicle {
    var gears = 1
    override init(_ name: String) { super.init(name) }
  }

  @Model final class Car: Vehicle {
    @Attribute(.unique) var plate = ""
    override init(_ name: String) { super.init(name) }
  }
}

private enum Harbours: VersionedSchema {
  static let versionIdentifier = Schema.Version(1, 0, 0)
  static var models: [any PersistentModel.Type] {
    [Topic.self, Ship.self, Review.self, Port.self, Crane.self]
  }

  /// Edits of it win over deletions.
  @Model final class Topic {
    var name: String
    @Relationship(deleteRule: .noAction, inverse: \Ship.topic) var ships: [Ship] = []
    init(_ name: String) { self.name = name }
  }

  @Model final class Ship {
    var name: String
    var topic: Topic?
    init(_ name: String) { self.name = name }
  }

  @Model final class Review {
    var topic: Topic?
    init(_ topic: Topic) { self.topic = topic }
  }

  @Model final class Port {
    var name: String
    @Relationship(deleteRule: .deny, inverse: \Crane.port) var cranes: [Crane] = []
    init(_ name: String) { self.name = name }
  }

  @Model final class Crane {
    var port: Port?
    init(_ port: Port) { self.port = port }
  }
}

private enum Fleets: VersionedSchema {
  static let versionIdentifier = Schema.Version(1, 0, 0)
  static var models: [any PersistentModel.Type] { [Anchor.self, Buoy.self, Cable.self, Dock.self] }

  @Model final class Anchor {
    var name: String
    @Relationship(deleteRule: .deny, inverse: \Buoy.anchors) var buoys: [Buoy] = []
    init(_ name: String) { self.name = name }
  }

  @Model final class Buoy {
    var name: String
    var anchors: [Anchor] = []
    init(_ name: String) { self.name = name }
  }

  @Model final class Cable {
    var name: String
    var docks: [Dock] = []
    init(_ name: String) { self.name = name }
  }

  @Model final class Dock {
    var name: String
    @Relationship(deleteRule: .deny, inverse: \Cable.docks) var cables: [Cable] = []
    init(_ name: String) { self.name = name }
  }
}
