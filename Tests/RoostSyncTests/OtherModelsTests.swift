import Foundation
import Roost
import RoostCore
import RoostEngine
import RoostSync
import SyncMerge
import SyncSimulation
import TestSupport
import Testing

/// Models of other shapes than the simulation's.
@Suite struct OtherModelsTests {
  private let folder: Folder
  private var zone = SyncZone(MemoryZone(SyncRegistry()))

  init() throws { folder = try Folder() }

  private func machine(_ site: UInt64, _ version: any VersionedSchema.Type) throws -> Machine {
    try Machine(site, version, at: folder.store("\(site)"))
  }

  private func insert<Model: PersistentModel>(_ model: Model, into machine: Machine) throws {
    let context = ModelContext(machine.container)
    context.insert(model)
    try context.save()
  }

  @Test mutating func `a list that is merged element by element may be in a file`() throws {
    let (first, second) = (try machine(1, Shelves.self), try machine(2, Shelves.self))
    let tags = (0..<60).map { "tag \($0)" }
    try insert(Shelves.Album("One", tags: tags), into: first)
    for machine in [first, second] { try machine.sync(&zone) }
    for (machine, tag) in [(first, "mine"), (second, "theirs")] {
      let context = ModelContext(machine.container)
      let album = try #require(context.fetch(FetchDescriptor<Shelves.Album>()).first)
      #expect(album.tags == tags)
      album.tags.append(tag)
      try context.save()
    }
    for _ in 0..<2 { for machine in [first, second] { try machine.sync(&zone) } }
    for machine in [first, second] {
      let album = try #require(ModelContext(machine.container).fetch(FetchDescriptor<Shelves.Album>()).first)
      #expect(Set(album.tags) == Set(tags + ["mine", "theirs"]))
    }
  }

  @Test mutating func `a value in a file that is nil by now is nil on all devices`() throws {
    let (first, second) = (try machine(1, LibraryV1.self), try machine(2, LibraryV1.self))
    let book = Book("One")
    book.scan = Data(repeating: 1, count: 1_000)
    first.context.insert(book)
    try first.context.save()
    for machine in [first, second] { try machine.sync(&zone) }
    book.scan = nil
    try first.context.save()
    let files = first.url.deletingPathExtension().appendingPathExtension("store-files")
    #expect(try FileManager.default.contentsOfDirectory(atPath: files.path).isEmpty)
    for machine in [first, second] { try machine.sync(&zone) }
    let other = try #require(ModelContext(second.container).fetch(FetchDescriptor<Book>()).first)
    #expect(other.scan == nil)
  }

  @Test mutating func `what two devices take out of a list that is in a file is in it no more`() throws {
    let (first, second) = (try machine(1, Shelves.self), try machine(2, Shelves.self))
    let tags = (0..<60).map { "tag \($0)" }
    try insert(Shelves.Album("One", tags: tags), into: first)
    for machine in [first, second] { try machine.sync(&zone) }
    for (machine, tag) in [(first, "tag 1"), (second, "tag 2")] {
      let context = ModelContext(machine.container)
      try #require(context.fetch(FetchDescriptor<Shelves.Album>()).first).tags.removeAll { $0 == tag }
      try context.save()
    }
    for _ in 0..<2 { for machine in [first, second] { try machine.sync(&zone) } }
    for machine in [first, second] {
      let album = try #require(ModelContext(machine.container).fetch(FetchDescriptor<Shelves.Album>()).first)
      #expect(Set(album.tags) == Set(tags).subtracting(["tag 1", "tag 2"]))
    }
  }

  @Test
  mutating func `a model that is below another one by now is not synced, and none of its rows is sent as a new one`()
    throws
  {
    var older = try machine(1, Dogs.self)
    try insert(Dogs.Dog("Rex"), into: older)
    try older.sync(&zone)
    // One that has rows, and one that is new.
    older = try older.reopened(random: 1, LaterDogs.self)
    let new = try machine(2, LaterDogs.self)
    for machine in [older, new] {
      #expect(throws: SyncZoneError.movedClass("Dog")) { try machine.sync(&zone) }
    }
    #expect(zone.storage.rows.count == 1)
    #expect(try ModelContext(older.container).fetch(FetchDescriptor<LaterDogs.Dog>()).map(\.name) == ["Rex"])
  }

  @Test mutating func `an older program with a model that is below another one by now does not keep later ones out`()
    throws
  {
    let later = try machine(1, LaterDogs.self)
    try insert(LaterDogs.Dog("Rex"), into: later)
    try later.sync(&zone)
    let older = try machine(2, Dogs.self)
    #expect(throws: SyncZoneError.movedClass("Dog")) { try older.sync(&zone) }
    let updated = try older.reopened(random: 1, LaterDogs.self)
    for machine in [later, updated] { try machine.sync(&zone) }
    #expect(try ModelContext(updated.container).fetch(FetchDescriptor<LaterDogs.Dog>()).map(\.name) == ["Rex"])
  }

