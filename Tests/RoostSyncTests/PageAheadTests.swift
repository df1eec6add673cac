import Dispatch
import Roost
@testable import RoostSync
import SyncMerge
import SyncServer
import SyncSimulation
import Synchronization
import Testing

/// Pages that are asked for while the one before is shown.
@Suite struct PageAheadTests {
  private let service = Pages()
  private let pages: PageAhead

  init() { pages = PageAhead(service, pageLimit: 2) }

  private func request(_ cursor: Int64) -> SyncRequest {
    .page(behind: cursor, seen: SyncPlace(sequence: 30, mark: 1), site: 7, zone: "zone")
  }

  private func push() -> SyncRequest { .push(SyncPush(site: 7, number: 1, identity: 1, edits: []), zone: "zone") }

  @Test func `each page is asked for once, and before anybody asks for it`() async throws {
    var asked = service.asked.makeAsyncIterator()
    guard case .page(let first) = try await pages.answer(to: .page(behind: 0, seen: .start, site: 7, zone: "zone"))
    else {
      throw SyncServiceError.malformed("no page")
    }
    #expect(first.cursor == 10 && !first.isLast)
    #expect(await asked.next() == 0)
    #expect(await asked.next() == 10)
    #expect(try await pages.answer(to: request(10)) == .page(Pages.page(behind: 10)))
    #expect(await asked.next() == 20)
    #expect(try await pages.answer(to: request(20)) == .page(Pages.page(behind: 20)))
    // That was the last one.
    #expect(try await pages.answer(to: push()) == .push(Pages.pushAnswer))
    #expect(service.count == 3)
  }

  @Test func `a page is asked for again when something was sent meanwhile`() async throws {
    var asked = service.asked.makeAsyncIterator()
    _ = try await pages.answer(to: request(0))
    #expect(await asked.next() == 0)
    #expect(await asked.next() == 10)
    _ = try await pages.answer(to: push())
    _ = try await pages.answer(to: request(10))
    #expect(await asked.next() == 10)
  }

  @Test(.timeLimit(.minutes(10)))
  func `a page that was asked for ahead and is not wanted is given up`() async throws {
    let (ends, end) = AsyncStream<Void>.makeStream()
    let pages = PageAhead(Gated(pages: service, gate: AsyncStream { _ in }, end: end), pageLimit: 2)
    _ = try await pages.answer(to: request(0))
    _ = try await pages.answer(to: push())
    for await _ in ends { break }
  }

  @Test(.timeLimit(.minutes(10)))
  func `who asks is shown what was written after a page was asked for ahead`() async throws {
    let libraries = try SyncedLibraries { $0.remote }
    let first = try libraries.container("first")
    let context = ModelContext(first)
    for name in ["Sea", "Sky"] { context.insert(Topic(name)) }
    try context.save()
    try await first.sync?.now()
    let meanwhile = Meanwhile()
    let second = try libraries.container("second") { [server = libraries.server] in
      Hindered(service: server.service(for: "ann"), meanwhile: meanwhile)
    }
    let sync = try #require(second.sync)
    let (ends, end) = AsyncStream<Void>.makeStream()
    let (holds, hold) = AsyncStream<Void>.makeStream()
    let isOver = DispatchSemaphore(value: 0)
    meanwhile.pages.withLock {
      $0 = [
        {
          // The first page is not shown before the next one is there.
          Task {
            try await sync.onQueue { _ in
              hold.finish()
              isOver.wait()
            }
          }
          for await _ in holds {}
        },
        {
          let context = ModelContext(first)
          context.insert(Topic("Wood"))
          try context.save()
          try await first.sync?.now()
          meanwhile.asking.withLock { $0 = Task { try await sync.now() } }
          while sync.waiterCount == 0 { await Task.yield() }
          end.finish()
          isOver.signal()
        },
      ]
    }
    meanwhile.begin.finish()
    for await _ in ends {}
    try await meanwhile.asking.withLock(\.self)?.value
    #expect(try ModelContext(second).fetchCount(FetchDescriptor<Topic>()) == 3)
  }

  @Test func `another page than the next one is asked for`() async throws {
    _ = try await pages.answer(to: request(0))
    #expect(try await pages.answer(to: request(20)) == .page(Pages.page(behind: 20)))
  }

  @Test func `what failed ahead is told to whoever asks for that page, and it is asked for again`() async throws {
    var asked = service.asked.makeAsyncIterator()
    _ = try await pages.answer(to: request(0))
    #expect(await asked.next() == 0)
    #expect(await asked.next() == 10)
    service.fails = true
    _ = try await pages.answer(to: request(10))
    #expect(await asked.next() == 20)
    service.fails = false
    await #expect(throws: SyncServiceError.unauthorized) { try await pages.answer(to: request(20)) }
    #expect(try await pages.answer(to: request(20)) == .page(Pages.page(behind: 20)))
  }

