import Foundation
import Roost
import RoostCore
import RoostEngine
import RoostSync
import SyncMerge
import SyncSimulation
import TestSupport
import Testing

/// Properties that are new to a program, or that a version of it does without or does not sync.
@Suite struct UnseenFieldsTests {
  private let folder: Folder
  private var zone = SyncZone(MemoryZone(SyncRegistry()))

  init() throws { folder = try Folder() }

  private func insert(_ models: [any PersistentModel], into machine: Machine) throws {
    for model in models { machine.context.insert(model) }
    try machine.context.save()
  }

  private func note(_ machine: Machine) throws -> SyncedDrafts.Note {
    try #require(try machine.all(SyncedDrafts.Note.self, by: SortDescriptor(\.text)).first)
  }

  private func tally(_ machine: Machine) throws -> Tallies.Tally {
    try #require(try machine.all(Tallies.Tally.self, by: SortDescriptor(\.count)).first)
  }

  /// Two devices with one note, one of them with a version of the program that does without its colour.
  private mutating func begin(_ version: any VersionedSchema.Type, colour: String?) throws -> (Machine, Machine) {
    let first = try Machine(1, SyncedDrafts.self, at: folder.store("first"))
    let second = try Machine(2, SyncedDrafts.self, at: folder.store("second"))
    try insert([SyncedDrafts.Note("A")], into: first)
    try note(first).colour = colour
    try first.context.save()
    for machine in [first, second] { try machine.sync(&zone) }
    return (try first.reopened(random: 1, version), second)
  }

  /// The colours that both end with.
  private mutating func end(_ machines: [Machine]) throws -> [String] {
    for _ in 0..<2 { for machine in machines { try machine.sync(&zone) } }
    return try machines.map { machine in
      try machine.container.store.pool.read { connection in
        try connection.strings("SELECT ifnull(colour, 'none') FROM Note").joined(separator: " ")
      }
    }
  }

  @Test(arguments: WithoutProperty.allCases)
  mutating func `an edit of a property that the program was without has not seen what others wrote of it`(
    way: WithoutProperty
  ) throws {
    var (first, second) = try begin(way == .dropped ? Drafts.self : LaterDrafts.self, colour: nil)
    try note(second).colour = "theirs"
    try second.context.save()
    for machine in [second, first] { try machine.sync(&zone) }
    first = try first.reopened(random: 1, SyncedDrafts.self)
    try note(first).colour = "mine"
    try first.context.save()
    let colours = try end([first, second])
    #expect(colours[0] == colours[1])
    let conflicts = try first.synced.conflicts(limit: nil)
    #expect(conflicts.map(\.local) == [.text("mine")] && conflicts.map(\.remote) == [.text("theirs")])
  }