  @Test mutating func `rows with a case that only a later program has wait for that, and no fetch fails`() throws {
    var older = try machine(1, Lamps.self)
    let later = try machine(2, LaterLamps.self)
    try insert(Lamps.Lamp("A", .red), into: older)
    for machine in [older, later] { try machine.sync(&zone) }
    let context = ModelContext(later.container)
    try #require(context.fetch(FetchDescriptor<LaterLamps.Lamp>()).first).colour = .amber
    context.insert(LaterLamps.Lamp("B", .amber))
    try context.save()
    for machine in [later, older] { try machine.sync(&zone) }
    let lamps = try ModelContext(older.container).fetch(FetchDescriptor<Lamps.Lamp>())
    #expect(lamps.map(\.name) == ["A"] && lamps.map(\.colour) == [.red])
    #expect(try older.synced.counts().isUpToDate)
    older = try older.reopened(random: 1, LaterLamps.self)
    try older.sync(&zone)
    let all = try ModelContext(older.container).fetch(FetchDescriptor<LaterLamps.Lamp>())
    #expect(Set(all.map(\.name)) == ["A", "B"] && all.allSatisfy { $0.colour == .amber })
  }

  @Test mutating func `what a migration computes replaces nothing that somebody wrote, whoever migrates later`() throws
  {
    var (first, second) = (try machine(1, People.self), try machine(2, People.self))
    try insert(People.Person("Ann"), into: first)
    for machine in [first, second] { try machine.sync(&zone) }
    first = try first.migrated(random: 1, LaterPeople.self, by: PeoplePlan.self)
    try first.sync(&zone)
    let context = ModelContext(first.container)
    let ann = FetchDescriptor<LaterPeople.Person>(predicate: #Predicate { $0.name == "Ann" })
    try #require(context.fetch(ann).first).initial = "Å"
    try context.save()
    for machine in [first, second] { try machine.sync(&zone) }
    second = try second.migrated(random: 1, LaterPeople.self, by: PeoplePlan.self)
    for machine in [second, first, second] { try machine.sync(&zone) }
    for machine in [first, second] {
      #expect(try ModelContext(machine.container).fetch(ann).map(\.initial) == ["Å"])
    }
  }

  @Test mutating func `a property's name that is given to another one by now is no other order of the server's`() throws
  {
    var (first, second) = (try machine(1, Cards.self), try machine(2, Cards.self))
    try insert(Cards.Card("One"), into: first)
    for machine in [first, second] { try machine.sync(&zone) }
    let theirs = try #require(second.all(Cards.Card.self, by: SortDescriptor(\.title)).first)
    (theirs.text, theirs.count) = ("Theirs", 2)
    try second.context.save()
    try second.sync(&zone)
    try #require(first.all(Cards.Card.self, by: SortDescriptor(\.title)).first).count += 1
    try first.context.save()
    first = try first.reopened(random: 1, LaterCards.self)
    first.now += 60_000
    for machine in [first, second, first] { try machine.sync(&zone) }
    second = try second.reopened(random: 1, LaterCards.self)
    try second.sync(&zone)
    for machine in [first, second] {
      let card = try #require(machine.all(LaterCards.Card.self, by: SortDescriptor(\.title)).first)
      #expect(card.heading == "One" && card.title.isEmpty && card.text == "Theirs" && card.count == 3)
    }
  }

  @Test mutating func `what a migration computes and inserts comes to a device that is new`() throws {
    let first = try machine(1, People.self)
    try insert(People.Person("Ann"), into: first)
    try first.sync(&zone)
    let (later, second) = (
      try first.migrated(random: 1, LaterPeople.self, by: PeoplePlan.self), try machine(2, LaterPeople.self)
    )
    for machine in [later, second] { try machine.sync(&zone) }
    let people = try second.all(LaterPeople.Person.self, by: SortDescriptor(\.name))
    #expect(people.map(\.name) == ["Ann", "Bob"] && people.map(\.initial) == ["A", nil])
  }

  @Test(arguments: [true, false])
  mutating func `delete rules of many-to-many relationships hold between devices`(isDeletionFirst: Bool) throws {
    let (first, second) = (try machine(1, Boards.self), try machine(2, Boards.self))
    let note = Boards.Note("One")
    for model in [note, Boards.Tag("kept"), Boards.Wall("north")] as [any PersistentModel] {
      try insert(model, into: first)
    }
    for machine in [first, second] { try machine.sync(&zone) }
    // The first deletes what no note has there, and the second has a note have it.
    let (context, other) = (ModelContext(first.container), ModelContext(second.container))
    for tag in try context.fetch(FetchDescriptor<Boards.Tag>()) { context.delete(tag) }
    for wall in try context.fetch(FetchDescriptor<Boards.Wall>()) { context.delete(wall) }
    try context.save()
    let seen = try #require(other.fetch(FetchDescriptor<Boards.Note>()).first)
    seen.tags = try other.fetch(FetchDescriptor<Boards.Tag>())
    let new = Boards.Note("Two")
    other.insert(new)
    new.walls = try other.fetch(FetchDescriptor<Boards.Wall>())
    try other.save()
    let order = isDeletionFirst ? [first, second, first, second] : [second, first, second, first]
    for machine in order { try machine.sync(&zone) }
    for machine in [first, second] {
      let context = ModelContext(machine.container)
      let notes = try context.fetch(FetchDescriptor<Boards.Note>())
      // No tag goes that a note has; a note goes with its wall.
      #expect(notes.map(\.name) == ["One"] && notes.first?.tags.map(\.name) == ["kept"])
      #expect(try context.fetchCount(FetchDescriptor<Boards.Wall>()) == 0 && machine.isDone(zone))
    }
  }

  @Test(arguments: [true, false])
  mutating func `rows that each device's migration made one of are one on all`(isFirstAlone: Bool) throws {
    var (first, second) = (try machine(1, Tagged.self), try machine(2, Tagged.self))
    for (machine, text) in [(first, "a"), (second, "b")] {
      let (tag, memo) = (Tagged.Tag("x"), Tagged.Memo(text))
      let context = ModelContext(machine.container)
      context.insert(tag)
      context.insert(memo)
      (memo.tag, memo.tags) = (tag, [tag])
      try context.save()
    }
    for machine in [first, second, first] { try machine.sync(&zone) }
    first = try first.migrated(random: 1, LaterTagged.self, by: TaggedPlan.self)
    if isFirstAlone { try first.sync(&zone) }
    second = try second.migrated(random: 1, LaterTagged.self, by: TaggedPlan.self)
    let third = try machine(3, LaterTagged.self)
    for machine in [second, first, third] { try machine.sync(&zone) }
    let context = ModelContext(first.container)
    let memo = LaterTagged.Memo("c")
    context.insert(memo)
    memo.tags = try context.fetch(FetchDescriptor<LaterTagged.Tag>())
    memo.tag = memo.tags.first
    try context.save()
    for _ in 0..<2 { for machine in [first, second, third] { try machine.sync(&zone) } }
    for machine in [first, second, third] {
      let context = ModelContext(machine.container)
      let memos = try context.fetch(FetchDescriptor<LaterTagged.Memo>(sortBy: [SortDescriptor(\.text)]))
      #expect(memos.map(\.text) == ["a", "b", "c"] && memos.allSatisfy { $0.tag?.name == "x" && $0.tags.count == 1 })
      #expect(try context.fetchCount(FetchDescriptor<LaterTagged.Tag>()) == 1 && machine.isDone(zone))
      #expect(try machine.synced.differences(from: zone.digest()) == [])
    }
  }

  @Test mutating func `what is moved to a row while a page tells that it is gone is there with all that is its own`()
    throws
  {
    let (first, second) = (try machine(1, Themes.self), try machine(2, Themes.self))
    let context = ModelContext(first.container)
    let topics = ["A", "B"].map { Themes.Topic($0) }
    let item = Themes.Item("one")
    for model in topics + [item, Themes.Part("p", of: item)] as [any PersistentModel] { context.insert(model) }
    item.topic = topics[0]
    try context.save()
    for machine in [first, second] { try machine.sync(&zone) }
    context.delete(topics[1])
    try context.save()
    try first.sync(&zone)
    try second.begin(&zone)
    try second.push(&zone)
    let other = ModelContext(second.container)
    let last = FetchDescriptor<Themes.Topic>(sortBy: [SortDescriptor(\.name, order: .reverse)])
    try #require(other.fetch(FetchDescriptor<Themes.Item>()).first).topic = try other.fetch(last).first
    try other.save()
    try second.pull(zone)
    #expect(try ModelContext(second.container).fetchCount(FetchDescriptor<Themes.Part>()) == 1)
    for machine in [second, first, second] { try machine.sync(&zone) }
    for machine in [first, second] {
      let parts = try ModelContext(machine.container).fetch(FetchDescriptor<Themes.Part>())
      #expect(try parts.map(\.item?.topic?.name) == ["B"] && machine.isDone(zone))
    }
  }

  @Test func `what is unique in a subclass alone cannot be synced`() throws {
    #expect(throws: SwiftDataError.invalidSchema) { try machine(1, Harbour.self) }
  }

  @Test func `numbers that the server would add up or compare wrongly cannot be synced`() throws {
    let versions: [any VersionedSchema.Type] = [Bytes.self, Prices.self, Masks.self]
    for (place, version) in versions.enumerated() {
      #expect(throws: SwiftDataError.invalidSchema) { try machine(UInt64(place + 1), version) }
    }
  }

  @Test func `what a rule cannot merge cannot be synced`() throws {
    let versions: [any VersionedSchema.Type] = [
      MergedMaps.self, MergedStructs.self, MergedWords.self, MergedBodies.self, MergedSongs.self, MergedIndexes.self,
    ]
    for (place, version) in versions.enumerated() {
      #expect(throws: SwiftDataError.invalidSchema, "\(version)") { try machine(UInt64(place + 1), version) }
    }
    _ = try machine(9, MergedSets.self)
  }

  @Test mutating func `a relationship that is of one device alone keeps its delete rule, and is not sent`() throws {
    let (first, second) = (try machine(1, Cellars.self), try machine(2, Cellars.self))
    let context = ModelContext(first.container)
    let (crate, bottle) = (Cellars.Crate(), Cellars.Bottle())
    crate.bottles = [bottle]
    context.insert(crate)
    try context.save()
    for machine in [first, second] { try machine.sync(&zone) }
    let other = ModelContext(second.container)
    #expect(try other.fetch(FetchDescriptor<Cellars.Crate>()).map(\.bottles.count) == [0])
    #expect(try other.fetchCount(FetchDescriptor<Cellars.Bottle>()) == 1)
    context.delete(crate)
    try context.save()
    #expect(try context.fetchCount(FetchDescriptor<Cellars.Bottle>()) == 0)
    for machine in [first, second] { try machine.sync(&zone) }
    #expect(try other.fetchCount(FetchDescriptor<Cellars.Bottle>()) == 0)
  }

  @Test func `rows of other devices need room beside each other in what is of one device alone`() throws {
    #expect(throws: SwiftDataError.invalidSchema) { try machine(1, Slots.self) }
    #expect(throws: SwiftDataError.invalidSchema) { try machine(1, Binders.self) }
    // The other side has it.
    #expect(throws: SwiftDataError.invalidSchema) { try machine(1, Jars.self) }
    _ = try machine(2, Labels.self)
  }

  @Test mutating func `what a row must have is not decided for none, as two devices made the row`() throws {
    let (first, second) = (try machine(1, Fleet.self), try machine(2, Fleet.self))
    try insert(Fleet.Truck("A", load: 3), into: first)
    try insert(Fleet.Truck("A", load: 5), into: second)
    for _ in 0..<3 { for machine in [first, second] { try machine.sync(&zone) } }
    let conflict = try #require(second.synced.conflicts(limit: nil).first { $0.property == "load" })
    #expect(conflict.ancestor == .null)
    #expect(throws: SwiftDataError.modelValidationFailure) {
      try second.synced.resolve(conflict.id, keeping: .ancestor)
    }
    for _ in 0..<2 { for machine in [first, second] { try machine.sync(&zone) } }
    for machine in [first, second] {
      #expect(try ModelContext(machine.container).fetch(FetchDescriptor<Fleet.Truck>()).map(\.load) == [5])
    }
  }

