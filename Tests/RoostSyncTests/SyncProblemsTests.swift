import Foundation
import Roost
import RoostCore
import RoostEngine
import RoostSync
import SyncMerge
import SyncServer
import SyncSimulation
import TestSupport
import Testing

/// What a program is told of what is in the way.
@Suite struct SyncProblemsTests {
  private let libraries: SyncedLibraries
  private var folder: Folder { libraries.folder }
  private var server: SyncServer { libraries.server }

  init() throws { libraries = try SyncedLibraries { $0.remote } }

  /// A store of topics in a database of the user's.
  private func store(
    _ name: String, _ database: ModelConfiguration.CloudKitDatabase = .automatic,
    called configuration: String = "library"
  ) throws -> ModelContainer {
    var configuration = ModelConfiguration(configuration, url: folder.store(name), cloudKitDatabase: database)
    var sync = SyncConfiguration(identity: "test") { [server] in server.service(for: "ann") }
    sync.merge(\Topic.notes) { $0.remote }
    configuration.sync = sync
    return try ModelContainer(for: Author.self, Topic.self, configurations: configuration)
  }

  private func insert(_ name: String, into container: ModelContainer) async throws {
    let context = ModelContext(container)
    context.insert(Topic(name))
    try context.save()
    try await container.sync?.now()
  }

  private func topics(_ container: ModelContainer) throws -> [String] {
    try ModelContext(container).fetch(FetchDescriptor<Topic>(sortBy: [SortDescriptor(\.name)])).map(\.name)
  }

  @Test(.timeLimit(.minutes(20)), arguments: [SyncEngine.AccountChoice.merge, .discard])
  func `a store is asked what becomes of its rows as it is given another database`(
    choice: SyncEngine.AccountChoice
  ) async throws {
    let first = try store("first", .private("a"))
    try await insert("Sea", into: first)
    try first.close()
    try await insert("Lake", into: try store("other", .private("b")))
    let moved = try store("first", .private("b"))
    let error = await #expect(throws: SyncError.self) { try await moved.sync?.now() }
    #expect(error?.localizedDescription.contains("useAccount(.merge)") == true)
    try moved.sync?.useAccount(choice)
    try await moved.sync?.now()
    #expect(try topics(moved) == (choice == .merge ? ["Lake", "Sea"] : ["Lake"]))
    let former = try store("former", .private("a"))
    try await former.sync?.now()
    #expect(try topics(former) == ["Sea"])
  }

  @Test(.timeLimit(.minutes(20))) func `a store whose configuration has another name stays with its database`()
    async throws
  {
    let first = try store("first")
    try await insert("Sea", into: first)
    try first.close()
    let renamed = try store("first", called: "books")
    try await insert("Lake", into: renamed)
    let other = try store("other")
    try await other.sync?.now()
    #expect(try topics(other) == ["Lake", "Sea"])
  }

  @Test(arguments: ["", "..", String(repeating: "a", count: 201)])
  func `a database's name that no server takes is an error as the container is made`(name: String) throws {
    let error = #expect(throws: SwiftDataError.self) { try store("first", .private(name)) }
    let text = "\(try #require(error))"
    #expect(text.contains("1 to 200 bytes"))
  }

