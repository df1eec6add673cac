import EncryptionSupport
import Foundation
import Roost
import RoostTesting
import Testing

/// A live result of many rows is brought up to date by the few that changed.
@Suite(.rowsTold, .timeLimit(.minutes(20))) @MainActor struct LiveRowsTests {
  private let recorder = StatementRecorder()
  private let container: ModelContainer
  private let context: ModelContext
  private let other: ModelContext
  private static let count = 2_000
  /// What a binary search among all takes, with the changed row's values and its place.
  private static let mostStatements = 14

  init() throws {
    let configuration = ModelConfiguration(isStoredInMemoryOnly: true).recording(to: recorder)
    container = try ModelContainer(for: Author.self, configurations: configuration)
    (context, other) = (ModelContext(container), ModelContext(container))
    for number in 0..<Self.count {
      let book = Book(title: "\(number % 7)")
      book.pages = number
      context.insert(book)
    }
    try context.save()
  }

  private func observer() throws -> ResultsObserver<Book, Never> {
    try ResultsObserver(
      filterBy: #Predicate { $0.pages >= 100 }, sortBy: [SortDescriptor(\.title), SortDescriptor(\.pages)],
      modelContext: context)
  }

  private func book(_ pages: Int, in context: ModelContext) throws -> Book {
    try #require(try context.first(FetchDescriptor<Book>(predicate: #Predicate { $0.pages == pages })))
  }

  /// The statements that the observer runs, once others have changed something.
  private func statements(of observer: ResultsObserver<Book, Never>) -> [String] {
    recorder.statements { _ = observer.results }
  }

  private func isFetched(_ observer: ResultsObserver<Book, Never>) throws -> Bool {
    Array(observer.results) == (try context.fetch(observer.fetchDescriptor))
  }

  @Test func `one row that another context changes takes as many keyed rows as a binary search has steps`() throws {
    let observer = try observer()
    let book = try book(1_000, in: other)
    for change in [{ book.title = "3x" }, { book.pages = 5 }, { book.pages = 4_000 }, { other.delete(book) }] {
      change()
      try other.save()
      let statements = statements(of: observer)
      #expect(statements.count <= Self.mostStatements, "\(statements)")
      #expect(statements.allSatisfy { $0.contains("\"_pk\" =") || $0.contains("\"_pk\" IN") }, "\(statements)")
      #expect(try isFetched(observer))
    }
    #expect(observer._fetchCount == 1)
  }

  @Test func `a row that another context inserts takes no more`() throws {
    let observer = try observer()
    other.insert(Book(title: "9"))
    let shown = Book(title: "5")
    shown.pages = 777
    other.insert(shown)
    try other.save()
    #expect(statements(of: observer).count <= 2 * Self.mostStatements)
    #expect(try isFetched(observer) && observer.results.count == Self.count - 99 && observer._fetchCount == 1)
  }

  @Test func `what neither filter nor order is about is read by its key, and only if it is shown`() throws {
    let observer = try observer()
    let (shown, hidden) = (try book(500, in: other), try book(50, in: other))
    let position = try #require(observer.results.firstIndex { $0.pages == 500 })
    shown.genre = .science
    try other.save()
    // The context's own models are read once, and the results' rows.
    #expect(statements(of: observer).count == 2)
    #expect(observer.results[position].genre == .science)
    hidden.genre = .science
    try other.save()
    #expect(statements(of: observer) == [] && observer._fetchCount == 1)
  }

  @Test func `an edit here of what the query is not about runs no statement, nor does its save`() throws {
    let observer = try observer()
    observer.results[7].genre = .science
    #expect(statements(of: observer) == [])
    try context.save()
    #expect(statements(of: observer) == [])
    #expect(try isFetched(observer))
  }

  @Test func `edits here are placed before and after they are saved or rolled back`() throws {
    let observer = try observer()
    let book = observer.results[1_000]
    func expectPlaced() throws {
      #expect(try isFetched(observer))
      #expect(observer._fetchCount == 1)
    }
    book.title = "0"
    try expectPlaced()
    context.rollback()
    try expectPlaced()
    let new = Book(title: "4")
    new.pages = 300
    context.insert(new)
    try expectPlaced()
    try context.save()
    try expectPlaced()
    context.delete(new)
    try expectPlaced()
    try context.save()
    try expectPlaced()
    #expect(observer.results.count == Self.count - 100)
  }

  @Test func `rows that SQL and updates in bulk change are placed`() throws {
    let observer = try observer()
    try other.execute(sql: "UPDATE \(Book.self) SET pages = 12000 WHERE pages = 1000")
    #expect(statements(of: observer).count <= Self.mostStatements && observer._fetchCount == 1)
    #expect(try isFetched(observer))
    try context.update(model: Book.self, where: #Predicate { $0.pages == 500 }, set: \.pages += 20_000)
    #expect(statements(of: observer).count <= Self.mostStatements && observer._fetchCount == 1)
    #expect(try isFetched(observer))
  }

  @Test func `many changed rows have all fetched again`() throws {
    let observer = try observer()
    for book in try other.fetch(FetchDescriptor<Book>()) { book.pages += 1 }
    try other.save()
    #expect(statements(of: observer).count == 2 && observer._fetchCount == 2)
    try other.execute(sql: "UPDATE \(Book.self) SET pages = pages - 1")
    // One of the models is no result any more, and read once more.
    #expect(statements(of: observer).count == 3 && observer._fetchCount == 3)
    #expect(try isFetched(observer))
  }

  @Test func `as many changed rows as are worth it are placed, and with one more all are fetched again`() throws {
    let observer = try ResultsObserver<Book, Never>(sortBy: [SortDescriptor(\.pages)], modelContext: context)
    // An eighth of all, by the eleven steps of a search and two statements more.
    let most = Self.count / 8 / 13
    let books = try other.fetch(FetchDescriptor<Book>(sortBy: [SortDescriptor(\.pages)]))
    for book in books.prefix(most) { book.pages += 5_000 }
    // What the query is not about does not count.
    for book in books.suffix(100) { book.genre = .science }
    try other.save()
    #expect(try isFetched(observer) && observer._fetchCount == 1)
    for book in books.prefix(most) { book.pages += 5_000 }
    other.insert(Book(title: "new"))
    try other.save()
    #expect(try isFetched(observer) && observer._fetchCount == 2)
    #expect(observer.results.count { $0.genre == .science } == 100)
  }

  @Test func `a subclass's row is placed by what its superclass declares, and read for what else it has`() throws {
    let context = try makeTrips()
    for number in 0..<200 { context.insert(BusinessTrip(name: "\(number)", perDiem: 0)) }
    try context.save()
    let observer = try ResultsObserver<Trip, Never>(sortBy: [SortDescriptor(\.name)], modelContext: context)
    let other = ModelContext(context.container)
    let trip = try #require(
      try other.first(FetchDescriptor<Trip>(predicate: #Predicate { $0.name == "7" })) as? BusinessTrip)
    trip.name = "last"
    try other.save()
    #expect(observer.results.last?.name == "last")
    trip.perDiem = 7
    try other.save()
    #expect((observer.results.last as? BusinessTrip)?.perDiem == 7)
    #expect(Array(observer.results) == (try context.fetch(observer.fetchDescriptor)) && observer._fetchCount == 1)
  }

  @Test func `a bound, and a filter or order that other rows have a say in, have all fetched again`() throws {
    var bounded = FetchDescriptor<Book>(sortBy: [SortDescriptor(\.pages)])
    bounded.fetchLimit = 10
    let observers = [
      try ResultsObserver<Book, Never>(fetchDescriptor: bounded, modelContext: context),
      try ResultsObserver<Book, Never>(filterBy: #Predicate { $0.author?.name == nil }, modelContext: context),
      try ResultsObserver<Book, Never>(sortBy: [SortDescriptor(\.author?.name)], modelContext: context),
      try ResultsObserver<Book, Never>(filterBy: #Predicate { $0.tags.isEmpty }, modelContext: context),
    ]
    try book(1, in: other).pages = 0
    try other.save()
    for observer in observers {
      #expect(try isFetched(observer))
      #expect(observer._fetchCount == 2)
    }
  }
}