  @Test(arguments: [true, false])
  mutating func `a property that moves into the superclass, or down again, is the same one`(isUp: Bool) throws {
    let versions: [any VersionedSchema.Type] = isUp ? [Fleet.self, LaterFleet.self] : [LaterFleet.self, Fleet.self]
    var (first, second) = (try machine(1, versions[0]), try machine(2, versions[0]))
    func load(_ machine: Machine, _ version: Int, set load: Int? = nil) throws -> Int {
      let context = ModelContext(machine.container)
      if isUp == (version == 0) {
        let truck = try #require(context.fetch(FetchDescriptor<Fleet.Truck>()).first)
        if let load { truck.load = load }
        try context.save()
        return truck.load
      }
      let truck = try #require(context.fetch(FetchDescriptor<LaterFleet.Truck>()).first)
      if let load { truck.load = load }
      try context.save()
      return truck.load
    }
    if isUp {
      try insert(Fleet.Truck("A", load: 3), into: first)
    } else {
      try insert(LaterFleet.Truck("A", load: 3), into: first)
    }
    for machine in [first, second] { try machine.sync(&zone) }
    first = try first.reopened(random: 1, versions[1])
    try first.sync(&zone)
    // One that has not been updated goes on.
    _ = try load(second, 0, set: 5)
    try second.sync(&zone)
    second = try second.reopened(random: 1, versions[1])
    for _ in 0..<2 { for machine in [second, first] { try machine.sync(&zone) } }
    for machine in [first, second] { #expect(try load(machine, 1) == 5) }
  }

  @Test(arguments: [true, false])
  mutating func `a list that is synced on no side, or leads to a model that is not, is in nobody's way`(
    isLocal: Bool
  ) throws {
    let version: any VersionedSchema.Type = isLocal ? LocalAlbums.self : Albums.self
    let machines = try (1...2).map {
      try Machine($0, version, at: folder.store("\($0)"), unsynced: isLocal ? [] : ["Album"])
    }
    if isLocal {
      try insert(LocalAlbums.Song("Sea"), into: machines[0])
    } else {
      try insert(Albums.Song("Sea"), into: machines[0])
    }
    for machine in machines {
      try machine.sync(&zone)
      #expect(try machine.isDone(zone))
    }
    let context = ModelContext(machines[1].container)
    let names =
      try isLocal
      ? context.fetch(FetchDescriptor<LocalAlbums.Song>()).map(\.name)
      : context.fetch(FetchDescriptor<Albums.Song>()).map(\.name)
    #expect(names == ["Sea"])
  }

  @Test mutating func `two rows that were given one partner by .noAction end with one that has it`() throws {
    let (first, second) = (try machine(1, Passes.self), try machine(2, Passes.self))
    let pass = Passes.Pass()
    for name in ["A", "B"] { first.context.insert(Passes.Holder(name)) }
    first.context.insert(pass)
    try first.context.save()
    for machine in [first, second] { try machine.sync(&zone) }
    let byName = [SortDescriptor(\Passes.Holder.name)]
    for (machine, place) in [(first, 0), (second, 1)] {
      let holders = try machine.context.fetch(FetchDescriptor(sortBy: byName))
      let pass: Passes.Pass = try #require(machine.context.fetch(FetchDescriptor<Passes.Pass>()).first)
      holders[place].pass = pass
      try machine.context.save()
    }
    for _ in 0..<2 { for machine in [first, second] { try machine.sync(&zone) } }
    var shown: [[String]] = []
    for machine in [first, second] {
      let context = ModelContext(machine.container)
      let having = try context.fetch(FetchDescriptor(sortBy: byName)).filter { $0.pass != nil }
      shown.append(having.map(\.name))
      #expect(try context.fetch(FetchDescriptor<Passes.Pass>()).compactMap(\.holder?.name) == having.map(\.name))
    }
    #expect(shown[0].count == 1 && shown[0] == shown[1])
  }

  @Test mutating func `a row that becomes one of another class is of that one's class on all devices`() throws {
    let (first, second) = (try machine(1, Fleet.self), try machine(2, Fleet.self))
    try insert(Fleet.Vehicle("A"), into: first)
    try insert(Fleet.Truck("A", load: 3), into: second)
    for _ in 0..<3 { for machine in [first, second] { try machine.sync(&zone) } }
    let third = try machine(3, Fleet.self)
    try third.sync(&zone)
    for machine in [first, second, third] {
      let types = try machine.container.store.pool.read { try $0.strings("SELECT _type FROM Vehicle") }
      #expect(types == ["Vehicle"])
    }
  }
}

/// A relationship of one row to one whose deletion does nothing.
enum Passes: VersionedSchema {
  static let versionIdentifier = Schema.Version(1, 0, 0)
  static var models: [any PersistentModel.Type] { [Holder.self, Pass.self] }

