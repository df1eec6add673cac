import Foundation
import Roost
import RoostEngine
import RoostSync
import SyncMerge
import RoostSQL
import SyncServer
import SyncSimulation
import Synchronization
import Testing

/// Synced; receipts are not.
@Model private final class Shop {
  @Attribute(.unique) var name: String
  init(_ name: String) { self.name = name }
}

@Model private final class Receipt {
  var shop: Shop?
  init(_ shop: Shop) { self.shop = shop }
}

@Model private final class Essay {
  @Attribute(.externalStorage, .merge(.custom)) var text: String
  init(_ text: String) { self.text = text }
}

/// Containers that are synced by themselves, with a server in the same process.
@Suite struct SyncEngineTests {
  private let libraries: SyncedLibraries
  private var folder: Folder { libraries.folder }
  private var server: SyncServer { libraries.server }

  init() throws {
    libraries = try SyncedLibraries { versions in [versions.remote, versions.local].sorted().joined(separator: "+") }
  }

  private func container(_ name: String, user: String = "ann") throws -> ModelContainer {
    try libraries.container(name, user: user)
  }

  /// A container of topics whose server is one of the test's own.
  private func topics(
    _ name: String, startsPaused: Bool = false, _ service: @escaping @Sendable () throws -> any SyncService
  ) throws -> ModelContainer {
    var configuration = ModelConfiguration("library", url: folder.store(name))
    var sync = SyncConfiguration(identity: name, service: service)
    sync.merge(\Topic.notes) { $0.remote }
    sync.startsPaused = startsPaused
    configuration.sync = sync
    return try ModelContainer(for: Topic.self, configurations: configuration)
  }

  @Test func `what one container saves the other shows`() async throws {
    let (first, second) = (try container("first"), try container("second"))
    let context = ModelContext(first)
    context.insert(Book("One", author: Author("Ann")))
    try context.save()
    try await first.sync?.now()
    try await second.sync?.now()
    let found = try ModelContext(second).fetch(FetchDescriptor<Book>())
    #expect(found.map(\.title) == ["One"] && found.first?.author?.name == "Ann")
    #expect(first.sync?.status.phase == .upToDate && second.sync?.status.phase == .upToDate)
  }

  @Test func `what is not synced refers to the row that the one becomes which it referred to`() async throws {
    func shops(_ name: String) throws -> ModelContainer {
      var configuration = ModelConfiguration("shops", url: folder.store(name))
      var sync = SyncConfiguration(identity: "test") { [server] in server.service(for: "ann") }
      sync.models = [Shop.self]
      configuration.sync = sync
      return try ModelContainer(for: Shop.self, Receipt.self, configurations: configuration)
    }
    let (first, second) = (try shops("first"), try shops("second"))
    let (context, shop) = (ModelContext(first), Shop("Sea"))
    context.insert(shop)
    try context.save()
    try await first.sync?.now()
    try await second.sync?.now()
    second.sync?.pause()
    shop.name = "Lake"
    try context.save()
    try await first.sync?.now()
    let other = ModelContext(second)
    other.insert(Receipt(Shop("Lake")))
    try other.save()
    try await second.sync?.now()
    let found = ModelContext(second)
    #expect(try found.fetch(FetchDescriptor<Receipt>()).map(\.shop?.name) == ["Lake"])
    #expect(try found.fetchCount(FetchDescriptor<Shop>()) == 1)
  }

  @Test @MainActor func `an edit that is not saved yet is saved beside what comes`() async throws {
    let (first, second) = (try container("first"), try container("second"))
    let book = Book("One")
    first.mainContext.insert(book)
    try first.mainContext.save()
    try await first.sync?.now()
    try await second.sync?.now()
    first.mainContext.autosaveEnabled = false
    book.loans += 1
    let context = ModelContext(second)
    try #require(context.fetch(FetchDescriptor<Book>()).first).loans += 5
    try context.save()
    try await second.sync?.now()
    try await first.sync?.now()
    try first.mainContext.save()
    #expect(book.loans == 6)
    try await first.sync?.now()
    try await second.sync?.now()
    #expect(try ModelContext(second).fetch(FetchDescriptor<Book>()).map(\.loans) == [6])
  }