  @Test(.timeLimit(.minutes(20))) func `what waits has its age while no server is reached, and why is said`()
    async throws
  {
    let start = Date()
    let container = try libraries.container("first") { Away() }
    let (sync, context) = (try #require(container.sync), ModelContext(container))
    context.insert(Topic("Sea"))
    try context.save()
    let error = await #expect(throws: SyncError.self) { try await sync.now() }
    #expect(error?.localizedDescription.contains("The cable is cut.") == true)
    while sync.status.problem == nil { await Task.yield() }
    #expect(sync.status.problem?.contains("The cable is cut.") == true)
    let oldest = try #require(sync.status.oldestChange)
    #expect(oldest >= start.addingTimeInterval(-1) && oldest <= Date())
  }

  enum Refusal: CaseIterable { case protocolVersion, movedClass, fullDisk, otherServer }

  @Test(.timeLimit(.minutes(20)), arguments: Refusal.allCases)
  func `what kind of thing is in the way is said, and in the same words to who waits`(reason: Refusal) async throws {
    let container = try libraries.container("first") { refusing(reason) }
    let sync = try #require(container.sync)
    let error = try #require(await #expect(throws: (any Error).self) { try await sync.now() })
    while sync.status.error == nil { await Task.yield() }
    let told = try #require(sync.status.error)
    #expect(sync.status.phase == .blocked("\(told)") && "\(error)" == "\(told)")
    switch (reason, told) {
    case (.protocolVersion, .outdated(let text)): #expect(text.contains("update the older one"))
    case (.movedClass, .outdated(let text)): #expect(text.contains("Book is a model of its own"))
    case (.fullDisk, .store(let error)): #expect(error == .storeFull)
    case (.otherServer, .blocked(let text)): #expect(text.contains("check the address"))
    default: Issue.record("\(told)")
    }
    try container.close()
  }

  @Test func `what is on its way has its age`() throws {
    var zone = SyncZone(MemoryZone(SyncRegistry()))
    let (folder, first, _) = try Machine.two()
    try first.begin(&zone)
    let times = try (0..<2).map { number in
      first.context.insert(Topic("\(number)"))
      try first.context.save()
      let oldest = try first.synced.counts().oldest
      _ = try first.synced.nextPush(identity: 7, now: first.now)
      #expect(try first.synced.counts().oldest == oldest)
      return oldest
    }
    #expect(times[0] != nil && times[0] == times[1])
    try first.push(&zone)
    try first.pull(zone)
    #expect(try first.synced.counts().oldest == nil && first.isDone(zone))
    withExtendedLifetime(folder) {}
  }

  private func container(_ change: (inout SyncConfiguration) -> Void) throws -> ModelContainer {
    var configuration = ModelConfiguration("library", url: folder.store("first"))
    var sync = SyncConfiguration(identity: "test") { [server] in server.service(for: "ann") }
    change(&sync)
    configuration.sync = sync
    return try ModelContainer(for: Passport.self, Author.self, Topic.self, configurations: configuration)
  }

  @Test func `a model that the container does not have is none to be synced`() throws {
    for isEdited in [false, true] {
      let error = #expect(throws: SwiftDataError.self) {
        try container { if isEdited { $0.editWins = [Receipt.self] } else { $0.models = [Receipt.self] } }
      }
      let text = "\(try #require(error))"
      #expect(text.contains("Receipt") && text.contains("sync."))
    }
  }

  /// What cannot be synced, and a word of what is said of it.
  private static let refused: [(word: String, allowsSave: Bool, change: @Sendable (inout ModelConfiguration) -> Void)] =
    [
      ("reading", true, { _ in }), ("history", true, { $0.storeOptions.history = .off }),
      ("history", true, { $0.storeOptions.history = .excluding(GaugesV3.Gauge.self) }), ("allowsSave", false, { _ in }),
      (
        "address", true,
        { $0.sync = SyncConfiguration(identity: "x") { throw SwiftDataError.loadIssue("No address.", remedy: "") } }
      ),
    ]

  @Test(arguments: refused.indices)
  func `a store is not migrated to what cannot be synced, and a dry run says why`(place: Int) throws {
    var configuration = ModelConfiguration(url: folder.store("gauges"))
    try ModelContainer(for: Schema(versionedSchema: GaugesV1.self), configurations: configuration).close()
    configuration.sync = SyncConfiguration(identity: "test") { [server] in server.service(for: "ann") }
    if !Self.refused[place].allowsSave {
      let sync = configuration.sync
      configuration = ModelConfiguration(url: folder.store("gauges"), allowsSave: false)
      configuration.sync = sync
    }
    Self.refused[place].change(&configuration)
    let later = place == 0 ? Schema(versionedSchema: GaugesV2.self) : Schema(versionedSchema: GaugesV3.self)
    let error = #expect(throws: SwiftDataError.self) { try ModelContainer(for: later, configurations: configuration) }
    #expect("\(try #require(error))".contains(Self.refused[place].word))
    let report = try ModelContainer.dryRun(for: later, configurations: [configuration])
    #expect(!report.succeeded && "\(report)".contains(Self.refused[place].word))
    let container = try ModelContainer(
      for: Schema(versionedSchema: GaugesV1.self),
      configurations: ModelConfiguration(url: folder.store("gauges")))
    let columns = try container.store.pool.read { try $0.strings("SELECT name FROM pragma_table_info('Gauge')") }
    #expect(columns.contains("name") && !columns.contains("reading"))
  }