  @Model final class Holder {
    var name: String
    @Relationship(deleteRule: .noAction, inverse: \Pass.holder) var pass: Pass?

    init(_ name: String) { self.name = name }
  }

  @Model final class Pass {
    @Relationship(deleteRule: .noAction) var holder: Holder?

    init() {}
  }
}

/// Classes that inherit, with a unique value.
enum Fleet: VersionedSchema {
  static let versionIdentifier = Schema.Version(1, 0, 0)
  static var models: [any PersistentModel.Type] { [Vehicle.self, Truck.self] }

  @Model class Vehicle {
    @Attribute(.unique) var code: String

    init(_ code: String) { self.code = code }
  }

  @Model final class Truck: Vehicle {
    var load: Int

    init(_ code: String, load: Int) {
      self.load = load
      super.init(code)
    }
  }
}

enum Albums: VersionedSchema {
  static let versionIdentifier = Schema.Version(1, 0, 0)
  static var models: [any PersistentModel.Type] { [Album.self, Song.self] }

  @Model final class Album {
    var songs: [Song] = []

    init() {}
  }

  @Model final class Song {
    var name: String
    @Relationship(inverse: \Album.songs) var albums: [Album] = []

    init(_ name: String) { self.name = name }
  }
}

enum LocalAlbums: VersionedSchema {
  static let versionIdentifier = Schema.Version(1, 0, 0)
  static var models: [any PersistentModel.Type] { [Album.self, Song.self] }

