import Foundation
import Observation
import Synchronization
import Testing

@testable import RoostPreferences

struct ObservingTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// How often an observer of what `body` reads is told.
  private func counting(_ body: () -> Void) -> Tally {
    let tally = Tally()
    withObservationTracking(body) { tally.add() }
    return tally
  }

  private final class Tally: Sendable {
    private let number = Mutex(0)
    var count: Int { number.withLock { $0 } }
    func add() { number.withLock { $0 += 1 } }
  }

  @Test func `who reads a value is told when it changes, and of no other key`() {
    let preferences = Preferences.inMemory()
    let tally = counting { _ = preferences[.a] }
    preferences[.b] = 1
    preferences[.a] = 0
    preferences[.a] = 0
    #expect(tally.count == 1)
    let another = counting { _ = preferences[.a] }
    preferences[.a] = 0
    #expect(another.count == 0)
    preferences.reset(.a)
    #expect(another.count == 1)
  }

  @Test func `an observer may look at the value when it is told`() {
    let preferences = Preferences.inMemory()
    let seen = Mutex<Int?>(nil)
    withObservationTracking {
      _ = preferences[.a]
    } onChange: {
      seen.withLock { $0 = preferences[.a] }
    }
    preferences[.a] = 1
    // Observers are told before a value changes.
    #expect(seen.withLock { $0 } == 0)
    #expect(preferences[.a] == 1)
  }

  @Test(.timeLimit(.minutes(20))) func `who reads a value is told when another process changes it`() async {
    let preferences = folder.preferences()
    let changes = preferences.changes
    let other = Preferences(at: folder.file)
    for number in 1...3 {
      await withCheckedContinuation { continuation in
        withObservationTracking {
          _ = preferences[.a]
        } onChange: {
          continuation.resume()
        }
        other[.a] = number
      }
    }
    for await _ in changes where preferences[.a] == 3 { break }
  }

  /// A file that another process writes just before it is watched.
  private final class LateStorage: PreferenceStorage {
    private let file: SpyStorage

    init(_ url: URL) { file = SpyStorage(url) }

    var url: URL? { file.url }
    func load() throws(PreferencesError) -> LoadedPreferences { try file.load() }
    func save(
      _ changes: [String: JSONValue?], known: [String: JSONValue]
    ) throws(PreferencesError) -> LoadedPreferences { try file.save(changes, known: known) }
    func watch(_ onChange: @escaping @Sendable () -> Void) throws(PreferencesError) {
      _ = try file.save(["a": .some(.integer(1))], known: [:])
    }
  }

  @Test func `what others write until the file is watched is seen`() {
    let preferences = Preferences(LateStorage(folder.file), delay: .seconds(3_600))
    #expect(preferences[.a] == 1)
  }

  #if os(Linux)
    @Test(.timeLimit(.minutes(20))) func `a folder that was removed and made anew is watched again`() async throws {
      let file = PreferenceFile(folder.file)
      let (changes, change) = AsyncStream<Void>.makeStream()
      try file.watch { change.yield() }
      try FileManager.default.removeItem(at: folder.url)
      for await _ in changes where try file.load().problem == .notWatched { break }
      // The write makes the folder.
      _ = try file.save(["b": .integer(1)], known: [:])
      let other = Preferences(at: folder.file)
      #expect(other[.b] == 1)
      other[.a] = 5
      try other.flush()
      for await _ in changes where try file.load().values?["a"] == .integer(5) { break }
    }

    @Test(.timeLimit(.minutes(20))) func `a folder in the place of one that was renamed is watched`() async throws {
      let file = PreferenceFile(folder.file)
      let (changes, change) = AsyncStream<Void>.makeStream()
      try file.watch { change.yield() }
      let aside = folder.url.appendingPathExtension("aside")
      try FileManager.default.moveItem(at: folder.url, to: aside)
      defer { try? FileManager.default.removeItem(at: aside) }
      for await _ in changes where try file.load().problem == .notWatched { break }
      let other = Preferences(at: folder.file)
      _ = try file.save([:], known: [:])
      other[.a] = 5
      try other.flush()
      for await _ in changes where try file.load().values?["a"] == .integer(5) { break }
    }
  #endif

  @Test func `an observer may write when it is told of what another process wrote`() throws {
    let preferences = Preferences(SpyStorage(folder.file), delay: .seconds(3_600))
    withObservationTracking {
      _ = preferences[.a]
    } onChange: {
      preferences[.b] = 2
      try? preferences.flush()
    }
    try folder.write("{ \"a\": 1 }")
    preferences.reload()
    #expect(preferences[.a] == 1)
    #expect(folder.text == "{\n  \"a\" : 1,\n  \"b\" : 2\n}\n")
  }

  @Test func `who looks again before the value is there is told once more`() {
    let preferences = Preferences.inMemory()
    let seen = Mutex<[Int]>([])
    @Sendable func look() {
      withObservationTracking {
        let value = preferences[.a]
        seen.withLock { $0.append(value) }
      } onChange: {
        look()
      }
    }
    look()
    preferences[.a] = 1
    #expect(seen.withLock { $0 } == [0, 0, 1])
  }

  @Test(.timeLimit(.minutes(20))) func `a file that is edited in place is noticed`() async throws {
    let preferences = folder.preferences()
    let changes = preferences.changes
    let descriptor = try FileHandle(
      forWritingTo: {
        try folder.write("{}"); return folder.file
      }())
    try descriptor.write(contentsOf: Data("{ \"name\": \"Grace\" }".utf8))
    try descriptor.close()
    for await names in changes where names == ["name"] { break }
    #expect(preferences[.name] == "Grace")
  }

  @Test func `changes tell who looks seldom of all at once`() async {
    let preferences = Preferences.inMemory()
    var changes = preferences.changes.makeAsyncIterator()
    preferences[.a] = 1
    preferences[.b] = 1
    preferences[.a] = 2
    #expect(await changes.next() == ["a", "b"])
    preferences.reset(.a)
    #expect(await changes.next() == ["a"])
  }

  @Test func `all who listen are told, and who has stopped is forgotten`() async {
    let preferences = Preferences.inMemory()
    do {
      var (first, second) = (preferences.changes.makeAsyncIterator(), preferences.changes.makeAsyncIterator())
      preferences[.a] = 1
      #expect(await first.next() == ["a"])
      #expect(await second.next() == ["a"])
      #expect(preferences.listeners.count == 2)
    }
    #expect(preferences.listeners.count == 0)
  }

  @Test(.timeLimit(.minutes(20))) func `who listens hears all, and ends when the preferences are gone`() async {
    func changes() -> Preferences.Changes {
      let preferences = Preferences.inMemory()
      let changes = preferences.changes
      preferences[.a] = 1
      return changes
    }
    var heard: Set<String> = []
    for await names in changes() { heard.formUnion(names) }
    #expect(heard == ["a"])
  }

  @Test func `who listens ends when its task is cancelled`() async {
    let preferences = Preferences.inMemory()
    let task = Task { for await _ in preferences.changes {} }
    task.cancel()
    await task.value
  }
}
