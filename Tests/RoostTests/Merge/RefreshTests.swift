import Foundation
import Observation
import Roost
import RoostCore
import RoostEngine
import Synchronization
import Testing

@ModelActor private actor NoteWriter {
  func edit(_ identifier: PersistentIdentifier, title: String) throws {
    self[identifier, as: MergedNote.self]?.title = title
    try modelContext.save()
  }

  /// A model of the actor's, in its turns.
  func title(_ identifier: PersistentIdentifier) -> String? {
    kept = kept ?? self[identifier, as: MergedNote.self]
    return kept?.title
  }

  private var kept: MergedNote?
}

/// What contexts show of others' writes by the next turn of their actors, without a fetch.
@Suite(.timeLimit(.minutes(20))) @MainActor struct RefreshTests {
  private let container: ModelContainer
  private let context: ModelContext
  private let note: MergedNote
  private let folder: MergedFolder
  private let tag: MergedTag

  init() throws {
    container = try ModelContainer(
      for: MergedNote.self, configurations: ModelConfiguration(isStoredInMemoryOnly: true))
    context = container.mainContext
    (note, folder, tag) = (MergedNote(title: "A", stars: 1), MergedFolder(name: "F"), MergedTag(name: "T"))
    context.insert(note)
    context.insert(folder)
    context.insert(tag)
    note.folder = folder
    note.tags = [tag]
    try context.save()
  }

  @Test func `a model that was deleted and is inserted again shows what others wrote meanwhile`() throws {
    context.delete(tag)
    let other = ModelContext(container)
    try #require(try other.fetch(FetchDescriptor<MergedTag>()).first).name = "other"
    try other.save()
    context.noticeOtherSaves()
    context.insert(tag)
    #expect(tag.name == "other")
  }

  @Test func `a model that was deleted elsewhere and is inserted again is found once`() throws {
    tag.name = "own"
    #expect(try context.fetch(FetchDescriptor<MergedTag>()).map(\.name) == ["own"])
    let other = ModelContext(container)
    other.delete(try #require(try other.fetch(FetchDescriptor<MergedTag>()).first))
    try other.save()
    context.noticeOtherSaves()
    #expect(tag.isDeleted)
    context.insert(tag)
    #expect(try context.fetch(FetchDescriptor<MergedTag>()) == [tag] && tag.name == "own")
    try context.save()
    #expect(try ModelContext(container).fetch(FetchDescriptor<MergedTag>()).map(\.name) == ["own"])
  }

  /// Has another context write.
  private func write(_ body: (ModelContext, MergedNote) throws -> Void) throws {
    let other = ModelContext(container)
    try body(other, #require(try other.fetch(FetchDescriptor<MergedNote>()).first { $0.title == "A" }))
    try other.save()
  }

  /// Counts how often what is read is told to be another.
  private func observe(_ body: () -> Void) -> Counter {
    let counter = Counter()
    withObservationTracking(body) { counter.count.add(1, ordering: .relaxed) }
    return counter
  }

  private final class Counter: Sendable {
    let count = Atomic<Int>(0)
    var value: Int { count.load(ordering: .relaxed) }
  }

  @Test func `a model whose row is gone is told of once, whatever its context looks at later`() throws {
    let counter = observe { _ = tag.name }
    let other = ModelContext(container)
    try other.delete(model: MergedTag.self)
    try other.save()
    _ = try context.fetchCount(FetchDescriptor<MergedNote>())
    #expect(tag.isDeleted && counter.value == 1)
    let later = observe { _ = tag.name }
    note.title = "B"
    context.rollback()
    _ = try context.fetchCount(FetchDescriptor<MergedNote>())
    #expect(tag.isDeleted && later.value == 0)
  }

  @Test func `a fetch that is the first to see another program's write tells who observes the models`() throws {
    let folder = try TemporaryFolder()
    var configuration = ModelConfiguration(url: folder.store)
    configuration.storeOptions.pollingInterval = .zero
    let context = ModelContext(try ModelContainer(for: MergedNote.self, configurations: configuration))
    let tag = MergedTag(name: "T")
    context.insert(tag)
    try context.save()
    let counter = observe { _ = tag.name }
    let shell = try Connection(ConnectionOptions(location: .file(path: folder.store.path)))
    defer { shell.close() }
    try shell.execute("UPDATE MergedTag SET name = 'U'")
    #expect(try context.fetch(FetchDescriptor<MergedTag>()).map(\.name) == ["U"])
    #expect(counter.value == 1)
  }

  @Test func `the main context shows what an actor saved`() async throws {
    #expect(note.title == "A")
    try await NoteWriter(modelContainer: container).edit(note.persistentModelID, title: "B")
    await waitUntilTold(container)
    #expect(note.title == "B")
  }

  @Test func `an actor's context shows what the main context saved`() async throws {
    let writer = NoteWriter(modelContainer: container)
    let identifier = note.persistentModelID
    #expect(await writer.title(identifier) == "A")
    note.title = "B"
    try context.save()
    await waitUntilTold(container)
    #expect(await writer.title(identifier) == "B")
  }

  @Test func `a context with an isolation of its own shows it, others from their next fetch on`() async throws {
    let (isolated, loose) = (ModelContext(container, isolation: #isolation), ModelContext(container))
    let (first, second) = (
      try #require(try isolated.fetch(FetchDescriptor<MergedNote>()).first),
      try #require(try loose.fetch(FetchDescriptor<MergedNote>()).first)
    )
    try write { $1.stars = 5 }
    await waitUntilTold(container)
    #expect(first.stars == 5 && second.stars == 1)
    _ = try loose.fetchCount(FetchDescriptor<MergedTag>())
    #expect(second.stars == 5)
  }

  @Test func `observers are told of exactly the properties that changed`() async throws {
    let title = observe { _ = note.title }
    let stars = observe { _ = note.stars }
    let (tags, owner) = (observe { _ = note.tags.count }, observe { _ = note.folder })
    let notes = observe { _ = folder.notes.count }
    try write { $1.stars = 2 }
    await waitUntilTold(container)
    #expect([title, stars, tags, owner, notes].map(\.value) == [0, 1, 0, 0, 0])
    try write { _, note in
      note.folder = nil
      note.tags.append(MergedTag(name: "new"))
    }
    await waitUntilTold(container)
    #expect([title, tags, owner, notes].map(\.value) == [0, 1, 1, 1])
    #expect(note.folder == nil && folder.notes.isEmpty && note.tags.count == 2)
  }

  @Test func `a burst of writes is told once, and only the rows concerned are read`() async throws {
    for number in 0..<50 { context.insert(MergedNote(title: "\(number)")) }
    try context.save()
    let notes = try context.fetch(FetchDescriptor<MergedNote>())
    #expect(notes.count == 51)
    let counter = observe { _ = note.stars }
    for stars in 2...6 { try write { $1.stars = stars } }
    await waitUntilTold(container)
    #expect(note.stars == 6 && counter.value == 1)
  }

  @Test func `an edited model takes what others changed, but for its own edits`() async throws {
    note.title = "own"
    let counter = observe { _ = note.title }
    try write {
      $1.stars = 3
      $1.title = "other"
    }
    await waitUntilTold(container)
    #expect(note.title == "own" && note.stars == 3 && counter.value == 0)
    try context.save()
    let stored = try ModelContext(container).fetch(FetchDescriptor<MergedNote>())
    #expect(stored.map(\.title) == ["own"] && stored.map(\.stars) == [3])
  }

  @Test func `a model that was deleted elsewhere is deleted, leaves lists, and says so to its observers`() async throws
  {
    let (title, notes) = (observe { _ = note.title }, observe { _ = folder.notes.count })
    try write { $0.delete($1) }
    await waitUntilTold(container)
    #expect(note.isDeleted && note.modelContext == nil && note.title == "A")
    #expect(folder.notes.isEmpty && tag.notes.isEmpty)
    #expect(title.value == 1 && notes.value == 1)
    context.insert(note)
    try context.save()
    #expect(try ModelContext(container).fetch(FetchDescriptor<MergedNote>()).map(\.title) == ["A"])
  }

  @Test func `bulk writes, SQL and erasing are shown as saves are`() async throws {
    let other = ModelContext(container)
    try other.update(model: MergedNote.self, set: .set(\.stars, to: 8))
    await waitUntilTold(container)
    #expect(note.stars == 8)
    try other.execute(sql: "UPDATE MergedNote SET title = 'sql'")
    await waitUntilTold(container)
    #expect(note.title == "sql")
    _ = try container.withDatabase { try $0.execute(sql: "UPDATE MergedFolder SET name = 'database'") }
    await waitUntilTold(container)
    #expect(folder.name == "database")
    try other.delete(model: MergedTag.self)
    try other.save()
    await waitUntilTold(container)
    #expect(tag.isDeleted && note.tags.isEmpty)
    try container.erase()
    await waitUntilTold(container)
    #expect(note.isDeleted && folder.isDeleted)
  }

  @Test func `a draft shows what others saved, through its parent`() async throws {
    let draft = ModelContext(draftOf: context)
    let copy = try #require(draft.model(for: note.persistentModelID) as? MergedNote)
    copy.title = "draft"
    #expect(copy.stars == 1)
    try write { $1.stars = 4 }
    await waitUntilTold(container)
    #expect(copy.stars == 4 && copy.title == "draft" && note.title == "A")
    try draft.save()
    try context.save()
    let stored = try ModelContext(container).fetch(FetchDescriptor<MergedNote>())
    #expect(stored.map(\.title) == ["draft"] && stored.map(\.stars) == [4])
  }

  @Test func `one bad row keeps no other from being shown`() async throws {
    let second = MergedNote(title: "second")
    context.insert(second)
    try context.save()
    _ = try container.withDatabase { database in
      try database.execute(sql: "UPDATE MergedNote SET place = 'no JSON' WHERE title = 'A'")
      return try database.execute(sql: "UPDATE MergedNote SET stars = 9")
    }
    await waitUntilTold(container)
    #expect(second.stars == 9 && note.title == "A")
  }

  @Test func `a context that wrote alone is told nothing`() async throws {
    note.stars = 2
    try context.save()
    #expect(container._areObserversTold)
  }

  @Test func `where the store wins, an edit goes by the next turn`() async throws {
    context.mergePolicy = .storeWins
    note.title = "own"
    let counter = observe { _ = note.title }
    try write { $1.title = "other" }
    await waitUntilTold(container)
    #expect(note.title == "other" && counter.value == 1 && !context.hasChanges)
  }
}