  @Model final class Album {
    @Attribute(.localOnly) var songs: [Song] = []

    init() {}
  }

  @Model final class Song {
    var name: String
    @Relationship(inverse: \Album.songs) var albums: [Album] = []

    init(_ name: String) { self.name = name }
  }
}

/// What a truck has is every vehicle's.
enum LaterFleet: VersionedSchema {
  static let versionIdentifier = Schema.Version(1, 0, 0)
  static var models: [any PersistentModel.Type] { [Vehicle.self, Truck.self] }

  @Model class Vehicle {
    @Attribute(.unique) var code: String
    var load = 0

    init(_ code: String, load: Int) { (self.code, self.load) = (code, load) }
  }

  @Model final class Truck: Vehicle {
    override init(_ code: String, load: Int) { super.init(code, load: load) }
  }
}

/// A class that has a constraint upon what it inherits.
enum Harbour: VersionedSchema {
  static let versionIdentifier = Schema.Version(1, 0, 0)
  static var models: [any PersistentModel.Type] { [Vessel.self, Tanker.self] }

  @Model class Vessel {
    var length: Int

    init(_ length: Int) { self.length = length }
  }

  @Model final class Tanker: Vessel {
    #Unique<Tanker>([\.length])
    var tons: Int

    init(_ length: Int, tons: Int) {
      self.tons = tons
      super.init(length)
    }
  }
}

/// Lists that may be in files.
enum Shelves: VersionedSchema {
  static let versionIdentifier = Schema.Version(1, 0, 0)
  static var models: [any PersistentModel.Type] { [Album.self] }