  @Test func `a save is sent and shown without being asked for`() async throws {
    let (first, second) = (try container("first"), try container("second"))
    try await first.sync?.now()
    try await second.sync?.now()
    let events = try #require(second.sync).events
    let context = ModelContext(first)
    context.insert(Topic("Sea"))
    try context.save()
    for await event in events { if case .received = event { break } }
    #expect(try ModelContext(second).fetch(FetchDescriptor<Topic>()).map(\.name) == ["Sea"])
  }

  @Test(.timeLimit(.minutes(10)))
  func `a program that never asks has its saves sent, from the first on`() async throws {
    let container = try container("first")
    let sync = try #require(container.sync)
    let events = sync.events
    if sync.status.phase != .upToDate {
      for await event in events { if case .status(let status) = event, status.phase == .upToDate { break } }
    }
    #expect(sync.status.phase == .upToDate)
    let context = ModelContext(container)
    for name in ["Sea", "Lake"] {
      context.insert(Topic(name))
      try context.save()
      for await event in events { if case .sent = event { break } }
    }
    let other = try self.container("second")
    try await other.sync?.now()
    #expect(try ModelContext(other).fetchCount(FetchDescriptor<Topic>()) == 2)
  }

  @Test(.timeLimit(.minutes(10)))
  func `pausing ends the wait for what is not sent`() async throws {
    var configuration = ModelConfiguration("library", url: folder.store("first"))
    let (gate, open) = AsyncStream<Void>.makeStream()
    configuration.sync = SyncConfiguration(identity: "closed") { Closed(gate: gate) }
    configuration.sync?.merge(\Topic.notes) { $0.remote }
    let container = try ModelContainer(for: Author.self, Topic.self, configurations: configuration)
    let sync = try #require(container.sync)
    let waiting = Task { try await sync.now() }
    while sync.waiterCount == 0 { await Task.yield() }
    sync.pause()
    await #expect(throws: SyncError.paused) { try await waiting.value }
    open.finish()
  }

  @Test(.timeLimit(.minutes(10)))
  func `who asks while a request fails that was sent before is told what came of the next one`() async throws {
    let (gate, open) = AsyncStream<Void>.makeStream()
    let (begun, begin) = AsyncStream<Void>.makeStream()
    let answers = Answers()
    var configuration = ModelConfiguration("library", url: folder.store("first"))
    configuration.sync = SyncConfiguration(identity: "test") { [server] in
      FirstFails(service: server.service(for: "ann"), answers: answers, begun: begin, gate: gate)
    }
    configuration.sync?.merge(\Topic.notes) { $0.remote }
    let container = try ModelContainer(for: Author.self, Topic.self, configurations: configuration)
    let sync = try #require(container.sync)
    for await _ in begun { break }
    let waiting = Task { try await sync.now() }
    while sync.waiterCount == 0 { await Task.yield() }
    open.finish()
    try await waiting.value
    #expect(sync.status.phase == .upToDate)
  }

  @Test(.timeLimit(.minutes(10))) func `who asks is told what the store reports`() async throws {
    let container = try container("first")
    let sync = try #require(container.sync)
    try await sync.now()
    let connection = try Connection(ConnectionOptions(location: .file(path: folder.store("first").path)))
    try connection.execute("DROP TABLE _roost_sync_row")
    connection.close()
    await #expect(throws: (any Error).self) { try await sync.now() }
  }

  @Test func `rows that are not what the server has are told, and that they are again`() async throws {
    var configuration = ModelConfiguration("library", url: folder.store("second"))
    let answers = Answers()
    let (gate, open) = AsyncStream<Void>.makeStream()
    var sync = SyncConfiguration(identity: "wrong") { [server] in
      Wrong(service: server.service(for: "ann"), answers: answers, gate: gate)
    }
    sync.merge(\Topic.notes) { $0.remote }
    configuration.sync = sync
    let container = try ModelContainer(for: Author.self, Topic.self, configurations: configuration)
    let second = try #require(container.sync)
    let events = second.events
    open.finish()
    var (told, isTold): ([[String]], Bool) = ([], false)
    for await event in events {
      if case .differs(let models) = event { told.append(models) }
      if case .status(let status) = event {
        if !status.differingModels.isEmpty { isTold = true } else if isTold { break }
      }
    }
    // Once more when all was fetched anew.
    #expect(told.count == 1 && told.first?.count == 1)
  }

