import EncryptionSupport
import Foundation
import Roost
import RoostEngine
import RoostTesting
import Testing

/// Writes of other programs: here, of another connection and of another container.
@Suite(.timeLimit(.minutes(20))) @MainActor struct OutsideWriteTests {
  private let folder: TemporaryFolder
  private let recorder = StatementRecorder()

  init() throws { folder = try TemporaryFolder() }

  private func container(interval: Duration = .milliseconds(10)) throws -> ModelContainer {
    var configuration = ModelConfiguration(url: folder.store).recording(to: recorder)
    configuration.storeOptions.pollingInterval = interval
    return try ModelContainer(for: Author.self, configurations: configuration)
  }

  @Test func `another program's writes are told`() async throws {
    let container = try container()
    let observer = try ResultsObserver<Tag, Never>(
      sortBy: [SortDescriptor(\.name)], modelContext: container.mainContext)
    let connection = try Connection(ConnectionOptions(location: .file(path: folder.store.path)))
    try await change(of: observer) { try connection.execute("INSERT INTO Tag (name) VALUES ('a'), ('b')") }
    #expect(observer.results.map(\.name) == ["a", "b"])
    let tag = observer.results[0]
    try await change(of: observer) { try connection.execute("UPDATE Tag SET name = 'c' WHERE name = 'a'") }
    #expect(observer.results.map(\.name) == ["b", "c"])
    #expect(tag.name == "c")
    try await change(of: observer) { try connection.execute("DELETE FROM Tag WHERE name = 'b'") }
    #expect(observer.results.map(\.name) == ["c"])
  }

  @Test func `an interval may be longer than any clock can tell`() async throws {
    let container = try container(interval: .seconds(Int64.max))
    let observer = try ResultsObserver<Tag, Never>(modelContext: container.mainContext)
    #expect(container._isPolling)
    // The task that looks has its turns to begin to wait.
    for _ in 0..<1_000 { await Task.yield() }
    #expect(observer.results.isEmpty)
  }

  @Test func `another container's writes are told, with relationships`() async throws {
    let (container, other) = (try container(), ModelContext(try container()))
    let author = Author(name: "Lack")
    other.insert(author)
    try other.save()
    let observer = try ResultsObserver<Author, Never>(modelContext: container.mainContext)
    #expect(observer.results.map(\.books.count) == [0])
    try await change(of: observer) {
      other.insert(Book(title: "A", author: author))
      try other.save()
    }
    #expect(observer.results.map(\.books.count) == [1])
  }

  @Test(.rowsTold) func `what was written before an observer was made is no news, nor are own saves`() async throws {
    let container = try container()
    let connection = try Connection(ConnectionOptions(location: .file(path: folder.store.path)))
    let observer = try ResultsObserver<Tag, Never>(modelContext: container.mainContext)
    try await change(of: observer) { try connection.execute("INSERT INTO Tag (name) VALUES ('a')") }
    var count = recorder.statements.count
    func looks() -> Int { recorder.statements[count...].count { $0.hasPrefix("PRAGMA data_version") } }
    // By the next look all have been told of the last.
    while looks() < 1 { await Task.yield() }
    await waitUntilTold(container)
    let context = ModelContext(container)
    context.insert(Author(name: "Lack"))
    try context.save()
    // Several looks at the file later.
    count = recorder.statements.count
    while looks() < 5 { await Task.yield() }
    #expect(!recorder.statements[count...].contains { $0.hasPrefix("SELECT") && $0.contains("\"Tag\"") })
    count = recorder.statements.count
    withExtendedLifetime(observer) {}
  }

  @Test func `a store that nobody observes is not looked at`() async throws {
    let container = try container(interval: .zero)
    let observer = try ResultsObserver<Tag, Never>(modelContext: container.mainContext)
    #expect(!container._isPolling)
    withExtendedLifetime(observer) {}
    let polled = try self.container()
    #expect(!polled._isPolling)
    var second: ResultsObserver<Tag, Never>? = try ResultsObserver(modelContext: polled.mainContext)
    #expect(second != nil && polled._isPolling)
    second = nil
    #expect(!polled._isPolling)
  }

  @Test func `a model that is observed shows what another program writes, as long as it lives`() async throws {
    let container = try container()
    let context = container.mainContext
    context.insert(Tag(name: "a"))
    try context.save()
    var tag = try context.fetch(FetchDescriptor<Tag>()).first
    #expect(!container._isPolling)
    let connection = try Connection(ConnectionOptions(location: .file(path: folder.store.path)))
    await withCheckedContinuation { continuation in
      _ = withObservationTracking {
        tag?.name
      } onChange: {
        continuation.resume()
      }
      #expect(container._isPolling)
      #expect(throws: Never.self) { try connection.execute("UPDATE Tag SET name = 'b'") }
    }
    await waitUntilTold(container)
    #expect(tag?.name == "b")
    tag = nil
    context._forgetRecentModels()
    #expect(!container._isPolling)
  }

  @Test func `a model that is observed in a store in memory has nothing looked at`() throws {
    let context = try makeLibrary()
    let tag = Tag(name: "a")
    context.insert(tag)
    try context.save()
    withObservationTracking {
      _ = tag.name
    } onChange: {
    }
    #expect(!context.container._isPolling)
  }

  @Test func `a container with a released observer closes its store`() throws {
    weak var container: ModelContainer?
    try {
      let made = try self.container()
      container = made
      let observer = try ResultsObserver<Tag, Never>(modelContainer: made)
      observer.modelContext.insert(Tag(name: "a"))
      try observer.modelContext.save()
      #expect(observer.results.count == 1)
    }()
    #expect(container == nil)
    #expect(!FileManager.default.fileExists(atPath: folder.store.path + "-wal"))
  }
}