  @Model final class Album {
    var name: String
    @Attribute(.externalStorage, .merge(.set)) var tags: [String]

    init(_ name: String, tags: [String]) {
      self.name = name
      self.tags = tags
    }
  }
}

enum Bytes: VersionedSchema {
  static let versionIdentifier = Schema.Version(1, 0, 0)
  static var models: [any PersistentModel.Type] { [Item.self] }

  @Model final class Item {
    @Attribute(.merge(.counter)) var count: UInt8 = 0
    init() {}
  }
}

enum Prices: VersionedSchema {
  static let versionIdentifier = Schema.Version(1, 0, 0)
  static var models: [any PersistentModel.Type] { [Item.self] }

  @Model final class Item {
    @Attribute(.merge(.max)) var price: Decimal? = nil
    init() {}
  }
}

enum Masks: VersionedSchema {
  static let versionIdentifier = Schema.Version(1, 0, 0)
  static var models: [any PersistentModel.Type] { [Item.self] }

  @Model final class Item {
    @Attribute(.merge(.min)) var mask: UInt64 = 0
    init() {}
  }
}

/// A unique value that is the same for all rows of other devices.
enum Slots: VersionedSchema {
  static let versionIdentifier = Schema.Version(1, 0, 0)
  static var models: [any PersistentModel.Type] { [Item.self] }

  @Model final class Item {
    @Attribute(.unique, .localOnly) var slot = 0
    init() {}
  }
}

/// Rows that go with one of which other devices do not know that they belong to it.
enum Binders: VersionedSchema {
  static let versionIdentifier = Schema.Version(1, 0, 0)
  static var models: [any PersistentModel.Type] { [Binder.self, Sheet.self] }

  @Model final class Binder {
    @Relationship(deleteRule: .cascade, inverse: \Sheet.binder) var sheets: [Sheet] = []
    init() {}
  }

  @Model final class Sheet {
    @Attribute(.localOnly) var binder: Binder?
    init() {}
  }
}

/// Unique values that are nothing, or another one for each row.
enum Labels: VersionedSchema {
  static let versionIdentifier = Schema.Version(1, 0, 0)
  static var models: [any PersistentModel.Type] { [Item.self] }

  @Model final class Item {
    @Attribute(.unique, .localOnly) var label: String?
    @Attribute(.unique, .localOnly) var identifier = UUID()
    init() {}
  }
}

enum Cards: VersionedSchema {
  static let versionIdentifier = Schema.Version(1, 0, 0)
  static var models: [any PersistentModel.Type] { [Card.self] }

  @Model final class Card {
    var title: String
    var text = ""
    @Attribute(.merge(.counter)) var count = 0