  @Test func `a store is not up to date between a save and its acknowledgement`() async throws {
    let (gate, open) = AsyncStream<Void>.makeStream()
    var configuration = ModelConfiguration("library", url: folder.store("gated"))
    var sync = SyncConfiguration(identity: "gated") { [server] in
      Gated(service: server.service(for: "ann"), gate: gate)
    }
    sync.merge(\Topic.notes) { $0.remote }
    configuration.sync = sync
    let container = try ModelContainer(for: Topic.self, configurations: configuration)
    try await container.sync?.now()
    #expect(container.sync?.status.phase == .upToDate)
    let context = ModelContext(container)
    context.insert(Topic("Sea"))
    try context.save()
    #expect(container.sync?.status.phase != .upToDate)
    open.yield()
    open.finish()
    try await container.sync?.now()
    #expect(container.sync?.status.phase == .upToDate)
  }

  @Test(.timeLimit(.minutes(10)))
  func `what is saved while a server is slow to answer is counted, and does not wait for it`() async throws {
    let (gate, open) = AsyncStream<Void>.makeStream()
    let container = try topics("slow") { [server] in
      Gated(service: server.service(for: "ann"), gate: gate)
    }
    let engine = try #require(container.sync)
    try await engine.now()
    let context = ModelContext(container)
    for name in ["Sea", "Lake", "Bay"] {
      let events = engine.events
      context.insert(Topic(name))
      try context.save()
      let count = try context.fetchCount(FetchDescriptor<Topic>())
      for await event in events { if case .status(let status) = event, status.waitingChanges == count { break } }
    }
    open.finish()
    try await engine.now()
    #expect(engine.status.phase == .upToDate && engine.status.waitingChanges == 0)
  }

  @Test(.timeLimit(.minutes(10))) func `who pauses while a session begins does not listen once it has begun`()
    async throws
  {
    let ((begun, begin), (gate, open)) = (AsyncStream<Void>.makeStream(), AsyncStream<Void>.makeStream())
    let container = try topics("pausing") { [server] in
      SlowToBegin(service: server.service(for: "ann"), begun: begin, gate: gate)
    }
    let engine = try #require(container.sync)
    let events = engine.events
    for await _ in begun { break }
    engine.pause()
    open.finish()
    for await event in events { if case .status(let status) = event, status.phase == .paused { break } }
    #expect(!engine.isListening)
    try await engine.now()
    #expect(engine.isListening && engine.status.phase == .upToDate)
  }

  @Test func `a container that starts paused asks nobody until it is resumed`() async throws {
    let begun = Answers()
    let container = try topics("quiet", startsPaused: true) { [server] in
      Beginning(service: server.service(for: "ann"), answers: begun)
    }
    let engine = try #require(container.sync)
    let events = engine.events
    let context = ModelContext(container)
    context.insert(Topic("Sea"))
    try context.save()
    for await event in events {
      if case .status(let status) = event, status.phase == .paused, status.waitingChanges == 1 { break }
    }
    #expect(begun.next() == 1)
    engine.resume()
    for await event in events { if case .sent = event { break } }
    try await engine.now()
    #expect(engine.status.phase == .upToDate && begun.next() > 2)
  }

  @Test func `rows that were there before sync was switched on wait until they are sent`() async throws {
    let plain = try ModelContainer(for: Topic.self, configurations: ModelConfiguration(url: folder.store("older")))
    let context = ModelContext(plain)
    for number in 0..<3 { context.insert(Topic("\(number)")) }
    try context.save()
    try plain.close()
    let container = try topics("older", startsPaused: true) { [server] in server.service(for: "ann") }
    let engine = try #require(container.sync)
    let events = engine.events
    let later = ModelContext(container)
    later.insert(Topic("Sea"))
    try later.save()
    for await event in events { if case .status(let status) = event, status.waitingChanges == 4 { break } }
    try await engine.now()
    #expect(engine.status.phase == .upToDate && engine.status.waitingChanges == 0)
    // Another user's database has none of them yet.
    engine.pause()
    try engine.useAccount(.merge)
    for await event in events {
      if case .status(let status) = event, status.phase == .paused, status.waitingChanges == 4 { break }
    }
  }