  @Test func `models whose edits win are synced`() throws {
    let error = #expect(throws: SwiftDataError.self) {
      try container { ($0.models, $0.editWins) = ([Passport.self], [Topic.self]) }
    }
    #expect("\(try #require(error))".contains("sync.editWins"))
  }

  @Test(arguments: [true, false])
  func `a function for an attribute that another rule merges, or that is not synced, is an error`(isSynced: Bool) throws
  {
    let error = #expect(throws: SwiftDataError.self) {
      try container { sync in
        sync.merge(\Topic.notes) { $0.remote }
        if isSynced { sync.merge(\Topic.name) { $0.remote } } else { sync.merge(\Book.isOpen) { $0.remote } }
      }
    }
    let text = "\(try #require(error))"
    #expect(
      text.contains(isSynced ? ".merge(.custom)" : "not synced") && text.contains(isSynced ? "Topic" : "Book.isOpen"))
  }

  @Test func `a store that another program writes to is tried again`() {
    #expect(SyncCore.Failure(SwiftDataError.storeBusy) == .later(retryAfter: nil))
    #expect("\(SyncError(SwiftDataError.storeBusy))".contains("tried again"))
  }
}

@Model private final class Receipt {
  init() {}
}

private func refusing(_ reason: SyncProblemsTests.Refusal) -> Away {
  switch reason {
  case .protocolVersion: Away(error: SyncZoneError.unknownVersion(newest: 2))
  case .movedClass: Away(error: SyncZoneError.movedClass("Book"))
  case .fullDisk: Away(error: SwiftDataError.storeFull)
  case .otherServer: Away(error: SyncServiceError.malformed("It is no JSON."))
  }
}

/// A server that is not there, or answers each request with an error.
private struct Away: SyncService {
  var error: any Error & Sendable = SyncServiceError.unreachable("The cable is cut.")

  func begin(_ hello: SyncHello) async throws -> SyncWelcome { throw error }
  func push(_ push: SyncPush, to zone: String) async throws -> SyncPushAnswer { throw error }
  func page(
    behind cursor: Int64, seen: SyncPlace, of zone: String, for site: UInt64, limit: Int
  ) async throws -> SyncPage { throw error }
  func digest(of zone: String) async throws -> SyncDigest { throw error }
  func heads(of zone: String) async throws -> AsyncThrowingStream<Int64, any Error> { throw error }
}

private enum GaugesV1: VersionedSchema {
  static let versionIdentifier = Schema.Version(1, 0, 0)
  static var models: [any PersistentModel.Type] { [Gauge.self] }

  @Model final class Gauge {
    var name: String
    init(_ name: String) { self.name = name }
  }
}

private enum GaugesV2: VersionedSchema {
  static let versionIdentifier = Schema.Version(2, 0, 0)
  static var models: [any PersistentModel.Type] { [Gauge.self] }

  @Model final class Gauge {
    var name: String
    @Attribute(.merge(.counter)) var reading: UInt8 = 0
    init(_ name: String) { self.name = name }
  }
}

private enum GaugesV3: VersionedSchema {
  static let versionIdentifier = Schema.Version(3, 0, 0)
  static var models: [any PersistentModel.Type] { [Gauge.self] }

  @Model final class Gauge {
    var name: String
    @Attribute(.merge(.counter)) var reading: Int = 0
    init(_ name: String) { self.name = name }
  }
}