    init(_ title: String) { self.title = title }
  }
}

enum LaterCards: VersionedSchema {
  static let versionIdentifier = Schema.Version(2, 0, 0)
  static var models: [any PersistentModel.Type] { [Card.self] }

  @Model final class Card {
    @Attribute(originalName: "title") var heading: String
    var title = ""
    var text = ""
    @Attribute(.merge(.counter)) var count = 0

    init(_ heading: String) { self.heading = heading }
  }
}

enum Lamps: VersionedSchema {
  static let versionIdentifier = Schema.Version(1, 0, 0)
  static var models: [any PersistentModel.Type] { [Lamp.self] }

  enum Colour: String, Codable { case red, green }

  @Model final class Lamp {
    var name: String
    var colour: Colour

    init(_ name: String, _ colour: Colour) {
      self.name = name
      self.colour = colour
    }
  }
}

enum LaterLamps: VersionedSchema {
  static let versionIdentifier = Schema.Version(2, 0, 0)
  static var models: [any PersistentModel.Type] { [Lamp.self] }

  enum Colour: String, Codable { case red, green, amber }

  @Model final class Lamp {
    var name: String
    var colour: Colour

    init(_ name: String, _ colour: Colour) {
      self.name = name
      self.colour = colour
    }
  }
}

enum Dogs: VersionedSchema {
  static let versionIdentifier = Schema.Version(1, 0, 0)
  static var models: [any PersistentModel.Type] { [Dog.self] }

  @Model final class Dog {
    var name: String

    init(_ name: String) { self.name = name }
  }
}

enum LaterDogs: VersionedSchema {
  static let versionIdentifier = Schema.Version(2, 0, 0)
  static var models: [any PersistentModel.Type] { [Animal.self, Dog.self] }

  @Model class Animal {
    var legs = 4

    init() {}
  }

  @Model final class Dog: Animal {
    var name: String

    init(_ name: String) {
      self.name = name
      super.init()
    }
  }
}

enum People: VersionedSchema {
  static let versionIdentifier = Schema.Version(1, 0, 0)
  static var models: [any PersistentModel.Type] { [Person.self] }

  @Model final class Person {
    var name: String

    init(_ name: String) { self.name = name }
  }
}

enum LaterPeople: VersionedSchema {
  static let versionIdentifier = Schema.Version(2, 0, 0)
  static var models: [any PersistentModel.Type] { [Person.self] }

  @Model final class Person {
    var name: String
    var initial: String?

    init(_ name: String) { self.name = name }
  }
}

enum PeoplePlan: SchemaMigrationPlan {
  static let schemas: [any VersionedSchema.Type] = [People.self, LaterPeople.self]
  static let stages: [MigrationStage] = [
    .custom(
      fromVersion: People.self, toVersion: LaterPeople.self, willMigrate: nil,
      didMigrate: { context in
        for person in try context.fetch(FetchDescriptor<LaterPeople.Person>()) {
          person.initial = String(person.name.prefix(1))
        }
        context.insert(LaterPeople.Person("Bob"))
        try context.save()
      })
  ]
}

enum Boards: VersionedSchema {
  static let versionIdentifier = Schema.Version(1, 0, 0)
  static var models: [any PersistentModel.Type] { [Note.self, Tag.self, Wall.self] }

  @Model final class Note {
    var name: String
    var tags: [Tag] = []
    var walls: [Wall] = []

    init(_ name: String) { self.name = name }
  }

  @Model final class Tag {
    var name: String
    @Relationship(deleteRule: .deny, inverse: \Note.tags) var notes: [Note] = []

    init(_ name: String) { self.name = name }
  }

  @Model final class Wall {
    var name: String
    @Relationship(deleteRule: .cascade, inverse: \Note.walls) var notes: [Note] = []

    init(_ name: String) { self.name = name }
  }
}

enum Tagged: VersionedSchema {
  static let versionIdentifier = Schema.Version(1, 0, 0)
  static var models: [any PersistentModel.Type] { [Tag.self, Memo.self] }

  @Model final class Tag {
    var name: String

    init(_ name: String) { self.name = name }
  }

  @Model final class Memo {
    var text: String
    var tag: Tag?
    var tags: [Tag] = []

    init(_ text: String) { self.text = text }
  }
}

enum LaterTagged: VersionedSchema {
  static let versionIdentifier = Schema.Version(2, 0, 0)
  static var models: [any PersistentModel.Type] { [Tag.self, Memo.self] }

  @Model final class Tag {
    @Attribute(.unique) var name: String

    init(_ name: String) { self.name = name }
  }

  @Model final class Memo {
    var text: String
    var tag: Tag?
    var tags: [Tag] = []