  @Test func `while it is paused nothing is sent, and what waits is counted`() async throws {
    let container = try container("first")
    let sync = try #require(container.sync)
    try await sync.now()
    let events = sync.events
    sync.pause()
    let context = ModelContext(container)
    context.insert(Topic("Sea"))
    try context.save()
    for await event in events {
      if case .status(let status) = event, status.phase == .paused, status.waitingChanges == 1 { break }
    }
    sync.resume()
    for await event in events { if case .sent = event { break } }
    try await sync.now()
    #expect(sync.status.phase == .upToDate && sync.status.waitingChanges == 0)
  }

  @Test(.timeLimit(.minutes(10)))
  func `whoever waits for a server that does not answer may be cancelled`() async throws {
    let (gate, open) = AsyncStream<Void>.makeStream()
    var configuration = ModelConfiguration("library", url: folder.store("gated"))
    var sync = SyncConfiguration(identity: "gated") { [server] in
      Gated(service: server.service(for: "ann"), gate: gate)
    }
    sync.merge(\Topic.notes) { $0.remote }
    configuration.sync = sync
    let container = try ModelContainer(for: Topic.self, configurations: configuration)
    try await container.sync?.now()
    let context = ModelContext(container)
    context.insert(Topic("Sea"))
    try context.save()
    let engine = try #require(container.sync)
    // Before it waits, and while it does.
    for turns in 0..<100 {
      let task = Task { try await engine.now() }
      for _ in 0..<turns { await Task.yield() }
      task.cancel()
      await #expect(throws: CancellationError.self) { try await task.value }
    }
    open.finish()
    try await engine.now()
    #expect(engine.status.phase == .upToDate)
  }

  @Test func `a container that is gone ends its syncing`() async throws {
    var container: ModelContainer? = try container("first")
    let sync = try #require(container?.sync)
    try await sync.now()
    try container?.close()
    container = nil
    await #expect(throws: SyncError.ended) { try await sync.now() }
    for await _ in sync.events {}
    #expect(sync.status.error == .ended && sync.status.phase != .upToDate)
  }

  @Test func `a token closure that hangs is called again by resume(), and is given up with the container`() async throws
  {
    let given = GivenUp()
    let container = try libraries.container("first") { [server] in
      Asking(service: server.service(for: "ann"), given: given)
    }
    container.sync?.resume()
    try container.close()
    #expect(given.isLate.withLock(\.self) == [true, false])
  }

  @Test func `cloudKitDatabase none is not synced`() throws {
    var configuration = ModelConfiguration("library", url: folder.store("none"), cloudKitDatabase: .none)
    configuration.sync = SyncConfiguration(identity: "test") { [server] in server.service(for: "ann") }
    let container = try ModelContainer(for: Topic.self, configurations: configuration)
    #expect(container.sync == nil)
  }

  @Test(arguments: [false, true])
  func `the program merges with what the server has, also where an answer had no room for it`(isFull: Bool) async throws
  {
    let answers = Answers()
    let first = try libraries.container("first") { [server] in
      Full(service: server.service(for: "ann"), isFull: isFull, answers: answers)
    }
    let second = try container("second")
    let (context, other) = (ModelContext(first), ModelContext(second))
    context.insert(Topic("Sea"))
    try context.save()
    try await first.sync?.now()
    try await second.sync?.now()
    first.sync?.pause()
    try #require(context.fetch(FetchDescriptor<Topic>()).first).notes = "a"
    try context.save()
    try #require(other.fetch(FetchDescriptor<Topic>()).first).notes = "b"
    try other.save()
    try await second.sync?.now()
    for container in [first, second] { try await container.sync?.now() }
    for container in [first, second] {
      #expect(try ModelContext(container).fetch(FetchDescriptor<Topic>()).map(\.notes) == ["a+b"])
    }
    #expect((answers.next() > 2) == isFull)
  }

