import EncryptionSupport
import Foundation
import Roost
import RoostCore
import RoostEngine
import Synchronization
import Testing

/// Whoever is told of a write may use the store: no connection is held meanwhile.
@Suite struct TellingTests {
  private let folder: TemporaryFolder
  private let container: ModelContainer
  private let listener: Listener

  init() throws {
    folder = try TemporaryFolder()
    container = try ModelContainer(for: Tag.self, configurations: ModelConfiguration(url: folder.store))
    let context = ModelContext(container)
    context.insert(Tag(name: "a"))
    try context.save()
    listener = Listener(container)
    container.store.tell(listener, isObserver: false)
  }

  @Test func `who is told of SQL may write`() throws {
    try ModelContext(container).execute(sql: "UPDATE Tag SET name = 'b'")
    #expect(listener.outcomes == ["written"])
  }

  @Test func `who is told of an update in bulk may write`() throws {
    try ModelContext(container).update(model: Tag.self, set: .set(\.name, to: "b"))
    #expect(listener.outcomes == ["written"])
  }

  @Test func `who is told of another program's write as it is read may write`() throws {
    let context = ModelContext(container)
    _ = try context.fetch(FetchDescriptor<Tag>())
    let other = try Connection(ConnectionOptions(location: .file(path: folder.store.path)))
    try other.execute("UPDATE Tag SET name = 'b'")
    other.close()
    #expect(try context.fetch(FetchDescriptor<Tag>()).map(\.name) == ["b"])
    #expect(listener.outcomes == ["written"])
  }
}

/// Writes once as it is told.
private final class Listener: WriteListener {
  private let container: ModelContainer
  private let state = Mutex<(isWriting: Bool, outcomes: [String])>((false, []))

  init(_ container: ModelContainer) { self.container = container }

  var outcomes: [String] { state.withLock(\.outcomes) }

  func note(_ written: WrittenRows, by writer: ObjectIdentifier?) {
    if state.withLock({ state in
      defer { state.isWriting = true }
      return state.isWriting
    }) {
      return
    }
    var outcome = "written"
    do {
      try ModelContext(container).execute(sql: "INSERT INTO Tag (name) VALUES ('told')")
    } catch {
      outcome = "\(error)"
    }
    state.withLock { $0.outcomes.append(outcome) }
  }
}