    init(_ text: String) { self.text = text }
  }
}

enum TaggedPlan: SchemaMigrationPlan {
  static let schemas: [any VersionedSchema.Type] = [Tagged.self, LaterTagged.self]
  static let stages: [MigrationStage] = [
    .custom(from: Tagged.self, to: LaterTagged.self, steps: [.deduplicate(by: \Tagged.Tag.name, keep: .first)])
  ]
}

enum Themes: VersionedSchema {
  static let versionIdentifier = Schema.Version(1, 0, 0)
  static var models: [any PersistentModel.Type] { [Topic.self, Item.self, Part.self] }

  @Model final class Topic {
    var name: String
    @Relationship(deleteRule: .cascade, inverse: \Item.topic) var items: [Item] = []

    init(_ name: String) { self.name = name }
  }

  @Model final class Item {
    var name: String
    var topic: Topic?
    @Relationship(deleteRule: .cascade, inverse: \Part.item) var parts: [Part] = []

    init(_ name: String) { self.name = name }
  }

  @Model final class Part {
    var name: String
    var item: Item?

    init(_ name: String, of item: Item) { (self.name, self.item) = (name, item) }
  }
}

/// A dictionary whose keys are no texts is an array in JSON.
enum MergedMaps: VersionedSchema {
  static let versionIdentifier = Schema.Version(1, 0, 0)
  static var models: [any PersistentModel.Type] { [Item.self] }

  @Model final class Item {
    @Attribute(.merge(.set)) var counts: [Int: Int] = [:]
    init() {}
  }
}

enum MergedStructs: VersionedSchema {
  static let versionIdentifier = Schema.Version(1, 0, 0)
  static var models: [any PersistentModel.Type] { [Item.self] }

  struct Score: Codable, Hashable {
    var points = 0
  }

  @Model final class Item {
    @Attribute(.merge(.orderedList)) var score = Score()
    init() {}
  }
}

/// "high" is before "low" in the alphabet.
enum MergedWords: VersionedSchema {
  static let versionIdentifier = Schema.Version(1, 0, 0)
  static var models: [any PersistentModel.Type] { [Item.self] }

  enum Level: String, Codable {
    case low, high
  }

  @Model final class Item {
    @Attribute(.merge(.max)) var level = Level.low
    init() {}
  }
}

enum MergedBodies: VersionedSchema {
  static let versionIdentifier = Schema.Version(1, 0, 0)
  static var models: [any PersistentModel.Type] { [Item.self] }

  @Model final class Item {
    @Attribute(.merge(.max)) var score = MergedStructs.Score()
    init() {}
  }
}

enum MergedSongs: VersionedSchema {
  static let versionIdentifier = Schema.Version(1, 0, 0)
  static var models: [any PersistentModel.Type] { [Item.self, Song.self] }

  @Model final class Item {
    @Attribute(.merge(.set)) var songs: [Song] = []
    init() {}
  }

  @Model final class Song {
    var item: Item?
    init() {}
  }
}

/// What element by element is merged of.
enum MergedSets: VersionedSchema {
  static let versionIdentifier = Schema.Version(1, 0, 0)
  static var models: [any PersistentModel.Type] { [Item.self] }

  @Model final class Item {
    @Attribute(.merge(.set)) var words: Set<String> = []
    @Attribute(.merge(.orderedList)) var numbers: [Int]? = nil
    init() {}
  }
}

/// Rows that only this device knows to belong to others.
enum Cellars: VersionedSchema {
  static let versionIdentifier = Schema.Version(1, 0, 0)
  static var models: [any PersistentModel.Type] { [Crate.self, Bottle.self] }

  @Model final class Crate {
    @Relationship(.localOnly, deleteRule: .cascade) var bottles: [Bottle] = []
    init() {}
  }

  @Model final class Bottle {
    var label = ""
    init() {}
  }
}

/// A set whose JSON has ranges.
enum MergedIndexes: VersionedSchema {
  static let versionIdentifier = Schema.Version(1, 0, 0)
  static var models: [any PersistentModel.Type] { [Item.self] }

  @Model final class Item {
    @Attribute(.merge(.set)) var lines = IndexSet()
    init() {}
  }
}

enum Jars: VersionedSchema {
  static let versionIdentifier = Schema.Version(1, 0, 0)
  static var models: [any PersistentModel.Type] { [Jar.self, Lid.self] }

  @Model final class Jar {
    @Relationship(.localOnly, deleteRule: .cascade, inverse: \Lid.jar) var lids: [Lid] = []
    init() {}
  }

  @Model final class Lid {
    var jar: Jar?
    init() {}
  }
}