  @Test(.timeLimit(.minutes(10)))
  func `the program merges a row once it is shown, which it cannot be before what it refers to`() async throws {
    let (first, second) = (try container("first"), try container("second"))
    let (context, other) = (ModelContext(first), ModelContext(second))
    context.insert(Topic("Sea"))
    try context.save()
    try await first.sync?.now()
    try await second.sync?.now()
    first.sync?.pause()
    try #require(context.fetch(FetchDescriptor<Topic>()).first).notes = "a"
    try context.save()
    let topic = try #require(other.fetch(FetchDescriptor<Topic>()).first)
    (topic.notes, topic.expert) = ("b", Author("Ann"))
    try other.save()
    try await second.sync?.now()
    for container in [first, second] { try await container.sync?.now() }
    for container in [first, second] {
      let topics = try ModelContext(container).fetch(FetchDescriptor<Topic>())
      #expect(topics.map(\.notes) == ["a+b"] && topics.map(\.expert?.name) == ["Ann"])
    }
  }

  @Test func `the program merges values that are in files`() async throws {
    func essays(_ name: String) throws -> ModelContainer {
      var configuration = ModelConfiguration("essays", url: folder.store(name))
      configuration.storeOptions.externalStorageThreshold = 100
      var sync = SyncConfiguration(identity: "test") { [server] in server.service(for: "ann") }
      sync.merge(\Essay.text) { versions in [versions.remote, versions.local].sorted().joined() }
      configuration.sync = sync
      return try ModelContainer(for: Essay.self, configurations: configuration)
    }
    let (first, second) = (try essays("first"), try essays("second"))
    let (context, other) = (ModelContext(first), ModelContext(second))
    context.insert(Essay("short"))
    try context.save()
    try await first.sync?.now()
    try await second.sync?.now()
    first.sync?.pause()
    let texts = ["a", "b"].map { String(repeating: $0, count: 500) }
    try #require(context.fetch(FetchDescriptor<Essay>()).first).text = texts[0]
    try context.save()
    try #require(other.fetch(FetchDescriptor<Essay>()).first).text = texts[1]
    try other.save()
    for container in [second, first, second] { try await container.sync?.now() }
    for container in [first, second] {
      #expect(try ModelContext(container).fetch(FetchDescriptor<Essay>()).map(\.text) == [texts.joined()])
    }
  }

  @Test func `an attribute that the program is to merge, and does not, is an error`() throws {
    var configuration = ModelConfiguration("library", url: folder.store("first"))
    configuration.sync = SyncConfiguration(identity: "test") { [server] in server.service(for: "ann") }
    #expect(throws: SwiftDataError.invalidSchema) { try ModelContainer(for: Topic.self, configurations: configuration) }
  }

  @Test func `a conflict is in the journal with all three values, and can be decided again`() async throws {
    let (first, second) = try await libraries.editApart()
    try await first.sync?.now()
    try await second.sync?.now()
    let sync = try #require(first.sync)
    let conflict = try #require(sync.conflicts().first)
    #expect(try sync.conflicts(where: #Predicate { $0.model == "Book" && !$0.isResolved }).contains(conflict))
    #expect(try sync.conflicts(where: #Predicate { $0.model == "Topic" }).isEmpty)
    let outcome = conflict.outcome
    #expect(try sync.conflicts(where: #Predicate { $0.outcome == outcome }, limit: 1).count == 1)
    #expect(conflict.model == "Book" && conflict.property == "title" && !conflict.isResolved)
    #expect(conflict.ancestor == .text("One") && conflict.local == .text("Mine") && conflict.remote == .text("Theirs"))
    let versions = try #require(conflict.versions(of: \Book.title))
    #expect(versions.ancestor == "One" && versions.local == "Mine" && versions.remote == "Theirs")
    #expect(conflict.versions(of: \Book.loans) == nil && conflict.versions(of: \Topic.name) == nil)
    try sync.resolve(conflict, keeping: .ancestor)
    for container in [first, second] { try await container.sync?.now() }
    for container in [first, second] {
      #expect(try ModelContext(container).fetch(FetchDescriptor<Book>()).map(\.title) == ["One"])
    }
    #expect(try sync.conflicts(where: #Predicate { !$0.isResolved }).isEmpty)
  }

