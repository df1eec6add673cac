import EncryptionSupport
import Foundation
import Observation
import Roost
import RoostTesting
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(20))) @MainActor struct ResultsObserverTests {
  private let recorder = StatementRecorder()
  private let container: ModelContainer
  private let context: ModelContext

  init() throws {
    let configuration = ModelConfiguration(isStoredInMemoryOnly: true).recording(to: recorder)
    container = try ModelContainer(for: Author.self, configurations: configuration)
    context = ModelContext(container)
    for (title, pages) in [("A", 3), ("B", 1), ("C", 2)] {
      let book = Book(title: title)
      book.pages = pages
      context.insert(book)
    }
    try context.save()
  }

  private func byTitle(_ context: ModelContext? = nil) throws -> ResultsObserver<Book, Never> {
    try ResultsObserver(sortBy: [SortDescriptor(\.title)], modelContext: context ?? self.context)
  }

  // MARK: - Asking

  @Test func `every initialiser fetches at once`() throws {
    let descriptor = FetchDescriptor<Book>(predicate: #Predicate { $0.pages > 1 })
    #expect(try ResultsObserver<Book, Never>(fetchDescriptor: descriptor, modelContext: context).results.count == 2)
    #expect(try ResultsObserver<Book, Never>(fetchDescriptor: descriptor, modelContainer: container).results.count == 2)
    #expect(try ResultsObserver(filterBy: descriptor.predicate, modelContext: context).results.count == 2)
    #expect(try ResultsObserver(filterBy: descriptor.predicate, modelContainer: container).results.count == 2)
    let sectioned = [
      try ResultsObserver(fetchDescriptor: descriptor, sectionBy: \.title, modelContext: context),
      try ResultsObserver(fetchDescriptor: descriptor, sectionBy: \.title, modelContainer: container),
      try ResultsObserver(filterBy: descriptor.predicate, sectionBy: \.title, modelContext: context),
      try ResultsObserver(filterBy: descriptor.predicate, sectionBy: \.title, modelContainer: container),
      try ResultsObserver(fetchDescriptor: descriptor, sectionBy: \.author?.name, modelContext: context),
      try ResultsObserver(fetchDescriptor: descriptor, sectionBy: \.author?.name, modelContainer: container),
      try ResultsObserver(filterBy: descriptor.predicate, sectionBy: \.author?.name, modelContext: context),
      try ResultsObserver(filterBy: descriptor.predicate, sectionBy: \.author?.name, modelContainer: container),
    ]
    #expect(sectioned.map { $0.sections?.count } == [2, 2, 2, 2, 1, 1, 1, 1])
    let typed = try ResultsObserver(
      filterBy: descriptor.predicate, sectionBy: SectionKey(\.pages), modelContext: context)
    #expect(typed.sections?.sectionTitles == [2, 3])
    #expect(typed.sectionBy == \Book.pages)
    let unsectioned = try byTitle()
    #expect(unsectioned.sections == nil && unsectioned.sectionBy == nil)
  }

  @Test func `what SQL writes is observed, and what it does to other tables is not`() async throws {
    let observer = try byTitle()
    let writer = ModelContext(container)
    try await change(of: observer) { try writer.execute(sql: "UPDATE \(Book.self) SET title = 'Z' WHERE pages = 3") }
    #expect(observer.results.map(\.title) == ["B", "C", "Z"])
    try await change(of: observer) { try context.execute(sql: "DELETE FROM \(Book.self) WHERE pages = 2") }
    #expect(observer.results.map(\.title) == ["B", "Z"])
    let statements = try recorder.statements {
      try writer.execute(sql: "INSERT INTO \(Tag.self) (name) VALUES ('t')")
    }
    await waitUntilTold(container)
    #expect(recorder.statements { _ = observer.results }.isEmpty && !statements.isEmpty)
  }

  @Test func `an initialiser throws what its fetch does`() throws {
    #expect(throws: SwiftDataError.self) {
      _ = try ResultsObserver<Book, Never>(sortBy: [SortDescriptor(\.hashValue)], modelContext: context)
    }
    #expect(container._observerCount == 0)
  }

  @Test func `results are those of a new filter or order when its setter returns`() throws {
    let observer = try byTitle()
    #expect(observer.results.map(\.title) == ["A", "B", "C"])
    var statements = recorder.statements { observer.filterBy = #Predicate { $0.pages > 1 } }
    #expect(statements.count == 1, "\(statements)")
    #expect(observer.results.map(\.title) == ["A", "C"])
    statements = recorder.statements { observer.sortBy = [SortDescriptor(\.pages)] }
    #expect(statements.count == 1)
    #expect(observer.results.map(\.title) == ["C", "A"])
    #expect(observer.fetchDescriptor.sortBy == observer.sortBy)
    observer.filterBy = nil
    #expect(observer.results.map(\.title) == ["B", "C", "A"])
    #expect(observer.fetchDescriptor.predicate == nil)
  }

  @Test func `a new filter is announced once`() throws {
    let observer = try byTitle()
    var seen: [[String]] = []
    func track() {
      withObservationTracking {
        seen.append(observer.results.map(\.title))
      } onChange: {
        seenChanges.add(1, ordering: .relaxed)
      }
    }
    let seenChanges = Atomic<Int>(0)
    track()
    observer.filterBy = #Predicate { $0.pages > 1 }
    track()
    #expect(seenChanges.load(ordering: .relaxed) == 1)
    #expect(seen == [["A", "B", "C"], ["A", "C"]])
  }

  @Test func `the identifier ends every order, and the sections' key begins it`() throws {
    let observer = try byTitle()
    #expect(observer.sortBy == [SortDescriptor(\.title), SortDescriptor(\.persistentModelID)])
    observer.sortBy = [SortDescriptor(\.persistentModelID, order: .reverse)]
    #expect(observer.sortBy == [SortDescriptor(\.persistentModelID, order: .reverse)])
    #expect(observer.results.map(\.title) == ["C", "B", "A"])
    let sectioned = try ResultsObserver<Book, String>(sectionBy: \.title, modelContext: context)
    sectioned.sortBy = [SortDescriptor(\.pages)]
    #expect(
      sectioned.sortBy == [SortDescriptor(\.title), SortDescriptor(\.pages), SortDescriptor(\.persistentModelID)])
    sectioned.sortBy = [SortDescriptor(\.title, order: .reverse)]
    #expect(sectioned.sections?.sectionTitles == ["C", "B", "A"])
  }

  @Test func `index paths and elements lead to each other`() throws {
    for title in ["A", "C"] { context.insert(Book(title: title)) }
    let observer = try ResultsObserver<Book, String>(
      sortBy: [SortDescriptor(\.pages)], sectionBy: \.title, modelContext: context)
    #expect(observer.sections?.map(\.count) == [2, 1, 2])
    for (section, models) in try #require(observer.sections).enumerated() {
      for (item, book) in models.enumerated() {
        let path = IndexPath(indexes: [section, item])
        #expect(observer.element(at: path) === book)
        #expect(observer.indexPath(for: book) == path)
      }
    }
    for path in [[3, 0], [0, 2], [-1, 0], [0, -1], [0], [0, 0, 0]] {
      #expect(observer.element(at: IndexPath(indexes: path)) == nil)
    }
    #expect(observer.indexPath(for: Book(title: "A")) == nil)
    let unsectioned = try byTitle()
    #expect(unsectioned.element(at: IndexPath(indexes: [0, 0])) == nil)
    #expect(unsectioned.indexPath(for: unsectioned.results[0]) == nil)
    #expect("\(observer.debugDescription)" == "ResultsObserver<Book>(5 models in 3 sections)")
  }

  // MARK: - Own changes

  @Test func `results show the context's unsaved changes at once`() throws {
    let observer = try byTitle()
    let book = Book(title: "AA")
    context.insert(book)
    #expect(observer.results.map(\.title) == ["A", "AA", "B", "C"])
    book.title = "D"
    #expect(observer.results.map(\.title) == ["A", "B", "C", "D"])
    context.delete(observer.results[0])
    #expect(observer.results.map(\.title) == ["B", "C", "D"])
    context.rollback()
    #expect(observer.results.map(\.title) == ["A", "B", "C"])
    let author = Author(name: "Lack")
    context.insert(author)
    _ = Book(title: "0", author: author)
    #expect(observer.results.map(\.title) == ["0", "A", "B", "C"])
    try context.save()
    #expect(observer.results.map(\.title) == ["0", "A", "B", "C"])
  }

  @Test func `results follow the deletion of what their models refer to without an inverse`() throws {
    let context = try makeEvents()
    let (event, venue) = (Event(day: 1, title: "a"), Venue(name: "hall"))
    context.insert(event)
    event.other = venue
    try context.save()
    let observer = try ResultsObserver<Event, Never>(filterBy: #Predicate { $0.other == nil }, modelContext: context)
    let byDay = try ResultsObserver<Event, Never>(filterBy: #Predicate { $0.day == 1 }, modelContext: context)
    #expect(observer.results.isEmpty)
    context.delete(venue)
    #expect(event.other == nil && observer.results.count == 1)
    #expect(byDay.results.count == 1 && byDay._fetchCount == 1)
    context.rollback()
    #expect(event.other === venue && observer.results.isEmpty)
    context.delete(venue)
    try context.save()
    #expect(observer.results.count == 1)
  }

  @Test func `a draft's observer shows its changes and its parent's`() throws {
    let draft = ModelContext(draftOf: context)
    let (observer, parents) = (try byTitle(draft), try byTitle())
    context.insert(Book(title: "D"))
    #expect(observer.results.map(\.title) == ["A", "B", "C", "D"])
    draft.insert(Book(title: "E"))
    #expect(observer.results.map(\.title) == ["A", "B", "C", "D", "E"])
    #expect(parents.results.count == 4)
    try draft.save()
    #expect(parents.results.count == 5)
    try context.save()
    #expect(observer.results.map(\.title) == parents.results.map(\.title))
    #expect(observer.results.allSatisfy { $0.modelContext == draft })
  }

  @Test func `own changes are told in the actor's next turn, all together`() async throws {
    let observer = try byTitle()
    let first = observer.results[0]
    let statements = try await selects {
      try await change(of: observer) {
        for title in ["D", "E", "F"] { context.insert(Book(title: title)) }
        first.title = "Z"
      }
    }
    #expect(observer.shownTitles == ["B", "C", "D", "E", "F", "Z"])
    #expect(statements == 1)
  }

  @Test func `an edit that leaves the results as they are is not told`() async throws {
    let observer = try byTitle()
    let changes = Atomic<Int>(0)
    withObservationTracking {
      _ = observer.results
    } onChange: {
      changes.add(1, ordering: .relaxed)
    }
    observer.results[0].pages = 77
    await waitUntilTold(container)
    try context.save()
    await waitUntilTold(container)
    #expect(changes.load(ordering: .relaxed) == 0)
  }

  /// The number of queries for books while `body` runs.
  private func selects(during body: () async throws -> Void) async rethrows -> Int {
    let before = recorder.statements.count
    try await body()
    return recorder.statements[before...].count { $0.hasPrefix("SELECT") && $0.contains("FROM \"Book\" AS") }
  }

  // MARK: - Others' changes

  @Test func `another context's save is told`() async throws {
    let observer = try byTitle()
    let other = ModelContext(container)
    try await change(of: observer) {
      other.insert(Book(title: "D"))
      try other.save()
    }
    #expect(observer.results.map(\.title) == ["A", "B", "C", "D"])
    let book = try #require(try other.fetch(FetchDescriptor<Book>()).first { $0.title == "A" })
    let mine = try #require(observer.results.first)
    let titles = Atomic<Int>(0)
    withObservationTracking {
      _ = mine.title
    } onChange: {
      titles.add(1, ordering: .relaxed)
    }
    try await change(of: observer) {
      book.title = "Z"
      try other.save()
    }
    #expect(observer.results.map(\.title) == ["B", "C", "D", "Z"])
    #expect(mine.title == "Z")
    #expect(titles.load(ordering: .relaxed) > 0)
    try await change(of: observer) {
      other.delete(book)
      try other.save()
    }
    #expect(observer.results.map(\.title) == ["B", "C", "D"])
    #expect(mine.isDeleted && mine.title == "Z")
    try await change(of: observer) { try container.erase() }
    #expect(observer.results.isEmpty)
  }

  @Test func `models that a predicate or a section is about are read again`() async throws {
    let author = Author(name: "Lack")
    context.insert(author)
    author.books = try context.fetch(FetchDescriptor<Book>())
    try context.save()
    let observer = try ResultsObserver<Book, String>(sectionBy: \.author?.name, modelContext: context)
    #expect(observer.sections?.sectionTitles == ["Lack"])
    let other = ModelContext(container)
    try await change(of: observer) {
      try other.fetch(FetchDescriptor<Author>()).first?.name = "David"
      try other.save()
    }
    #expect(observer.sections?.sectionTitles == ["David"])
    #expect(author.name == "David")
  }

  @Test func `an actor's saves are told`() async throws {
    let observer = try byTitle()
    let importer = Importer(modelContainer: container)
    for title in ["D", "E"] {
      async let saved: Void = importer.add(title)
      try await saved
      await waitUntilTold(container)
      #expect(observer.shownTitles.last == title)
    }
  }

  @Test(.rowsTold) func `a save of what the query does not read runs no statement`() async throws {
    let observer = try ResultsObserver<Book, Never>(
      filterBy: #Predicate { $0.author?.name != "x" }, modelContext: context)
    let tags = try ResultsObserver<Tag, Never>(modelContext: context)
    let other = ModelContext(container)
    other.insert(Tag(name: "t"))
    try other.save()
    await waitUntilTold(container)
    let statements = try await selects {
      let tag = try #require(try other.fetch(FetchDescriptor<Tag>()).first)
      tag.name = "u"
      try other.save()
      await waitUntilTold(container)
      context.insert(Tag(name: "v"))
      await waitUntilTold(container)
      try context.save()
      await waitUntilTold(container)
      _ = observer.results
    }
    #expect(statements == 0)
    #expect(tags.results.count == 2)
    // The predicate reaches authors.
    try await change(of: observer) {
      let author = Author(name: "x")
      other.insert(author)
      try other.save()
    }
  }

  @Test func `a deletion that the store passes on is told`() async throws {
    let author = Author(name: "Lack")
    context.insert(author)
    author.books = [Book(title: "D")]
    try context.save()
    let observer = try byTitle()
    let other = ModelContext(container)
    try await change(of: observer) {
      try other.delete(model: Author.self)
      try other.save()
    }
    #expect(observer.results.map(\.title) == ["A", "B", "C"])
  }

  @Test func `a relationship that another context changes is read again`() async throws {
    let author = Author(name: "Lack")
    context.insert(author)
    try context.save()
    let observer = try ResultsObserver<Author, Never>(modelContext: context)
    #expect(author.books.isEmpty)
    let changes = Atomic<Int>(0)
    withObservationTracking {
      _ = author.books
    } onChange: {
      changes.add(1, ordering: .relaxed)
    }
    let other = ModelContext(container)
    let same = try #require(try other.fetch(FetchDescriptor<Author>()).first)
    other.insert(Book(title: "D", author: same))
    try other.save()
    await waitUntilTold(container)
    #expect(changes.load(ordering: .relaxed) == 1)
    #expect(author.books.map(\.title) == ["D"])
    #expect(observer.results.count == 1)
  }

  @Test func `an observer without an actor finds out when it is read`() throws {
    let observer = try ResultsObserver<Book, Never>(
      sortBy: [SortDescriptor(\.title)], modelContext: context, isolation: nil)
    let changes = Atomic<Int>(0)
    withObservationTracking {
      _ = observer.results
    } onChange: {
      changes.add(1, ordering: .relaxed)
    }
    let other = ModelContext(container)
    other.insert(Book(title: "D"))
    try other.save()
    #expect(changes.load(ordering: .relaxed) == 0)
    #expect(observer.results.count == 4)
    #expect(changes.load(ordering: .relaxed) == 1)
  }

  @Test func `observations are a sequence of results`() async throws {
    let observer = try byTitle()
    let other = ModelContext(container)
    var seen: [[String]] = []
    for await titles in Observations({ observer.results.map(\.title) }) {
      seen.append(titles)
      if seen.count == 3 { break }
      other.insert(Book(title: "D\(seen.count)"))
      try other.save()
    }
    #expect(seen.map(\.count) == [3, 4, 5])
  }

  @Test func `an observer looks at results while they change`() throws {
    let observer = try byTitle()
    let seen = Unchecked(observer)
    withObservationTracking {
      _ = observer.results
    } onChange: {
      #expect(seen.value.results.count == 3)
      seen.value.filterBy = #Predicate { $0.title == "B" }
    }
    context.insert(Book(title: "D"))
    #expect(observer.results.map(\.title) == ["B"])
  }

  @Test func `handlers of a save see current results`() throws {
    let observer = try byTitle()
    let seen = Unchecked(observer)
    let counts = Mutex<[Int]>([])
    let tokens = [ModelContext.willSave, ModelContext.didSave].map { name in
      NotificationCenter.default.addObserver(forName: name, object: context, queue: nil) { _ in
        counts.withLock { $0.append(seen.value.results.count) }
      }
    }
    defer { for token in tokens { NotificationCenter.default.removeObserver(token) } }
    context.insert(Book(title: "D"))
    try context.save()
    #expect(counts.withLock { $0 } == [4, 4])
  }

  @Test func `a fetch that fails leaves the last results, and says why`() async throws {
    let observer = try byTitle()
    observer.filterBy = #Predicate { $0.title.hasPrefix("A") }
    observer.sortBy = [SortDescriptor(\.hashValue)]
    #expect(observer.fetchError as? SwiftDataError == .unsupportedKeyPath)
    #expect(observer.results.map(\.title) == ["A"])
    observer.sortBy = []
    #expect(observer.fetchError == nil)
    try container.close()
    context.insert(Book(title: "AA"))
    #expect(observer.results.map(\.title) == ["A"])
    #expect(observer.fetchError as? SwiftDataError == .storeClosed)
  }

  @Test func `results that are set are shown until the next change`() throws {
    let observer = try byTitle()
    observer.results = try context.fetch(FetchDescriptor<Book>(predicate: #Predicate { $0.pages < 2 }), batchSize: 1)
    #expect(observer.results.map(\.title) == ["B"])
    observer.filterBy = #Predicate { $0.title == "A" }
    #expect(observer.results.count == 1)
  }

  // MARK: - Lifetime

  @Test func `a released observer asks nothing and leaves nothing`() async throws {
    weak var weakObserver: ResultsObserver<Book, String>?
    weak var weakContext: ModelContext?
    try {
      let observer = try ResultsObserver<Book, String>(sectionBy: \.title, modelContainer: container)
      (weakObserver, weakContext) = (observer, observer.modelContext)
      #expect(container._observerCount == 1 && container._isPolling)
      observer.modelContext.insert(Book(title: "D"))
    }()
    #expect(weakObserver == nil && weakContext == nil)
    #expect(container._observerCount == 0 && !container._isPolling)
    let other = ModelContext(container)
    let statements = try await selects {
      other.insert(Book(title: "E"))
      try other.save()
      await waitUntilTold(container)
    }
    #expect(statements == 0)
  }

  @Test func `an actor may keep its own observer`() async throws {
    weak var weakImporter: Importer?
    try await {
      let importer = Importer(modelContainer: container)
      weakImporter = importer
      try await importer.observe()
      let other = ModelContext(container)
      other.insert(Book(title: "D"))
      try other.save()
      while await importer.shownCount < 4 { await Task.yield() }
    }()
    // Tasks that tell the actor hold it until they are over.
    while weakImporter != nil { await Task.yield() }
    #expect(container._observerCount == 0)
  }
}

@ModelActor private actor Importer {
  private var observer: ResultsObserver<Book, Never>?

  func add(_ title: String) throws {
    modelContext.insert(Book(title: title))
    try modelContext.save()
  }

  func observe() throws { observer = try ResultsObserver(modelContext: modelContext) }

  var shownCount: Int { observer?._shownModels.count ?? 0 }
}

extension ResultsObserver<Book, Never> {
  /// Without looking for changes.
  fileprivate var shownTitles: [String] { _shownModels.map(\.title) }
}

private final class Unchecked<Value>: @unchecked Sendable {
  // SAFETY: made, read and called back on the main actor.
  let value: Value
  init(_ value: Value) { self.value = value }
}