  @Test(.timeLimit(.minutes(10)))
  func `what was asked for ahead ends with the task that waits for it`() async throws {
    let (gate, open) = AsyncStream<Void>.makeStream()
    let pages = PageAhead(Gated(pages: service, gate: gate), pageLimit: 2)
    _ = try await pages.answer(to: request(0))
    let next = request(10)
    let waiting = Task { try await pages.answer(to: next) }
    waiting.cancel()
    await #expect(throws: CancellationError.self) { try await waiting.value }
    open.finish()
  }
}

/// A server that gives the first page, and no other before a gate is open.
private struct Gated: SyncService {
  let pages: Pages
  let gate: AsyncStream<Void>
  /// Told of each page that was not given, as its task was cancelled.
  var end: AsyncStream<Void>.Continuation?

  func page(behind cursor: Int64, seen: SyncPlace, of zone: String, for site: UInt64, limit: Int) async throws
    -> SyncPage
  {
    if cursor > 0 {
      for await _ in gate {}
      if Task.isCancelled { end?.yield() }
      try Task.checkCancellation()
    }
    return try await pages.page(behind: cursor, seen: seen, of: zone, for: site, limit: limit)
  }

  func push(_ push: SyncPush, to zone: String) async throws -> SyncPushAnswer { try await pages.push(push, to: zone) }
  func begin(_ hello: SyncHello) async throws -> SyncWelcome { try await pages.begin(hello) }
  func digest(of zone: String) async throws -> SyncDigest { try await pages.digest(of: zone) }
  func heads(of zone: String) async throws -> AsyncThrowingStream<Int64, any Error> { try await pages.heads(of: zone) }
}

/// A server with three pages.
private final class Pages: SyncService {
  let asked: AsyncStream<Int64>
  private let continuation: AsyncStream<Int64>.Continuation
  private let state = Mutex((count: 0, fails: false))

  init() { (asked, continuation) = AsyncStream.makeStream() }

  var count: Int { state.withLock { $0.count } }
  var fails: Bool {
    get { state.withLock { $0.fails } }
    set { state.withLock { $0.fails = newValue } }
  }

  static let pushAnswer = SyncPushAnswer(
    number: 1, records: [], conflicts: [], place: SyncPlace(sequence: 30, mark: 1))

  static func page(behind cursor: Int64) -> SyncPage {
    SyncPage(
      records: [], cursor: cursor + 10, isLast: cursor >= 20, taken: .none, place: SyncPlace(sequence: 30, mark: 1))
  }

  func page(behind cursor: Int64, seen: SyncPlace, of zone: String, for site: UInt64, limit: Int) async throws
    -> SyncPage
  {
    let fails = state.withLock { state in
      state.count += 1
      return state.fails
    }
    continuation.yield(cursor)
    if fails { throw SyncServiceError.unauthorized }
    return Self.page(behind: cursor)
  }

  func push(_ push: SyncPush, to zone: String) async throws -> SyncPushAnswer { Self.pushAnswer }
  func begin(_ hello: SyncHello) async throws -> SyncWelcome { throw SyncServiceError.unauthorized }
  func digest(of zone: String) async throws -> SyncDigest { throw SyncServiceError.unauthorized }
  func heads(of zone: String) async throws -> AsyncThrowingStream<Int64, any Error> { AsyncThrowingStream { nil } }
}

/// What happens as a device fetches pages.
private final class Meanwhile: Sendable {
  /// What is done once a page is known, and before it is told.
  let pages = Mutex<[@Sendable () async throws -> Void]>([])
  let asking = Mutex<Task<Void, any Error>?>(nil)
  let (begins, begin) = AsyncStream<Void>.makeStream()
}

/// A server whose pages have one row, and that says by itself of no change.
private struct Hindered<Service: SyncService>: Forwarding {
  let service: Service
  let meanwhile: Meanwhile

  func page(
    behind cursor: Int64, seen: SyncPlace, of zone: String, for site: UInt64, limit: Int
  ) async throws -> SyncPage {
    for await _ in meanwhile.begins {}
    let page = try await service.page(behind: cursor, seen: seen, of: zone, for: site, limit: 1)
    let work = meanwhile.pages.withLock { $0.isEmpty ? nil : $0.removeFirst() }
    try await work?()
    return page
  }

  func heads(of zone: String) async throws -> AsyncThrowingStream<Int64, any Error> { AsyncThrowingStream { _ in } }
}