  @Test(.timeLimit(.minutes(10)))
  func `a conflict can be marked as decided, and what was written since stays`() async throws {
    let (first, second) = try await libraries.editApart()
    for container in [first, second, first] { try await container.sync?.now() }
    let sync = try #require(first.sync)
    let context = ModelContext(first)
    try #require(try context.fetch(FetchDescriptor<Book>()).first).title = "Since"
    try context.save()
    for conflict in try sync.conflicts() { try sync.resolve(conflict, keeping: .current) }
    for container in [first, second] { try await container.sync?.now() }
    for container in [first, second] {
      #expect(try ModelContext(container).fetch(FetchDescriptor<Book>()).map(\.title) == ["Since"])
    }
    #expect(try !sync.conflicts().isEmpty && sync.conflicts().allSatisfy(\.isResolved))
  }

  @Test(.timeLimit(.minutes(10)))
  func `a row that was deleted while another device edited it can be brought back`() async throws {
    let (first, second) = (try container("first"), try container("second"))
    let (context, other) = (ModelContext(first), ModelContext(second))
    context.insert(Topic("Sea"))
    try context.save()
    try await first.sync?.now()
    try await second.sync?.now()
    first.sync?.pause()
    try #require(context.fetch(FetchDescriptor<Topic>()).first).motto = "Ahoy"
    try context.save()
    other.delete(try #require(other.fetch(FetchDescriptor<Topic>()).first))
    try other.save()
    try await second.sync?.now()
    try await first.sync?.now()
    #expect(try ModelContext(first).fetch(FetchDescriptor<Topic>()).isEmpty)
    let sync = try #require(first.sync)
    let conflict = try #require(sync.conflicts().first { $0.property == nil })
    // Nobody asks for it to be sent.
    let events = sync.events
    try sync.resolve(conflict, keeping: .local)
    #expect(sync.status.phase != .upToDate)
    for await event in events { if case .sent = event { break } }
    for container in [first, second] { try await container.sync?.now() }
    for container in [first, second] {
      #expect(try ModelContext(container).fetch(FetchDescriptor<Topic>()).map(\.motto) == ["Ahoy"])
    }
  }

  @Test func `a store that no server has answered yet has no conflicts`() throws {
    var configuration = ModelConfiguration("library", url: folder.store("alone"))
    configuration.sync = SyncConfiguration(identity: "none") { Unreached() }
    let container = try ModelContainer(for: OldShelf.Shelf.self, configurations: configuration)
    #expect(try container.sync?.conflicts().isEmpty ?? false)
  }

  @Test func `the rules of a newer program are not taken back by an older one`() async throws {
    func begin(_ name: String, _ schema: any VersionedSchema.Type) async throws {
      var configuration = ModelConfiguration("library", url: folder.store(name))
      configuration.sync = SyncConfiguration(identity: "test") { [server] in server.service(for: "ann") }
      let container = try ModelContainer(for: Schema(versionedSchema: schema), configurations: configuration)
      try await container.sync?.now()
      try container.close()
    }
    try await begin("new", NewShelf.self)
    try await begin("old", OldShelf.self)
    let hello = SyncHello(
      zone: "library", site: 9,
      schema: SyncSchema(entities: [
        SyncEntity(SyncName("Shelf"), fields: [SyncFieldDefinition(SyncName("count"))])
      ]))
    let welcome = try await server.service(for: "ann").begin(hello)
    let shelf = try #require(welcome.numbers.entities["Shelf"])
    #expect(welcome.rules[shelf.number]?.policy(of: shelf.fields["count"] ?? 0) == .counter)
  }
}

/// A server that takes no push before a gate is open.
private struct Gated<Service: SyncService>: Forwarding {
  let service: Service
  let gate: AsyncStream<Void>

  func push(_ push: SyncPush, to zone: String) async throws -> SyncPushAnswer {
    for await _ in gate { break }
    return try await service.push(push, to: zone)
  }
}

/// When a service was told to give up what the program was asked for.
private final class GivenUp: Sendable {
  let isLate = Mutex<[Bool]>([])
}

private struct Asking<Service: SyncService>: Forwarding {
  let service: Service
  let given: GivenUp

  func cancelTokenRequest(ifLate: Bool) { given.isLate.withLock { $0.append(ifLate) } }
}

/// How often something was asked.
private final class Answers: Sendable {
  private let count = Atomic<Int>(0)
  func next() -> Int { count.add(1, ordering: .relaxed).newValue }
}

/// A server whose sessions begin once the gate is open.
private struct SlowToBegin<Service: SyncService>: Forwarding {
  let service: Service
  let begun: AsyncStream<Void>.Continuation
  let gate: AsyncStream<Void>

