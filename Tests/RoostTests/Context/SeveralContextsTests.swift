import Foundation
import Observation
import Roost
import RoostCore
import RoostEngine
import RoostTesting
import Synchronization
import Testing

@Model private final class Playlist {
  @Relationship(inverse: nil) var songs: [Song] = []
  init() {}
}

@Model private final class Song {
  var title: String
  init(title: String) { self.title = title }
}

/// Observers are called where the change is made: here, on the test's own thread.
private final class UncheckedBox<Value>: @unchecked Sendable {
  // SAFETY: made, read and called back on one thread.
  let value: Value
  init(_ value: Value) { self.value = value }
}

/// Notes whether anybody listens to a store as each transaction is about to be committed.
private final class CommitWatch: Sendable {
  let store = Mutex<Store?>(nil)
  let wereHeard = Mutex<[Bool]>([])

  func note(_ statement: String) {
    guard statement == "COMMIT", let store = store.withLock({ $0 }) else { return }
    wereHeard.withLock { $0.append(store.observers.isAnybodyListening()) }
  }
}

/// What contexts see of each other's and their own changes.
@Suite struct SeveralContextsTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func container(_ types: any PersistentModel.Type..., name: String = "test") throws -> ModelContainer {
    try ModelContainer(
      for: Schema(types), configurations: ModelConfiguration(url: folder.url.appending(path: name + ".store")))
  }

  @Test func `a deleted model leaves a list without an inverse`() throws {
    let context = ModelContext(try container(Playlist.self))
    let list = Playlist()
    list.songs = ["A", "B", "C"].map { Song(title: $0) }
    context.insert(list)
    try context.save()
    context.delete(list.songs[1])
    #expect(list.songs.map(\.title) == ["A", "C"])
    try context.save()
    #expect(list.songs.map(\.title) == ["A", "C"])
    context.delete(list.songs[0])
    context.rollback()
    #expect(list.songs.map(\.title) == ["A", "C"])
  }

  @Test func `a context is told of what others do to its new rows from the time when there are any`() throws {
    let watch = CommitWatch()
    let configuration = ModelConfiguration(isStoredInMemoryOnly: true)
      .recording(to: StatementRecorder { watch.note($0) })
    let container = try ModelContainer(for: Song.self, configurations: configuration)
    watch.store.withLock { $0 = container.store }
    let context = ModelContext(container)
    context.insert(Song(title: "A"))
    try context.save()
    watch.store.withLock { $0 = nil }
    #expect(watch.wereHeard.withLock { $0 } == [true])
  }

  @Test func `a list that is read after a deletion does not have the deleted model`() throws {
    let container = try container(Author.self, Playlist.self)
    let first = ModelContext(container)
    let author = Author(name: "")
    author.books = ["A", "B"].map { Book(title: $0) }
    let list = Playlist()
    list.songs = ["A", "B"].map { Song(title: $0) }
    first.insert(author)
    first.insert(list)
    try first.save()
    let context = ModelContext(container)
    let (book, song) = (
      try #require(try context.fetch(FetchDescriptor<Book>()).first { $0.title == "A" }),
      try #require(try context.fetch(FetchDescriptor<Song>()).first { $0.title == "A" })
    )
    context.delete(book)
    context.delete(song)
    let same = try #require(try context.fetch(FetchDescriptor<Author>()).first)
    let sameList = try #require(try context.fetch(FetchDescriptor<Playlist>()).first)
    #expect(same.books.map(\.title) == ["B"])
    #expect(sameList.songs.map(\.title) == ["B"])
    try context.save()
    #expect(same.books.map(\.title) == ["B"])
    #expect(sameList.songs.map(\.title) == ["B"])
  }

  @Test func `every relationship to a row that another context deleted is nil`() throws {
    let container = try container(GraphPerson.self)
    let writer = ModelContext(container)
    let boss = GraphPerson(number: 0)
    boss.team = [GraphPerson(number: 1), GraphPerson(number: 2)]
    writer.insert(boss)
    try writer.save()
    let context = ModelContext(container)
    let team = try context.fetch(FetchDescriptor<GraphPerson>(predicate: #Predicate { $0.number > 0 }))
    writer.delete(boss)
    try writer.save()
    context.delete(team[0])
    #expect(team[1].boss == nil)
  }

  @Test func `a list that an observer reads while others are forgotten is forgotten the next time`() throws {
    let container = try container(Playlist.self)
    let writer = ModelContext(container)
    let lists = [Playlist(), Playlist()]
    for list in lists { writer.insert(list) }
    try writer.save()
    func addSongs() throws {
      for list in lists { list.songs.append(Song(title: "new")) }
      try writer.save()
    }

    let reader = ModelContext(container)
    let mine = try reader.fetch(FetchDescriptor<Playlist>(sortBy: [SortDescriptor(\.persistentModelID)]))
    let observed = UncheckedBox(mine)
    withObservationTracking {
      #expect(mine[0].songs.isEmpty)
    } onChange: {
      // Not read before: it is read in the middle of forgetting the other.
      observed.value[1].songs.forEach { _ = $0.title }
    }
    try addSongs()
    _ = try reader.fetch(FetchDescriptor<Playlist>())
    #expect(mine.map(\.songs.count) == [1, 1])
    try addSongs()
    _ = try reader.fetch(FetchDescriptor<Playlist>())
    #expect(mine.map(\.songs.count) == [2, 2])
  }

  @Test func `a context's own save does not hide another's`() throws {
    let container = try container(Author.self)
    let (context, other) = (ModelContext(container), ModelContext(container))
    let author = Author(name: "Lack")
    author.books = [Book(title: "A")]
    context.insert(author)
    try context.save()
    author.name = "David Lack"
    let same = try #require(try other.fetch(FetchDescriptor<Author>()).first)
    other.insert(Book(title: "B", author: same))
    try other.save()
    try context.save()
    _ = try context.fetch(FetchDescriptor<Author>())
    #expect(author.books.map(\.title) == ["A", "B"])
  }

  @Test func `a query sees what others saved of a row that has unsaved changes here`() throws {
    let container = try container(Author.self)
    let (context, other) = (ModelContext(container), ModelContext(container))
    let book = Book(title: "A")
    context.insert(book)
    try context.save()
    book.pages = 2
    let twoPages = FetchDescriptor<Book>(predicate: #Predicate { $0.pages == 2 })
    #expect(try context.fetch(twoPages).map(\.title) == ["A"])
    try other.fetch(FetchDescriptor<Book>()).first?.title = "B"
    try other.save()
    #expect(try context.fetch(twoPages).map(\.title) == ["B"])
    #expect(book.title == "B" && book.pages == 2)
  }

  @Test func `a model whose row others deleted is not registered, and is not inserted again unread without an error`()
    throws
  {
    let container = try container(Song.self)
    let (context, other) = (ModelContext(container), ModelContext(container))
    let (read, unread) = (Song(title: "A"), Song(title: "B"))
    context.insert(read)
    context.insert(unread)
    try context.save()
    let identifier = read.persistentModelID
    unread.title = "edited"
    context.rollback()
    try other.delete(model: Song.self)
    try other.save()
    _ = try context.fetch(FetchDescriptor<Song>())
    #expect(read.modelContext == nil && context.registeredModel(for: identifier) as Song? == nil)
    context.insert(read)
    try context.save()
    #expect(try other.fetch(FetchDescriptor<Song>()).map(\.title) == ["A"])
    context.insert(unread)
    #expect(throws: SwiftDataError.rowNotFound) { try context.save() }
    unread.title = "B"
    context.insert(unread)
    try context.save()
    #expect(try other.fetchCount(FetchDescriptor<Song>()) == 2)
  }

  @Test func `an identifier of another store finds no model`() throws {
    let (main, backup) = (try container(Song.self, name: "main"), try container(Song.self, name: "backup"))
    let (context, other) = (ModelContext(main), ModelContext(backup))
    let song = Song(title: "main")
    context.insert(song)
    other.insert(Song(title: "backup"))
    try context.save()
    try other.save()
    let identifier = song.persistentModelID
    #expect(other.model(for: identifier).isDeleted)
    #expect(other.registeredModel(for: identifier) as Song? == nil)
    let found = FetchDescriptor<Song>(predicate: #Predicate { $0.persistentModelID == identifier })
    #expect(try other.fetch(found).isEmpty)
    #expect(try context.fetch(found).map(\.title) == ["main"])
    #expect(context.model(for: Song(title: "nobody's").persistentModelID).isDeleted)
  }

  @Test func `a deletion that is taken back shows at once, with edits made meanwhile`() throws {
    let context = ModelContext(try container(Song.self))
    let song = Song(title: "A")
    context.insert(song)
    try context.save()
    context.delete(song)
    #expect(try context.fetch(FetchDescriptor<Song>()).isEmpty)
    song.title = "B"
    context.insert(song)
    #expect(try context.fetch(FetchDescriptor<Song>()).map(\.title) == ["B"])
    try context.save()
    #expect(try ModelContext(context.container).fetch(FetchDescriptor<Song>()).map(\.title) == ["B"])
  }

  @Test func `a key that another program may not give a row is refused to it`() throws {
    let context = ModelContext(try container(Song.self))
    let connection = try Connection(ConnectionOptions(location: .file(path: folder.store.path)))
    for key in ["0", "-1"] {
      #expect(throws: DatabaseError.self) {
        try connection.execute("INSERT INTO Song (_pk, title) VALUES (\(key), 'A')")
      }
    }
    try connection.execute("INSERT INTO Song (_pk, title) VALUES (9223372036854775807, 'A')")
    context.insert(Song(title: "B"))
    let error = #expect(throws: SwiftDataError.self) { try context.save() }
    #expect(error == .modelValidationFailure && error?.model == "Song")
    #expect(try context.fetch(FetchDescriptor<Song>()).count == 2)
  }

  @Test func `one bad row hides no other behind a relationship`() throws {
    let container = try container(Author.self)
    let first = ModelContext(container)
    for name in ["A", "B", "C"] { first.insert(Book(title: name, author: Author(name: name))) }
    try first.save()
    try first.container.close()
    let connection = try Connection(ConnectionOptions(location: .file(path: folder.store.path)))
    try connection.execute(
      """
      PRAGMA writable_schema=ON;
      UPDATE sqlite_schema SET sql = replace(sql, '"name" TEXT', '"name" ANY') WHERE name = 'Author';
      PRAGMA writable_schema=RESET;
      UPDATE Author SET name = x'00' WHERE name = 'B';
      """)
    connection.close()
    let context = ModelContext(try self.container(Author.self))
    let books = try context.fetch(FetchDescriptor<Book>(sortBy: [SortDescriptor(\.title)]))
    #expect(books.map { $0.author?.name } == ["A", nil, "C"])
    let authors = ModelContext(context.container)
    var seen: [String] = []
    #expect(throws: SwiftDataError.corruptValue) {
      try authors.enumerate(FetchDescriptor<Author>(), batchSize: 1) { seen.append($0.name) }
    }
    #expect(seen == ["A"])
  }

  @Test @MainActor func `a container whose main context was used closes its store`() throws {
    weak var container: ModelContainer?
    try {
      let made = try self.container(Song.self)
      made.mainContext.insert(Song(title: "A"))
      try made.mainContext.save()
      container = made
    }()
    #expect(container == nil)
    #expect(!FileManager.default.fileExists(atPath: folder.store.path + "-wal"))
  }

  @Test @MainActor func `the main context outlives its container`() throws {
    var made: ModelContainer? = try container(Song.self)
    let context = try #require(made?.mainContext)
    made = nil
    context.insert(Song(title: "A"))
    try context.save()
    #expect(try ModelContext(context.container).fetchCount(FetchDescriptor<Song>()) == 1)
  }

  @Test @MainActor func `the main context saves by itself`() async throws {
    let container = try container(Author.self)
    let context = container.mainContext
    let author = Author(name: "Lack")
    context.insert(author)
    try await untilSaved(context)
    #expect(try ModelContext(container).fetchCount(FetchDescriptor<Author>()) == 1)
    author.name = "David Lack"
    try await untilSaved(context)
    _ = Book(title: "A", author: author)
    try await untilSaved(context)
    #expect(try ModelContext(container).fetch(FetchDescriptor<Book>()).first?.author?.name == "David Lack")
    context.autosaveEnabled = false
    author.name = "Lack"
    for _ in 0..<100 { await Task.yield() }
    #expect(context.hasChanges)
  }

  @Test @MainActor func `a context that was made on the main actor saves by itself when it is asked to`() async throws {
    let container = try container(Author.self)
    let context = ModelContext(container)
    context.insert(Author(name: "Lack"))
    for _ in 0..<100 { await Task.yield() }
    #expect(context.hasChanges)
    context.autosaveEnabled = true
    try await untilSaved(context)
    context.insert(Author(name: "Gould"))
    try await untilSaved(context)
    #expect(try ModelContext(container).fetchCount(FetchDescriptor<Author>()) == 2)
  }

  @Test func `an actor's context saves by itself when it is asked to`() async throws {
    let container = try container(Author.self)
    let scribe = Scribe(modelContainer: container)
    for count in 1...3 {
      await scribe.write("Lack \(count)")
      while await scribe.hasChanges { await Task.yield() }
      #expect(try ModelContext(container).fetchCount(FetchDescriptor<Author>()) == count)
    }
  }

  @Test @MainActor func `what an actor's context changes is saved on that actor, also if the main actor made it`()
    async throws
  {
    let container = try container(Author.self)
    let key = DispatchSpecificKey<Bool>()
    DispatchQueue.main.setSpecific(key: key, value: true)
    let saves = Mutex((onMain: 0, elsewhere: 0))
    let token = NotificationCenter.default.addObserver(forName: ModelContext.didSave, object: nil, queue: nil) { note in
      guard (note.object as? ModelContext)?.container === container else { return }
      let isOnMain = DispatchQueue.getSpecific(key: key) == true
      saves.withLock { if isOnMain { $0.onMain += 1 } else { $0.elsewhere += 1 } }
    }
    defer { NotificationCenter.default.removeObserver(token) }
    let scribe = Scribe(modelContainer: container, first: "Gould")
    while await scribe.hasChanges { await Task.yield() }
    await scribe.write("Lack")
    while await scribe.hasChanges { await Task.yield() }
    #expect(saves.withLock { $0 } == (0, 2))
    #expect(try ModelContext(container).fetchCount(FetchDescriptor<Author>()) == 2)
  }

  @Test @MainActor func `a save of the main context that fails is told, and tried again`() async throws {
    let container = try ModelContainer(
      for: Person.self, configurations: ModelConfiguration(isStoredInMemoryOnly: true))
    let context = container.mainContext
    let person = Person(name: "Anna")
    let loan = Loan(amount: 1, borrower: person)
    context.insert(loan)
    try await untilSaved(context)
    #expect(context.autosaveError == nil)
    let failures = Mutex(0)
    let token = NotificationCenter.default.addObserver(
      forName: ModelContext.autosaveFailed, object: context, queue: nil
    ) { _ in failures.withLock { $0 += 1 } }
    defer { NotificationCenter.default.removeObserver(token) }
    context.delete(person)
    for _ in 0..<10_000 where context.autosaveError == nil { await Task.yield() }
    #expect(context.autosaveError as? SwiftDataError == .modelValidationFailure)
    #expect(failures.withLock { $0 } == 1)
    context.delete(loan)
    try await untilSaved(context)
    #expect(context.autosaveError == nil)
    #expect(try ModelContext(container).fetchCount(FetchDescriptor<Person>()) == 0)
  }

  @MainActor private func untilSaved(_ context: ModelContext) async throws {
    for _ in 0..<10_000 where context.hasChanges { await Task.yield() }
    #expect(!context.hasChanges)
  }
}

/// Never saves itself.
private actor Scribe: ModelActor {
  let modelContainer: ModelContainer
  let modelExecutor: any ModelExecutor

  init(modelContainer: ModelContainer, first: String? = nil) {
    let context = ModelContext(modelContainer)
    if let first { context.insert(Author(name: first)) }
    context.autosaveEnabled = true
    self.modelContainer = modelContainer
    modelExecutor = DefaultSerialModelExecutor(modelContext: context)
  }

  var hasChanges: Bool { modelContext.hasChanges }

  func write(_ name: String) { modelContext.insert(Author(name: name)) }
}
