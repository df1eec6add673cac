import Foundation
import Roost
import RoostSync
import SyncMerge
import SyncServer
import SyncSimulation
import Synchronization
import TestSupport
import Testing

/// Stores that are given to another account.
@Suite struct AccountTests {
  private let libraries: SyncedLibraries

  init() throws { libraries = try SyncedLibraries { $0.remote } }

  private func container(_ name: String, user: String = "ann") throws -> ModelContainer {
    try libraries.container(name, user: user)
  }

  /// A store with one topic that ann's account has, and one that no account has.
  private func storeOfAnn() async throws {
    let container = try container("first")
    let context = ModelContext(container)
    context.insert(Topic("Sea"))
    try context.save()
    try await container.sync?.now()
    container.sync?.pause()
    context.insert(Topic("Sky"))
    try context.save()
    try container.close()
  }

  private func topics(_ container: ModelContainer) throws -> [String] {
    try ModelContext(container).fetch(FetchDescriptor<Topic>(sortBy: [SortDescriptor(\.name)])).map(\.name)
  }

  @Test(.timeLimit(.minutes(10)))
  func `a store of another account is not sent, and nothing of it is lost`() async throws {
    try await storeOfAnn()
    let bens = try container("first", user: "ben")
    await #expect(throws: SyncError.self) { try await bens.sync?.now() }
    // What ended the wait may have been the failure before, and it is being tried once more.
    func isBlocked() -> Bool { if case .blocked? = bens.sync?.status.phase { true } else { false } }
    while !isBlocked() { await Task.yield() }
    #expect(bens.sync?.status.error == .otherAccount)
    #expect(try topics(bens) == ["Sea", "Sky"])
    try bens.close()
    let (anns, other) = (try container("first"), try container("second"))
    try await anns.sync?.now()
    try await other.sync?.now()
    #expect(try topics(other) == ["Sea", "Sky"])
  }

  @Test func `a store that is given to another account brings its rows along`() async throws {
    try await storeOfAnn()
    let (first, second) = (try container("first", user: "ben"), try container("second", user: "ben"))
    let context = ModelContext(second)
    context.insert(Topic("Wood"))
    try context.save()
    try await second.sync?.now()
    try first.sync?.useAccount(.merge)
    try await first.sync?.now()
    try await second.sync?.now()
    for container in [first, second] { #expect(try topics(container) == ["Sea", "Sky", "Wood"]) }
  }

  @Test func `a store that is emptied for another account has that one's rows alone`() async throws {
    try await storeOfAnn()
    let (first, second) = (try container("first", user: "ben"), try container("second", user: "ben"))
    let context = ModelContext(second)
    context.insert(Topic("Wood"))
    try context.save()
    try await second.sync?.now()
    try first.sync?.useAccount(.discard)
    try await first.sync?.now()
    #expect(try topics(first) == ["Wood"])
    let anns = try container("third")
    try await anns.sync?.now()
    #expect(try topics(anns) == ["Sea"])
  }

  @Test func `the token of a former account is told from the account's, and what is on its way counts once`() throws {
    let folder = try Folder()
    let machine = try Machine(1, at: folder.store("first"))
    var (anns, bens) = (SyncZone(MemoryZone(SyncRegistry())), SyncZone(MemoryZone(SyncRegistry())))
    let book = Book("One")
    machine.context.insert(book)
    for loans in 1...3 {
      book.loans = loans
      try machine.context.save()
      try machine.sync(&anns)
    }
    try machine.synced.leaveAccount()
    try machine.sync(&bens)
    book.loans = 4
    try machine.context.save()
    // Ben's server takes it, and the answer is lost.
    _ = try bens.take(try #require(try machine.synced.nextPush(identity: 7, now: machine.now)), now: machine.now)
    #expect(throws: SyncedStoreError.otherAccount) { try machine.begin(&anns) }
    try machine.sync(&bens)
    let second = try Machine(2, at: folder.store("second"))
    try second.sync(&bens)
    #expect(try second.all(Book.self, by: SortDescriptor(\.code)).map(\.loans) == [4])
  }

  @Test func `the conflicts of an account go with its rows`() async throws {
    let (first, _) = try await libraries.editApart()
    let sync = try #require(first.sync)
    try await sync.now()
    #expect(try !sync.conflicts().isEmpty)
    try sync.useAccount(.discard)
    #expect(try sync.conflicts().isEmpty)
  }

  @Test(.timeLimit(.minutes(10)), arguments: [SyncEngine.AccountChoice.merge, .discard])
  func `a store that is up to date is one of the other account's at once, and hears of what that one's devices do`(
    choice: SyncEngine.AccountChoice
  ) async throws {
    let bens = try container("ben", user: "ben")
    let context = ModelContext(bens)
    context.insert(Topic("Wood"))
    try context.save()
    try await bens.sync?.now()
    let account = Account(of: "ann")
    let service = SignedIn(server: libraries.server, account: account)
    let container = try libraries.container("first") { service }
    let sync = try #require(container.sync)
    let own = ModelContext(container)
    own.insert(Topic("Sea"))
    try own.save()
    try await sync.now()
    account.user.withLock { $0 = "ben" }
    let events = sync.events
    try sync.useAccount(choice)
    #expect(sync.status.phase != .upToDate)
    for await event in events { if case .received = event { break } }
    try await sync.now()
    #expect(try topics(container) == (choice == .merge ? ["Sea", "Wood"] : ["Wood"]))
    context.insert(Topic("Hill"))
    try context.save()
    while try !topics(container).contains("Hill") {
      for await event in events { if case .received = event { break } }
    }
    #expect(account.listeners.load(ordering: .relaxed) == 1)
  }
}

/// Whose token a program has.
private final class Account: Sendable {
  let user: Mutex<String>
  /// How many streams of heads are open.
  let listeners = Atomic<Int>(0)
  init(of user: String) { self.user = Mutex(user) }
}

/// A server that is asked with the token of now.
private struct SignedIn: Forwarding {
  let server: SyncServer
  let account: Account

  var service: some SyncService { server.service(for: account.user.withLock(\.self)) }

  func heads(of zone: String) async throws -> AsyncThrowingStream<Int64, any Error> {
    let heads = try await service.heads(of: zone)
    account.listeners.add(1, ordering: .relaxed)
    let (stream, continuation) = AsyncThrowingStream.makeStream(of: Int64.self, throwing: (any Error).self)
    let task = Task {
      do {
        for try await head in heads { continuation.yield(head) }
        continuation.finish()
      } catch {
        continuation.finish(throwing: error)
      }
    }
    continuation.onTermination = { [account] _ in
      account.listeners.subtract(1, ordering: .relaxed)
      task.cancel()
    }
    return stream
  }
}