  func begin(_ hello: SyncHello) async throws -> SyncWelcome {
    begun.yield()
    for await _ in gate {}
    return try await service.begin(hello)
  }
}

/// A server that counts how often a session begins.
private struct Beginning<Service: SyncService>: Forwarding {
  let service: Service
  let answers: Answers

  func begin(_ hello: SyncHello) async throws -> SyncWelcome {
    _ = answers.next()
    return try await service.begin(hello)
  }
}

/// A server whose first answer with a conflict has no room for rows, if it `isFull`.
private struct Full<Service: SyncService>: Forwarding {
  let service: Service
  let isFull: Bool
  let answers: Answers

  func push(_ push: SyncPush, to zone: String) async throws -> SyncPushAnswer {
    var answer = try await service.push(push, to: zone)
    if isFull, !answer.conflicts.isEmpty, answers.next() == 1 {
      answer.rest = answer.records.map(\.sequence).min().map { $0 - 1 }
      answer.records = []
    }
    return answer
  }
}

/// A server that says of more rows than it has, the first time.
private struct Wrong<Service: SyncService>: Forwarding {
  let service: Service
  let answers: Answers
  /// Before it is open nothing is said.
  let gate: AsyncStream<Void>

  func digest(of zone: String) async throws -> SyncDigest {
    for await _ in gate { break }
    var digest = try await service.digest(of: zone)
    if answers.next() == 1 { digest.rows[1, default: SyncDigest.Rows()].count += 1 }
    return digest
  }
}

/// A server whose first session begins with a failure, once the gate is open.
private struct FirstFails<Service: SyncService>: Forwarding {
  let service: Service
  let answers: Answers
  let begun: AsyncStream<Void>.Continuation
  let gate: AsyncStream<Void>

  func begin(_ hello: SyncHello) async throws -> SyncWelcome {
    if answers.next() > 1 { return try await service.begin(hello) }
    begun.yield()
    for await _ in gate {}
    throw SyncServiceError.unreachable("")
  }
}

/// A server that says nothing until the gate is open, and then fails.
private struct Closed: SyncService {
  let gate: AsyncStream<Void>

  private func fail() async throws -> Never {
    for await _ in gate {}
    throw SyncServiceError.unreachable("")
  }

  func begin(_ hello: SyncHello) async throws -> SyncWelcome { try await fail() }
  func push(_ push: SyncPush, to zone: String) async throws -> SyncPushAnswer { try await fail() }
  func page(
    behind cursor: Int64, seen: SyncPlace, of zone: String, for site: UInt64, limit: Int
  ) async throws -> SyncPage { try await fail() }
  func digest(of zone: String) async throws -> SyncDigest { try await fail() }
  func heads(of zone: String) async throws -> AsyncThrowingStream<Int64, any Error> { try await fail() }
}

/// A server that is not there.
private struct Unreached: SyncService {
  func begin(_ hello: SyncHello) async throws -> SyncWelcome { throw SyncServiceError.unreachable("") }
  func push(_ push: SyncPush, to zone: String) async throws -> SyncPushAnswer { throw SyncServiceError.unreachable("") }
  func page(
    behind cursor: Int64, seen: SyncPlace, of zone: String, for site: UInt64, limit: Int
  ) async throws -> SyncPage { throw SyncServiceError.unreachable("") }
  func digest(of zone: String) async throws -> SyncDigest { throw SyncServiceError.unreachable("") }
  func heads(of zone: String) async throws -> AsyncThrowingStream<Int64, any Error> {
    throw SyncServiceError.unreachable("")
  }
}

private enum OldShelf: VersionedSchema {
  static let versionIdentifier = Schema.Version(1, 0, 0)
  static var models: [any PersistentModel.Type] { [Shelf.self] }

  @Model final class Shelf {
    var count = 0
    init() {}
  }
}

private enum NewShelf: VersionedSchema {
  static let versionIdentifier = Schema.Version(2, 0, 0)
  static var models: [any PersistentModel.Type] { [Shelf.self] }

  @Model final class Shelf {
    @Attribute(.merge(.counter)) var count = 0
    init() {}
  }
}