  @Test mutating func `what is counted before the first session with a counter again comes to what others counted`()
    throws
  {
    var first = try Machine(1, Tallies.self, at: folder.store("first"))
    let second = try Machine(2, Tallies.self, at: folder.store("second"))
    try insert([Tallies.Tally(50)], into: first)
    for machine in [first, second] { try machine.sync(&zone) }
    first = try first.reopened(random: 1, LocalTallies.self)
    try tally(second).count += 5
    try second.context.save()
    for machine in [second, first] { try machine.sync(&zone) }
    first = try first.reopened(random: 1, Tallies.self)
    try tally(first).count += 1
    try first.context.save()
    for _ in 0..<2 { for machine in [first, second] { try machine.sync(&zone) } }
    for machine in [first, second] { #expect(try tally(machine).count == 56) }
  }

  @Test
  mutating func `what people write in a property is sent, though the version that did not sync it had no session`()
    throws
  {
    var (first, second) = try begin(LaterDrafts.self, colour: "old")
    try #require(try first.all(LaterDrafts.Note.self, by: SortDescriptor(\.text)).first).colour = "mine"
    let other = LaterDrafts.Note("B")
    other.colour = "new"
    try insert([other], into: first)
    try first.synced.noteChanges(now: first.now)
    first = try first.reopened(random: 1, SyncedDrafts.self)
    #expect(try end([first, second]) == ["mine new", "mine new"])
  }

  @Test mutating func `a property that is renamed as it comes to be synced again has what people wrote in it`() throws {
    var (first, second) = try begin(LaterDrafts.self, colour: "old")
    try first.sync(&zone)
    try #require(try first.all(LaterDrafts.Note.self, by: SortDescriptor(\.text)).first).colour = "mine"
    try first.context.save()
    try first.sync(&zone)
    first = try first.reopened(random: 1, TintedDrafts.self)
    for _ in 0..<2 { for machine in [first, second] { try machine.sync(&zone) } }
    #expect(try note(second).colour == "mine")
    #expect(try first.all(TintedDrafts.Note.self, by: SortDescriptor(\.text)).map(\.tint) == ["mine"])
  }

  @Test mutating func `a value that was not sent is not, where people have taken it back while it was not synced`()
    throws
  {
    var (first, second) = try begin(SyncedDrafts.self, colour: nil)
    try note(first).colour = "mine"
    try first.context.save()
    try first.synced.noteChanges(now: first.now)
    first = try first.reopened(random: 1, LaterDrafts.self)
    try #require(try first.all(LaterDrafts.Note.self, by: SortDescriptor(\.text)).first).colour = nil
    try first.context.save()
    try first.synced.noteChanges(now: first.now)
    first = try first.reopened(random: 1, SyncedDrafts.self)
    #expect(try end([first, second]) == ["none", "none"])
  }

  @Test mutating func `what a row that waited had in a property is not overwritten once that is synced again`() throws {
    var first = try Machine(1, Paints.self, at: folder.store("first"))
    let second = try Machine(2, SyncedPaints.self, at: folder.store("second"))
    let paint = SyncedPaints.Paint("old")
    try insert([paint], into: second)
    for machine in [second, first] { try machine.sync(&zone) }
    (paint.colour, paint.kind) = ("new", .oil)
    try second.context.save()
    try insert([SyncedPaints.Paint("other")], into: second)
    for machine in [second, first] { try machine.sync(&zone) }
    #expect(try first.all(Paints.Paint.self, by: SortDescriptor(\.colour)).map(\.colour) == ["old", "other"])
    for version in [LocalPaints.self, SyncedPaints.self] as [any VersionedSchema.Type] {
      first = try first.reopened(random: 1, version)
      for _ in 0..<2 { for machine in [first, second] { try machine.sync(&zone) } }
    }
    for machine in [first, second] {
      #expect(try machine.all(SyncedPaints.Paint.self, by: SortDescriptor(\.colour)).map(\.colour) == ["new", "other"])
    }
  }

  @Test
  mutating func `an edit of a row that waits for a later program has not seen what others wrote of a new property`()
    throws
  {
    var first = try Machine(1, PlainPaints.self, at: folder.store("first"))
    let second = try Machine(2, SyncedPaints.self, at: folder.store("second"))
    let paint = SyncedPaints.Paint("theirs")
    try insert([paint], into: second)
    for machine in [second, first] { try machine.sync(&zone) }
    paint.kind = .oil
    try second.context.save()
    first = try first.reopened(random: 1, Paints.self)
    for machine in [second, first] { try machine.sync(&zone) }
    #expect(try first.synced.counts().collected == 0)
    try #require(try first.all(Paints.Paint.self, by: SortDescriptor(\.colour)).first).colour = "mine"
    try first.context.save()
    for machine in [first, second] { try machine.sync(&zone) }
    #expect(try first.synced.conflicts(limit: nil).map(\.remote) == [.text("theirs")])
  }

  @Test mutating func `what others wrote of a property stays where a device gets it with a model that it did not sync`()
    throws
  {
    var first = try Machine(1, Drafts.self, at: folder.store("first"))
    let second = try Machine(2, SyncedDrafts.self, at: folder.store("second"))
    try insert([SyncedDrafts.Note("A")], into: second)
    try note(second).colour = "theirs"
    try second.context.save()
    for machine in [second, first] { try machine.sync(&zone) }
    first = try first.reopened(random: 1, unsynced: ["Note"])
    try first.sync(&zone)
    first = try first.reopened(random: 1, SyncedDrafts.self)
    #expect(try end([first, second]) == ["theirs", "theirs"])
  }

  @Test
  mutating func `what people write upon what was synced is sent, also by a version that has something new to fetch`()
    throws
  {
    var (first, second) = try begin(SyncedDrafts.self, colour: nil)
    try note(second).colour = "old"
    try second.context.save()
    for machine in [second, first] { try machine.sync(&zone) }
    first = try first.reopened(random: 1, LocalRatedDrafts.self)
    try first.sync(&zone)
    try #require(try first.all(LocalRatedDrafts.Note.self, by: SortDescriptor(\.text)).first).colour = "mine"
    try first.context.save()
    try first.sync(&zone)
    first = try first.reopened(random: 1, RatedDrafts.self)
    #expect(try end([first, second]) == ["mine", "mine"])
    #expect(try first.synced.conflicts(limit: nil).isEmpty)
  }

  @Test
  mutating func `a set that comes to be synced has what it had, also where it is edited before the first session`()
    throws
  {
    var first = try Machine(1, LocalTags.self, at: folder.store("first"))
    let second = try Machine(2, SyncedTags.self, at: folder.store("second"))
    try insert([LocalTags.Item("A")], into: first)
    for machine in [first, second] { try machine.sync(&zone) }
    try #require(try first.all(LocalTags.Item.self, by: SortDescriptor(\.name)).first).tags = ["a", "b"]
    try first.context.save()
    try first.sync(&zone)
    func item(_ machine: Machine) throws -> SyncedTags.Item {
      try #require(try machine.all(SyncedTags.Item.self, by: SortDescriptor(\.name)).first)
    }
    try item(second).tags = ["x"]
    try second.context.save()
    try second.sync(&zone)
    first = try first.reopened(random: 1, SyncedTags.self)
    try item(first).tags.append("c")
    try first.context.save()
    for _ in 0..<2 { for machine in [first, second] { try machine.sync(&zone) } }
    for machine in [first, second] { #expect(try Set(item(machine).tags) == ["a", "b", "c", "x"]) }
  }

  @Test mutating func `all that people wrote is noted before a page shows what others wrote`() throws {
    var first = try Machine(1, SyncedDrafts.self, at: folder.store("first"))
    let second = try Machine(2, SyncedDrafts.self, at: folder.store("second"))
    try insert((10..<30).map { SyncedDrafts.Note("\($0)") }, into: first)
    for note in try first.all(SyncedDrafts.Note.self, by: SortDescriptor(\.text)) { note.colour = "old" }
    try first.context.save()
    for machine in [first, second] { try machine.sync(&zone) }
    first = try first.reopened(random: 1, LaterDrafts.self)
    try first.sync(&zone)
    for note in try first.all(LaterDrafts.Note.self, by: SortDescriptor(\.text)) { note.colour = "mine" }
    try first.context.save()
    try first.sync(&zone)
    first = try first.reopened(random: 1, SyncedDrafts.self)
    try first.begin(&zone)
    try first.pull(zone, limit: 100)
    let all = String(repeating: "mine ", count: 19) + "mine"
    #expect(try end([first, second]) == [all, all])
  }

  @Test mutating func `a counter that comes to be synced counts once, though rows are looked at from the start again`()
    throws
  {
    var first = try Machine(1, LocalTallies.self, at: folder.store("first"))
    let second = try Machine(2, Tallies.self, at: folder.store("second"))
    try insert((10..<30).map { LocalTallies.Tally($0) }, into: first)
    for machine in [first, second] { try machine.sync(&zone) }
    first = try first.reopened(random: 1, Tallies.self)
    try first.begin(&zone)
    let push = try #require(try first.synced.nextPush(identity: 1, now: first.now))
    try first.synced.receive(try zone.take(push, now: first.now), now: first.now)
    // What is written behind its back is not in history any more.
    try insert([Tallies.Tally(30)], into: first)
    try first.context.deleteHistory(HistoryDescriptor<DefaultHistoryTransaction>())
    for _ in 0..<2 { for machine in [first, second] { try machine.sync(&zone) } }
    for machine in [first, second] {
      #expect(try machine.all(Tallies.Tally.self, by: SortDescriptor(\.count)).map(\.count) == Array(10...30))
    }
  }

  @Test mutating func `a counter that was not synced for a while counts once`() throws {
    var machines = try [1, 2].map { try Machine($0, Tallies.self, at: folder.store("\($0)")) }
    try insert([Tallies.Tally(50)], into: machines[0])
    for machine in machines { try machine.sync(&zone) }
    for version in [LocalTallies.self, Tallies.self] as [any VersionedSchema.Type] {
      for place in 0..<2 { machines[place] = try machines[place].reopened(random: 1, version) }
      for _ in 0..<2 { for machine in machines { try machine.sync(&zone) } }
    }
    for machine in machines {
      #expect(try machine.all(Tallies.Tally.self, by: SortDescriptor(\.count)).map(\.count) == [50])
    }
  }

  @Test mutating func `a set that comes to be synced has what it had on each device`() throws {
    var machines = try [1, 2].map { try Machine($0, LocalTags.self, at: folder.store("\($0)")) }
    try insert([LocalTags.Item("A")], into: machines[0])
    for machine in machines { try machine.sync(&zone) }
    for (machine, tag) in zip(machines, ["red", "blue"]) {
      try #require(try machine.all(LocalTags.Item.self, by: SortDescriptor(\.name)).first).tags = [tag]
      try machine.context.save()
      try machine.sync(&zone)
    }
    for place in 0..<2 { machines[place] = try machines[place].reopened(random: 1, SyncedTags.self) }
    for _ in 0..<2 { for machine in machines { try machine.sync(&zone) } }
    for machine in machines {
      let items = try machine.all(SyncedTags.Item.self, by: SortDescriptor(\.name))
      #expect(items.map { Set($0.tags) } == [["red", "blue"]])
    }
  }

  @Test(arguments: [true, false])
  mutating func `of what people wrote before a property was synced the values that give way are conflicts`(
    hasMigration: Bool
  ) throws {
    var machines = try [1, 2].map { try Machine($0, LaterDrafts.self, at: folder.store("\($0)")) }
    try insert([LaterDrafts.Note("A")], into: machines[0])
    for machine in machines { try machine.sync(&zone) }
    for (machine, colour) in zip(machines, ["red", "blue"]) {
      try #require(try machine.all(LaterDrafts.Note.self, by: SortDescriptor(\.text)).first).colour = colour
      try machine.context.save()
    }
    for machine in machines { try machine.sync(&zone) }
    for place in 0..<2 {
      machines[place] = try machines[place].reopened(random: 1, hasMigration ? RatedDrafts.self : SyncedDrafts.self)
    }
    for _ in 0..<2 { for machine in machines { try machine.sync(&zone) } }
    let colours = try machines.map { machine in
      try machine.container.store.pool.read { try $0.strings("SELECT coalesce(colour, 'none') FROM Note") }
    }
    #expect(colours[0] == colours[1] && colours[0] != ["none"])
    let conflicts = try machines.flatMap { try $0.synced.conflicts(limit: nil) }
    #expect(conflicts.map(\.property) == ["colour"])
  }

  /// How a version of the program does without a property.
  enum WithoutProperty: CaseIterable { case localOnly, dropped }

  @Test(arguments: WithoutProperty.allCases)
  mutating func `what others wrote of a property while a program did without it is shown once it has it again`(
    way: WithoutProperty
  ) throws {
    var first = try Machine(1, SyncedDrafts.self, at: folder.store("first"))
    let second = try Machine(2, SyncedDrafts.self, at: folder.store("second"))
    func note(_ machine: Machine) throws -> SyncedDrafts.Note {
      try #require(try machine.all(SyncedDrafts.Note.self, by: SortDescriptor(\.text)).first)
    }
    try insert([SyncedDrafts.Note("A")], into: first)
    try note(first).colour = "old"
    try first.context.save()
    for machine in [first, second] { try machine.sync(&zone) }
    first = try first.reopened(random: 1, way == .dropped ? Drafts.self : LaterDrafts.self)
    try first.sync(&zone)
    try note(second).colour = "new"
    try second.context.save()
    for machine in [second, first] { try machine.sync(&zone) }
    first = try first.reopened(random: 1, SyncedDrafts.self)
    for _ in 0..<2 { for machine in [first, second] { try machine.sync(&zone) } }
    for machine in [first, second] { #expect(try note(machine).colour == "new") }
  }

  @Test(arguments: [false, true])
  mutating func `what people write while a property is not synced is sent once it is again, unless others have set it`(
    hasOther: Bool
  ) throws {
    var first = try Machine(1, SyncedDrafts.self, at: folder.store("first"))
    let second = try Machine(2, SyncedDrafts.self, at: folder.store("second"))
    func note(_ machine: Machine) throws -> SyncedDrafts.Note {
      try #require(try machine.all(SyncedDrafts.Note.self, by: SortDescriptor(\.text)).first)
    }
    try insert([SyncedDrafts.Note("A")], into: first)
    for machine in [first, second] { try machine.sync(&zone) }
    try note(second).colour = "old"
    try second.context.save()
    for machine in [second, first] { try machine.sync(&zone) }
    first = try first.reopened(random: 1, LaterDrafts.self)
    try first.sync(&zone)
    try #require(try first.all(LaterDrafts.Note.self, by: SortDescriptor(\.text)).first).colour = "mine"
    try first.context.save()
    if hasOther { try note(second).colour = "new" }
    try second.context.save()
    for machine in [second, first] { try machine.sync(&zone) }
    first = try first.reopened(random: 1, SyncedDrafts.self)
    for _ in 0..<2 { for machine in [first, second] { try machine.sync(&zone) } }
    for machine in [first, second] { #expect(try note(machine).colour == (hasOther ? "new" : "mine")) }
    #expect(try first.synced.conflicts(limit: nil).map(\.outcome) == (hasOther ? [.remote] : []))
  }

  @Test mutating func `a counter counts once also where the server was put back while it was not synced`() throws {
    var machines = try [1, 2].map { try Machine($0, Tallies.self, at: folder.store("\($0)")) }
    try insert([Tallies.Tally(50)], into: machines[0])
    for machine in machines { try machine.sync(&zone) }
    let backup = zone
    try insert([Tallies.Tally(7)], into: machines[1])
    for machine in machines + machines { try machine.sync(&zone) }
    zone = backup
    for version in [LocalTallies.self, Tallies.self] as [any VersionedSchema.Type] {
      for place in 0..<2 { machines[place] = try machines[place].reopened(random: 1, version) }
      for _ in 0..<3 { for machine in machines { try machine.sync(&zone) } }
    }
    for machine in machines {
      #expect(try machine.all(Tallies.Tally.self, by: SortDescriptor(\.count)).map(\.count) == [7, 50])
    }
  }

  @Test(arguments: [false, true])
  mutating func `a largest value that is reached while it is not synced is sent, or in the journal`(hasOther: Bool)
    throws
  {
    var first = try Machine(1, Tallies.self, at: folder.store("first"))
    let second = try Machine(2, Tallies.self, at: folder.store("second"))
    let tally = Tallies.Tally(0)
    tally.best = 100
    try insert([tally], into: first)
    for machine in [first, second] { try machine.sync(&zone) }
    first = try first.reopened(random: 1, LocalTallies.self)
    try first.sync(&zone)
    try #require(try first.all(LocalTallies.Tally.self, by: SortDescriptor(\.best)).first).best = 150
    try first.context.save()
    if hasOther { try #require(try second.all(Tallies.Tally.self, by: SortDescriptor(\.best)).first).best = 120 }
    try second.context.save()
    for machine in [second, first] { try machine.sync(&zone) }
    first = try first.reopened(random: 1, Tallies.self)
    for _ in 0..<2 { for machine in [first, second] { try machine.sync(&zone) } }
    for machine in [first, second] {
      let best = try machine.all(Tallies.Tally.self, by: SortDescriptor(\.best)).map(\.best)
      #expect(best == [hasOther ? 120 : 150])
    }
    #expect(try first.synced.conflicts(limit: nil).map(\.local) == (hasOther ? [.integer(150)] : []))
  }

  @Test mutating func `what others counted while a program did not sync the counter is counted`() throws {
    var first = try Machine(1, Tallies.self, at: folder.store("first"))
    let second = try Machine(2, Tallies.self, at: folder.store("second"))
    try insert([Tallies.Tally(50)], into: first)
    for machine in [first, second] { try machine.sync(&zone) }
    first = try first.reopened(random: 1, LocalTallies.self)
    try first.sync(&zone)
    try #require(try second.all(Tallies.Tally.self, by: SortDescriptor(\.count)).first).count += 10
    try second.context.save()
    for machine in [second, first] { try machine.sync(&zone) }
    first = try first.reopened(random: 1, Tallies.self)
    for _ in 0..<2 { for machine in [first, second] { try machine.sync(&zone) } }
    for machine in [first, second] {
      #expect(try machine.all(Tallies.Tally.self, by: SortDescriptor(\.count)).map(\.count) == [60])
    }
  }
}

enum Tallies: VersionedSchema {
  static let versionIdentifier = Schema.Version(1, 0, 0)
  static var models: [any PersistentModel.Type] { [Tally.self] }

  @Model final class Tally {
    @Attribute(.merge(.counter)) var count = 0
    @Attribute(.merge(.max)) var best = 0

    init(_ count: Int) { self.count = count }
  }
}

enum LocalTallies: VersionedSchema {
  static let versionIdentifier = Schema.Version(1, 0, 0)
  static var models: [any PersistentModel.Type] { [Tally.self] }

  @Model final class Tally {
    @Attribute(.localOnly) var count = 0
    @Attribute(.localOnly) var best = 0

    init(_ count: Int) { self.count = count }
  }
}

enum LocalTags: VersionedSchema {
  static let versionIdentifier = Schema.Version(1, 0, 0)
  static var models: [any PersistentModel.Type] { [Item.self] }

  @Model final class Item {
    var name: String
    @Attribute(.localOnly) var tags: [String] = []

    init(_ name: String) { self.name = name }
  }
}

enum SyncedTags: VersionedSchema {
  static let versionIdentifier = Schema.Version(1, 0, 0)
  static var models: [any PersistentModel.Type] { [Item.self] }

  @Model final class Item {
    var name: String
    @Attribute(.merge(.set)) var tags: [String] = []

    init(_ name: String) { self.name = name }
  }
}

/// The same with another property synced.
enum SyncedDrafts: VersionedSchema {
  static let versionIdentifier = Schema.Version(3, 0, 0)
  static var models: [any PersistentModel.Type] { [Note.self, Drafts.Draft.self] }

  @Model final class Note {
    var text: String
    var colour: String?

    init(_ text: String) { self.text = text }
  }
}

enum RatedDrafts: VersionedSchema {
  static let versionIdentifier = Schema.Version(4, 0, 0)
  static var models: [any PersistentModel.Type] { [Note.self, Drafts.Draft.self] }

  @Model final class Note {
    var text: String
    var colour: String?
    var stars = 0

    init(_ text: String) { self.text = text }
  }
}

enum TintedDrafts: VersionedSchema {
  static let versionIdentifier = Schema.Version(4, 0, 0)
  static var models: [any PersistentModel.Type] { [Note.self, Drafts.Draft.self] }

  @Model final class Note {
    var text: String
    @Attribute(originalName: "colour") var tint: String?

    init(_ text: String) { self.text = text }
  }
}

enum Paints: VersionedSchema {
  static let versionIdentifier = Schema.Version(1, 0, 0)
  static var models: [any PersistentModel.Type] { [Paint.self] }

  enum Kind: String, Codable { case water }

  @Model final class Paint {
    var colour: String?
    var kind = Kind.water

    init(_ colour: String) { self.colour = colour }
  }
}

enum LocalPaints: VersionedSchema {
  static let versionIdentifier = Schema.Version(1, 0, 0)
  static var models: [any PersistentModel.Type] { [Paint.self] }

  enum Kind: String, Codable { case water, oil }

  @Model final class Paint {
    @Attribute(.localOnly) var colour: String?
    var kind = Kind.water

    init(_ colour: String) { self.colour = colour }
  }
}

enum SyncedPaints: VersionedSchema {
  static let versionIdentifier = Schema.Version(1, 0, 0)
  static var models: [any PersistentModel.Type] { [Paint.self] }

  enum Kind: String, Codable { case water, oil }

  @Model final class Paint {
    var colour: String?
    var kind = Kind.water

    init(_ colour: String) { self.colour = colour }
  }
}

enum LocalRatedDrafts: VersionedSchema {
  static let versionIdentifier = Schema.Version(4, 0, 0)
  static var models: [any PersistentModel.Type] { [Note.self, Drafts.Draft.self] }

  @Model final class Note {
    var text: String
    @Attribute(.localOnly) var colour: String?
    var stars = 0

    init(_ text: String) { self.text = text }
  }
}

enum PlainPaints: VersionedSchema {
  static let versionIdentifier = Schema.Version(1, 0, 0)
  static var models: [any PersistentModel.Type] { [Paint.self] }

  enum Kind: String, Codable { case water }

  @Model final class Paint {
    var kind = Kind.water

    init() {}
  }
}
