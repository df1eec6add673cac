import Foundation
import Roost
import RoostCore
import RoostSQL
import RoostSync
import SyncMerge
import SyncServer
import SyncSimulation
import TestSupport
import Testing

@Model private final class Gauge {
  @Attribute(.merge(.custom)) var level: Double = 0
  @Attribute(.unique, .merge(.custom)) var name: String
  init(_ name: String) { self.name = name }
}

/// Values in files that a row must have.
enum Scans: VersionedSchema {
  static let versionIdentifier = Schema.Version(1, 0, 0)
  static var models: [any PersistentModel.Type] { [Page.self] }

  @Model final class Page {
    @Attribute(.externalStorage) var scan: Data

    init(_ scan: Data) { self.scan = scan }
  }
}

/// What becomes of conflicts on the device that met them.
@Suite struct JournalTests {
  private let libraries: SyncedLibraries
  private var folder: Folder { libraries.folder }
  private var server: SyncServer { libraries.server }

  init() throws { libraries = try SyncedLibraries { $0.remote } }

  private func container(_ name: String) throws -> ModelContainer { try libraries.container(name) }

  @Test func `a row that this device deleted while another edited it stays so, or is brought back as the other's`()
    async throws
  {
    let (first, second) = (try container("first"), try container("second"))
    let (context, other) = (ModelContext(first), ModelContext(second))
    context.insert(Topic("Sea"))
    try context.save()
    try await first.sync?.now()
    try await second.sync?.now()
    first.sync?.pause()
    context.delete(try #require(context.fetch(FetchDescriptor<Topic>()).first))
    try context.save()
    try #require(other.fetch(FetchDescriptor<Topic>()).first).motto = "Ahoy"
    try other.save()
    for container in [second, first] { try await container.sync?.now() }
    let sync = try #require(first.sync)
    let conflict = try #require(sync.conflicts().first { $0.property == nil })
    #expect(conflict.outcome == .local)
    try sync.resolve(conflict, keeping: .local)
    for container in [first, second] {
      try await container.sync?.now()
      #expect(try ModelContext(container).fetchCount(FetchDescriptor<Topic>()) == 0)
    }
    try sync.resolve(conflict, keeping: .remote)
    for container in [first, second] { try await container.sync?.now() }
    for container in [first, second] {
      #expect(try ModelContext(container).fetch(FetchDescriptor<Topic>()).map(\.motto) == ["Ahoy"])
    }
  }

  @Test func `a program makes conflicts, versions and a status for its tests and previews`() throws {
    let conflict = SyncConflictEntry(
      id: 1, model: "Book", property: "title", local: .text("Mine"), remote: .text("Theirs"), outcome: .open)
    #expect(try #Predicate<SyncConflictEntry> { $0.model == "Book" && !$0.isResolved }.evaluate(conflict))
    // Nothing says what it is of.
    #expect(conflict.versions(of: \Book.title) == nil)
    #expect(SyncVersions(ancestor: nil, remote: 1, local: 2).local == 2)
    let status = SyncStatus(phase: .waiting, error: .noToken("Nobody is signed in."), waitingChanges: 3)
    #expect(status.problem?.contains("resume()") == true && status.waitingRows == 0)
  }

  @Test func `conflicts that the server does not see are told too, once, and those of places in lists are not`() throws
  {
    var zone = SyncZone(MemoryZone(SyncRegistry()))
    let (first, second) = (try Machine(1, at: folder.store("first")), try Machine(2, at: folder.store("second")))
    let author = Author("Ann")
    author.books = [Book("One"), Book("Two")]
    first.context.insert(author)
    try first.context.save()
    for machine in [first, second] { try machine.sync(&zone) }
    for machine in [second, first] {
      let author = try #require(machine.all(Author.self, by: SortDescriptor(\.name)).first)
      author.country = "\(machine.url.lastPathComponent)"
      author.books.reverse()
      try machine.context.save()
    }
    try second.sync(&zone)
    try first.synced.noteChanges(now: first.now)
    #expect(first.synced.takeNewConflicts() == 0)
    try first.pull(zone)
    #expect(try first.synced.conflicts(limit: nil).map(\.property) == ["country"])
    #expect(first.synced.takeNewConflicts() == 1 && first.synced.takeNewConflicts() == 0)
  }

  @Test func `what a value in a file was before is not known, and nothing is taken for it`() throws {
    var zone = SyncZone(MemoryZone(SyncRegistry()))
    let machines = try ([1, 2] as [UInt64]).map { try Machine($0, Scans.self, at: folder.store("\($0)")) }
    func page(_ machine: Machine) throws -> Scans.Page {
      try #require(machine.context.fetch(FetchDescriptor<Scans.Page>()).first)
    }
    machines[0].context.insert(Scans.Page(Data(repeating: 0, count: 500)))
    try machines[0].context.save()
    for machine in machines { try machine.sync(&zone) }
    for (number, machine) in machines.enumerated() {
      try page(machine).scan = Data(repeating: UInt8(number + 1), count: 500)
      try machine.context.save()
    }
    for machine in machines { try machine.sync(&zone) }
    let synced = machines[1].synced
    let conflict = try #require(synced.conflicts(limit: nil).first)
    #expect(conflict.ancestor == .null && conflict.local != nil && conflict.remote != nil)
    #expect(throws: SwiftDataError.modelValidationFailure) { try synced.resolve(conflict.id, keeping: .ancestor) }
    #expect(try !page(machines[1]).scan.isEmpty && synced.conflicts(limit: nil).allSatisfy { !$0.isResolved })
  }

  @Test func `what a value in a file was before is not none, where there may be none`() throws {
    var zone = SyncZone(MemoryZone(SyncRegistry()))
    let machines = try ([1, 2] as [UInt64]).map { try Machine($0, at: folder.store("\($0)")) }
    func book(_ machine: Machine) throws -> Book {
      try #require(machine.all(Book.self, by: SortDescriptor(\.title)).first)
    }
    machines[0].context.insert(Book("One"))
    try machines[0].context.save()
    for machine in machines { try machine.sync(&zone) }
    for number in 0..<3 {
      for (place, machine) in machines.enumerated() where number > 0 || place == 0 {
        try book(machine).scan = Data(repeating: UInt8(10 * number + place), count: 500)
        try machine.context.save()
      }
      for machine in machines { try machine.sync(&zone) }
    }
    let synced = machines[1].synced
    let conflict = try #require(synced.conflicts(limit: nil).first { $0.property == "scan" })
    #expect(throws: SwiftDataError.modelValidationFailure) { try synced.resolve(conflict.id, keeping: .ancestor) }
    #expect(try book(machines[1]).scan?.count == 500)
  }

  @Test func `a version that refers to a row which is gone cannot be kept, and takes nothing along`() throws {
    var zone = SyncZone(MemoryZone(SyncRegistry()))
    let machines = try ([1, 2] as [UInt64]).map { try Machine($0, at: folder.store("\($0)")) }
    let names = ["Ann", "Ben", "Cid"]
    for name in names { machines[0].context.insert(Author(name)) }
    machines[0].context.insert(
      Book("One", author: try #require(machines[0].context.insertedModelsArray.first as? Author)))
    try machines[0].context.save()
    for machine in machines { try machine.sync(&zone) }
    for (place, machine) in machines.enumerated() {
      let authors = try machine.all(Author.self, by: SortDescriptor(\.name))
      try #require(machine.all(Book.self, by: SortDescriptor(\.title)).first).author = authors[place + 1]
      try machine.context.save()
    }
    for machine in machines { try machine.sync(&zone) }
    let synced = machines[1].synced
    let conflict = try #require(synced.conflicts(limit: nil).first { $0.property == "author" })
    #expect(conflict.local == nil && conflict.remote == nil)
    let kept = try #require(machines[1].all(Book.self, by: SortDescriptor(\.title)).first?.author?.name)
    for author in try machines[1].all(Author.self, by: SortDescriptor(\.name)) where author.name != kept {
      machines[1].context.delete(author)
    }
    try machines[1].context.save()
    for machine in machines { try machine.sync(&zone) }
    for choice in [SyncEngine.Choice.ancestor, kept == "Ben" ? .local : .remote] {
      #expect(throws: SwiftDataError.modelValidationFailure) { try synced.resolve(conflict.id, keeping: choice) }
    }
    for machine in [machines[1], machines[0]] { try machine.sync(&zone) }
    for machine in machines {
      #expect(try machine.all(Book.self, by: SortDescriptor(\.title)).map(\.author?.name) == [kept])
    }
  }

  @Test func `a version that only a later program can read is not kept`() throws {
    var zone = SyncZone(MemoryZone(SyncRegistry()))
    let older = try Machine(1, Crates.self, at: folder.store("older"))
    let later = try Machine(2, LaterCrates.self, at: folder.store("later"))
    later.context.insert(LaterCrates.Crate("A"))
    try later.context.save()
    for machine in [later, older] { try machine.sync(&zone) }
    try #require(later.context.fetch(FetchDescriptor<LaterCrates.Crate>()).first).count = 100_000
    try later.context.save()
    older.now += 5_000
    try #require(older.context.fetch(FetchDescriptor<Crates.Crate>()).first).count = 7
    try older.context.save()
    for machine in [later, older, later] { try machine.sync(&zone) }
    let conflict = try #require(older.synced.conflicts(limit: nil).first { $0.property == "count" })
    let choice: SyncEngine.Choice = conflict.local == .integer(7) ? .remote : .local
    #expect(throws: SwiftDataError.modelValidationFailure) { try older.synced.resolve(conflict.id, keeping: choice) }
    #expect(try ModelContext(older.container).fetch(FetchDescriptor<Crates.Crate>()).map(\.count) == [7])
  }

  @Test func `a row that another account's server has never heard of is not brought back`() throws {
    var zone = SyncZone(MemoryZone(SyncRegistry()))
    let machines = try ([1, 2] as [UInt64]).map { try Machine($0, at: folder.store("\($0)")) }
    machines[0].context.insert(Book("One"))
    try machines[0].context.save()
    for machine in machines { try machine.sync(&zone) }
    machines[1].context.delete(try #require(machines[1].all(Book.self, by: SortDescriptor(\.title)).first))
    try machines[1].context.save()
    try machines[1].sync(&zone)
    try #require(machines[0].all(Book.self, by: SortDescriptor(\.title)).first).price = 3
    try machines[0].context.save()
    try machines[0].sync(&zone)
    let synced = machines[0].synced
    let conflict = try #require(synced.conflicts(limit: nil).first { $0.property == nil })
    try synced.leaveAccount()
    var other = SyncZone(MemoryZone(SyncRegistry()))
    try machines[0].sync(&other)
    #expect(throws: SwiftDataError.modelValidationFailure) { try synced.resolve(conflict.id, keeping: .local) }
    try machines[0].sync(&other)
    #expect(other.storage.rows.isEmpty)
  }

  @Test func `of too many conflicts those go that were decided again, and then the oldest`() throws {
    var zone = SyncZone(MemoryZone(SyncRegistry()))
    let (first, second) = (try Machine(1, at: folder.store("first")), try Machine(2, at: folder.store("second")))
    let titles = ["A", "B", "C", "D"]
    for title in titles { first.context.insert(Book(title)) }
    try first.context.save()
    for machine in [first, second] { try machine.sync(&zone) }
    let store = first.container.store
    let contract = try SyncContract(store.schema, version: [1, 0, 0], editWins: { $0.name == "Topic" })
    let synced = try SyncedStore(store, contract, zone: "test", site: 1, random: 0, mostConflicts: 2)
    var prices: [[SQLValue?]] = []
    for (number, title) in titles.enumerated() {
      for (machine, price) in [(second, 0.5), (first, Double(number))] {
        let book = try #require(machine.all(Book.self, by: SortDescriptor(\.title)).first { $0.title == title })
        book.price = price
        try machine.context.save()
      }
      try second.sync(&zone)
      let push = try #require(try synced.nextPush(identity: 1, now: first.now))
      try synced.receive(try zone.take(push, now: first.now), to: push, now: first.now)
      prices.append(try synced.conflicts(limit: nil).map(\.local))
      if title == "B" { try synced.resolve(try #require(synced.conflicts(limit: nil).first).id, keeping: .local) }
    }
    let expected: [[SQLValue?]] = [[.real(0)], [.real(1), .real(0)], [.real(2), .real(0)], [.real(3), .real(2)]]
    #expect(prices == expected)
  }

  @Test(.timeLimit(.minutes(10)))
  func `what the program merges to a value that a row cannot have leaves the server's, and all else goes on`()
    async throws
  {
    func gauges(_ name: String) throws -> ModelContainer {
      var configuration = ModelConfiguration("gauges", url: folder.store(name))
      var sync = SyncConfiguration(identity: "test") { [server] in server.service(for: "ann") }
      sync.merge(\Gauge.level) { _ in .nan }
      sync.merge(\Gauge.name) { _ in "taken" }
      configuration.sync = sync
      return try ModelContainer(for: Gauge.self, configurations: configuration)
    }
    let (first, second) = (try gauges("first"), try gauges("second"))
    let (context, other) = (ModelContext(first), ModelContext(second))
    for name in ["a", "taken"] { context.insert(Gauge(name)) }
    try context.save()
    try await first.sync?.now()
    try await second.sync?.now()
    first.sync?.pause()
    let byName = FetchDescriptor<Gauge>(sortBy: [SortDescriptor(\.name)])
    let (mine, theirs) = (try #require(context.fetch(byName).first), try #require(other.fetch(byName).first))
    (mine.level, mine.name) = (1, "mine")
    try context.save()
    (theirs.level, theirs.name) = (2, "b")
    try other.save()
    try await second.sync?.now()
    context.insert(Gauge("new"))
    try context.save()
    for container in [first, second] { try await container.sync?.now() }
    for container in [first, second] {
      let gauges = try ModelContext(container).fetch(byName)
      #expect(gauges.map(\.name) == ["b", "new", "taken"] && gauges.map(\.level) == [2, 0, 0])
    }
  }
}
