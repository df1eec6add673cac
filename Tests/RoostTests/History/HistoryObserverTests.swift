import EncryptionSupport
import Foundation
import Observation
import Roost
import RoostEngine
import RoostTesting
import Synchronization
import Testing

/// Somebody who waits for new history.
@Suite struct HistoryObserverTests {
  private let fixture: HistoryFixture
  private var context: ModelContext { fixture.context }

  init() throws { fixture = try HistoryFixture() }

  private func observer(
    _ models: [any PersistentModel.Type] = [], by authors: Set<String> = [], from token: DefaultHistoryToken? = nil
  ) throws -> HistoryObserver {
    try HistoryObserver(
      historyTokens: token.map { [$0.storeIdentifier: $0] }, observedModels: models, authors: authors,
      modelContainer: fixture.container, isolation: nil)
  }

  private func add(_ model: any PersistentModel, by author: String? = nil) throws {
    context.author = author
    context.insert(model)
    try context.save()
  }

  @Test func `only transactions of the models and authors that are observed count`() throws {
    try add(Fan(name: "before"))
    let (all, bands, widgets) = (
      try observer(), try observer([Band.self]), try observer([Fan.self], by: ["widget"])
    )
    var counters: [Int] { [all, bands, widgets].map(\.eventCounter) }
    #expect(counters == [0, 0, 0])
    try add(Fan(name: "a"))
    #expect(counters == [1, 0, 0])
    try add(Band(name: "a"), by: "widget")
    #expect(counters == [2, 1, 0])
    try add(Fan(name: "b"), by: "widget")
    #expect(counters == [3, 1, 1] && counters == [3, 1, 1])
    try add(Fan(name: "c"))
    try add(Band(name: "b"))
    #expect(counters == [4, 2, 1])
  }

  @Test func `an observer from a token on has what came behind it`() throws {
    try add(Fan(name: "a"))
    let token = try #require(try fixture.transactions.last?.token)
    #expect(try observer(from: token).eventCounter == 0)
    try add(Fan(name: "b"))
    #expect(try observer(from: token).eventCounter == 1)
    try context.deleteHistory(HistoryDescriptor<DefaultHistoryTransaction>())
    #expect(throws: SwiftDataError.historyTokenExpired) { try observer(from: token) }
    let off = try HistoryFixture(.off)
    #expect(throws: SwiftDataError.invalidTransactionFetchRequest) {
      try HistoryObserver(modelContainer: off.container, isolation: nil)
    }
  }

  @Test func `transactions that were deleted before the observer looked are an event`() throws {
    let (all, bands) = (try observer(), try observer([Band.self], by: ["widget"]))
    for name in ["a", "b"] { try add(Fan(name: name)) }
    try context.deleteHistory(HistoryDescriptor<DefaultHistoryTransaction>())
    // Nobody knows any more whose they were.
    #expect(all.eventCounter == 1 && bands.eventCounter == 1)
    try add(Fan(name: "c"))
    #expect(all.eventCounter == 2 && bands.eventCounter == 1)
    // Seen before it goes.
    try context.deleteHistory(HistoryDescriptor<DefaultHistoryTransaction>())
    try add(Band(name: "a"), by: "widget")
    #expect(all.eventCounter == 3 && bands.eventCounter == 2)
  }

  @Test(.rowsTold) func `a transaction is looked at up to the first change that counts`() throws {
    let (bands, fans) = (try observer([Band.self]), try observer([Fan.self]))
    let widgets = try observer([Fan.self], by: ["widget"])
    try add(Band(name: "a"))
    let other = try Connection(ConnectionOptions(location: .file(path: fixture.folder.store.path)))
    defer { other.close() }
    // What is behind that change cannot be read.
    try other.execute("UPDATE _roost_transaction SET changes = CAST(changes || x'ff' AS BLOB)")
    #expect(bands.eventCounter == 1)
    #expect(fans.eventCounter == 0 && widgets.eventCounter == 0)
    #expect(throws: SwiftDataError.corruptValue) { try fixture.transactions }
    try context.deleteHistory(HistoryDescriptor<DefaultHistoryTransaction>())
    try add(Fan(name: "b"), by: "widget")
    #expect([bands, fans, widgets].map(\.eventCounter) == [1, 1, 1])
  }

  @Test @MainActor func `whoever observes the counter is told on the actor that made the observer`() async throws {
    let observer = try HistoryObserver(observedModels: [Band.self], modelContainer: fixture.container)
    let (told, tell) = AsyncStream.makeStream(of: Void.self)
    withObservationTracking {
      #expect(observer.eventCounter == 0)
    } onChange: {
      MainActor.assertIsolated()
      tell.yield()
    }
    try add(Band(name: "a"))
    for await _ in told { break }
    #expect(observer.eventCounter == 1)
  }

  @Test func `what could not be looked at is looked at later`() throws {
    let observer = try observer()
    try fixture.container.withDatabase { database in
      try add(Fan(name: "a"), in: database)
      // The store is being written: it cannot be read beside that.
      #expect(observer.eventCounter == 0)
    }
    #expect(observer.eventCounter == 1)
    try add(Fan(name: "b"))
    try fixture.container.withDatabase { database in
      #expect(observer.eventCounter == 1)
      try add(Fan(name: "c"), in: database)
    }
    #expect(observer.eventCounter == 2)
  }

  private func add(_ fan: Fan, in database: SQLDatabase) throws {
    try database.execute(sql: "INSERT INTO Fan (name) VALUES (\(fan.name))")
  }

  @Test func `what is committed while an observer begins counts`() throws {
    let store = Mutex<(container: ModelContainer?, isRead: Bool)>((nil, false))
    let configuration = ModelConfiguration(url: fixture.folder.url.appending(path: "other.store"))
    let recorder = StatementRecorder(keepsAll: false) { sql in
      let container = store.withLock { store -> ModelContainer? in
        if sql.hasPrefix("SELECT max(id) FROM _roost_transaction") { store.isRead = store.container != nil }
        return store.isRead && sql == "COMMIT" ? store.container.take() : nil
      }
      guard let container else { return }
      // Behind what the observer has read, and before it knows that.
      let isDone = DispatchSemaphore(value: 0)
      Thread.detachNewThread {
        let context = ModelContext(container)
        context.insert(Fan(name: "a"))
        try? context.save()
        isDone.signal()
      }
      #expect(isDone.wait(timeout: .now() + 60) == .success)
    }
    let container = try ModelContainer(
      for: Band.self, Record.self, Fan.self, configurations: configuration.recording(to: recorder))
    store.withLock { $0.container = container }
    let observer = try HistoryObserver(modelContainer: container, isolation: nil)
    #expect(try ModelContext(container).fetchCount(FetchDescriptor<Fan>()) == 1)
    #expect(observer.eventCounter == 1)
  }

  @Test func `other programs' changes count`() async throws {
    let observer = try observer([Band.self])
    let other = try Connection(ConnectionOptions(location: .file(path: fixture.folder.store.path)))
    defer { other.close() }
    try other.execute("INSERT INTO Band (name, size) VALUES ('a', 1)")
    while observer.eventCounter == 0 { await Task.yield() }
    #expect(observer.eventCounter == 1)
  }
}
