import EncryptionSupport
import Foundation
import Roost
import RoostTesting
import Testing

@Suite(.timeLimit(.minutes(20))) @MainActor struct ResultsChangesTests {
  private let recorder = StatementRecorder()
  private let container: ModelContainer
  private let context: ModelContext

  init() throws {
    let configuration = ModelConfiguration(isStoredInMemoryOnly: true).recording(to: recorder)
    container = try ModelContainer(for: Author.self, configurations: configuration)
    context = ModelContext(container)
    for title in ["A", "B", "C", "D"] { context.insert(Book(title: title)) }
    try context.save()
  }

  private func byTitle() throws -> ResultsObserver<Book, Never> {
    try ResultsObserver(sortBy: [SortDescriptor(\.title)], modelContext: context)
  }

  @Test func `changes say what was inserted, deleted, moved and updated, and where`() async throws {
    let observer = try byTitle()
    var changes = observer.changes.makeAsyncIterator()
    let books = Array(observer.results)
    let inserted = Book(title: "AA")
    context.insert(inserted)
    context.delete(books[1])
    books[0].title = "Z"
    books[3].pages = 7
    let found = try #require(await changes.next())
    #expect(observer.results.map(\.title) == ["AA", "C", "D", "Z"])
    #expect(found.deletions == [1] && found.insertions == [0] && found.updates == [2, 3])
    #expect(found.moves.map { [$0.from, $0.to] } == [[0, 3]])
    #expect(found.removals == [0, 1] && found.additions == [0, 3])
    #expect(found.identifiers == observer.results.map(\.persistentModelID))
    #expect(found.deletedIdentifiers == [books[1].persistentModelID])
    #expect(found.insertedIdentifiers == [inserted.persistentModelID])
    #expect(found.movedIdentifiers == [books[0].persistentModelID])
    #expect(found.updatedIdentifiers == [books[3].persistentModelID, books[0].persistentModelID])
    #expect(found.sections == nil)
  }

  @Test func `changes in sections say which sections and items come, go and move`() async throws {
    let observer = try ResultsObserver<Book, String>(sectionBy: \.title, modelContext: context)
    var changes = observer.changes.makeAsyncIterator()
    let books = Array(observer.results)
    books[0].title = "C"
    books[3].title = "E"
    context.delete(books[1])
    let found = try #require(await changes.next()?.sections)
    #expect(found.titles == ["C", "E"])
    #expect(found.deletions == [0, 1, 3] && found.insertions == [1])
    #expect(found.itemDeletions == [[1, 0]] && found.itemInsertions.isEmpty)
    #expect(found.itemMoves.map(\.from) == [[0, 0], [3, 0]] && found.itemMoves.map(\.to) == [[0, 0], [1, 0]])
    #expect(found.itemUpdates == [[0, 0], [1, 0]])
  }

  @Test func `an update is told where another context, SQL or a rollback made it`() async throws {
    let observer = try byTitle()
    var changes = observer.changes.makeAsyncIterator()
    let other = ModelContext(container)
    try other.fetch(FetchDescriptor<Book>()).first { $0.title == "B" }?.pages = 5
    try other.save()
    #expect(await changes.next()?.updates == [1])
    try other.execute(sql: "UPDATE \(Book.self) SET pages = 9 WHERE title = 'C'")
    #expect(await changes.next()?.updates == [2])
    observer.results[3].pages = 4
    #expect(await changes.next()?.updates == [3])
    context.rollback()
    #expect(await changes.next()?.updates == [3])
    let author = Author(name: "Lack")
    context.insert(author)
    observer.results[0].author = author
    #expect(await changes.next()?.updates == [0])
  }

  @Test func `a first save updates the models, as their identifiers are others`() async throws {
    let observer = try byTitle()
    var changes = observer.changes.makeAsyncIterator()
    let book = Book(title: "E")
    context.insert(book)
    let temporary = try #require(await changes.next()?.insertedIdentifiers.first)
    try context.save()
    let found = try #require(await changes.next())
    #expect(found.updatedIdentifiers == [book.persistentModelID] && temporary.isTemporary)
    #expect(found.deletions.isEmpty && found.insertions.isEmpty)
  }

  @Test func `a byte far behind in a long value is an update`() async throws {
    let container = try ModelContainer(
      for: Clipping.self, configurations: ModelConfiguration(isStoredInMemoryOnly: true))
    let context = ModelContext(container)
    context.insert(Clipping(body: Data(count: 500)))
    try context.save()
    let observer = try ResultsObserver<Clipping, Never>(modelContext: context)
    var changes = observer.changes.makeAsyncIterator()
    observer.results[0].body[499] = 1
    #expect(await changes.next()?.updates == [0])
    observer.results[0].parts = ["a": 1]
    #expect(await changes.next()?.updates == [0])
  }

  @Test func `of properties that the observer does not fetch nothing is told`() async throws {
    var descriptor = FetchDescriptor<Book>(sortBy: [SortDescriptor(\.title)])
    descriptor.propertiesToFetch = [\.title]
    let context = ModelContext(container)
    let observer = try ResultsObserver<Book, Never>(fetchDescriptor: descriptor, modelContext: context)
    var changes = observer.changes.makeAsyncIterator()
    try self.context.execute(sql: "UPDATE \(Book.self) SET pages = 9")
    try self.context.execute(sql: "UPDATE \(Book.self) SET title = 'BB' WHERE title = 'B'")
    #expect(await changes.next()?.updates == [1])
    #expect(observer.results.map(\.pages) == [9, 9, 9, 9])
    try self.context.execute(sql: "UPDATE \(Book.self) SET title = 'CC' WHERE title = 'C'")
    #expect(await changes.next()?.updates == [2])
  }

  @Test func `a value in a file is an update when the row names another file`() async throws {
    let gallery = try Gallery()
    let container = try gallery.open()
    let (context, other) = (ModelContext(container), ModelContext(container))
    for title in ["a", "b"] { context.insert(Photo(title: title, image: Data(count: 5_000))) }
    try context.save()
    let observer = try ResultsObserver<Photo, Never>(sortBy: [SortDescriptor(\.title)], modelContext: context)
    var changes = observer.changes.makeAsyncIterator()
    try other.fetch(FetchDescriptor<Photo>()).first { $0.title == "b" }?.image = Data(count: 6_000)
    try other.save()
    #expect(await changes.next()?.updates == [1])
    // Reading it is no change.
    #expect(observer.results[1].image?.count == 6_000)
    observer.results[0].rating = 5
    #expect(await changes.next()?.updates == [0])
  }

  @Test func `a draft's reader is told of what its parent changes`() async throws {
    let draft = ModelContext(draftOf: context)
    let observer = try ResultsObserver(sortBy: [SortDescriptor(\Book.title)], modelContext: draft)
    var changes = observer.changes.makeAsyncIterator()
    try #require(try context.fetch(FetchDescriptor<Book>()).first { $0.title == "B" }).pages = 7
    #expect(await changes.next()?.updates == [1])
    observer.results[3].title = "AA"
    let found = try #require(await changes.next())
    #expect(found.moves.map { [$0.from, $0.to] } == [[3, 1]] && found.updates == [1])
  }

  @Test func `a slow reader is told once, of what is different from what it saw`() async throws {
    let observer = try byTitle()
    var (slow, quick) = (observer.changes.makeAsyncIterator(), observer.changes.makeAsyncIterator())
    let first = observer.results[0]
    first.title = "Z"
    #expect(await quick.next()?.moves.count == 1)
    context.insert(Book(title: "E"))
    #expect(await quick.next()?.insertions == [3])
    first.title = "A"
    #expect(await quick.next()?.moves.count == 1)
    let found = try #require(await slow.next())
    #expect(found.insertions == [4] && found.moves.isEmpty && found.updates.isEmpty)
  }

  @Test(.rowsTold) func `of a hundred changed models, some of them moved, the fewest moves are told`() async throws {
    let seed = SeededRandom.seed
    print("ROOST_SEED=\(seed) many changed models")
    var random = SeededRandom(seed: seed)
    for _ in 0..<500 { context.insert(Book(title: "\(random.below(7))")) }
    try context.save()
    let observer = try byTitle()
    let reader = try ChangesReader(observer)
    for turn in 0..<8 {
      // Few that come, go or move each time: more would have all fetched again, and all compared.
      for _ in 0..<6 {
        let books = Array(observer.results)
        for _ in 0..<20 { random.pick(books).pages += 1 }
        random.pick(books).title = "\(random.below(7))"
        context.delete(random.pick(books))
        context.insert(Book(title: "\(random.below(7))"))
        try context.save()
        _ = observer.results
      }
      let difference = try await reader.read()
      #expect(difference?.isEmpty ?? false, "ROOST_SEED=\(seed), turn \(turn): \(difference ?? "nothing changed")")
    }
    #expect(observer._fetchCount == 1)
  }

  @Test func `a loop is woken by whoever changes the results`() async throws {
    let observer = try byTitle()
    let list = FollowedList<String>()
    let loop = Task {
      list.begin(observer.results.map(\.title))
      for await changes in observer.changes { list.apply(changes, observer.results.map(\.title)) }
    }
    await list.shows(["A", "B", "C", "D"])
    let other = ModelContext(container)
    other.insert(Book(title: "E"))
    try other.save()
    await list.shows(["A", "B", "C", "D", "E"])
    context.insert(Book(title: "AA"))
    await list.shows(["A", "AA", "B", "C", "D", "E"])
    observer.filterBy = #Predicate { $0.title < "B" }
    await list.shows(["A", "AA"])
    observer.results = try context.fetch(FetchDescriptor<Book>(predicate: #Predicate { $0.title == "D" }), batchSize: 1)
    await list.shows(["D"])
    loop.cancel()
    await loop.value
  }

  @Test func `a loop ends when its task is cancelled while it waits`() async throws {
    let observer = try byTitle()
    let list = FollowedList<String>()
    let loop = Task {
      list.begin([])
      for await _ in observer.changes {}
    }
    await list.shows([])
    loop.cancel()
    await loop.value
    #expect(container._observerCount == 1 && observer.results.count == 4)
  }

  @Test func `a waiting loop ends when its observer is released, which it does not keep`() async throws {
    var observer: ResultsObserver<Book, Never>? = try byTitle()
    weak let released = observer
    let changes = try #require(observer?.changes)
    let list = FollowedList<String>()
    let loop = Task {
      list.begin([])
      for await changes in changes { list.begin(changes.insertions.map(String.init)) }
    }
    await list.shows([])
    context.insert(Book(title: "E"))
    await list.shows(["4"])
    observer = nil
    await loop.value
    #expect(released == nil && container._observerCount == 0)
  }

  @Test func `an observer without an actor has its loops woken`() async throws {
    let container = container
    let titles = try await nonisolatedTitles(container) {
      let other = ModelContext(container)
      other.insert(Book(title: "E"))
      try other.save()
    }
    #expect(titles == ["A", "B", "C", "D", "E"])
  }

  /// What a reader on no actor is told after `write`, which runs once it waits, or has been told.
  private nonisolated func nonisolatedTitles(
    _ container: ModelContainer, write: @escaping @Sendable () throws -> Void
  ) async throws -> [String] {
    let observer = try ResultsObserver<Book, Never>(
      sortBy: [SortDescriptor(\.title)], modelContext: ModelContext(container), isolation: nil)
    var changes = observer.changes.makeAsyncIterator()
    async let written: Void = Task.detached { try write() }.value
    let found = await changes.next(isolation: nil)
    try await written
    #expect(found?.insertions == [4])
    return observer.results.map(\.title)
  }
}

@Model private final class Clipping {
  var body: Data
  var parts: [String: Int] = [:]

  init(body: Data) { self.body = body }
}
