import EncryptionSupport
import Foundation
import Observation
import Roost
import RoostCore
import RoostTesting
import Testing

/// What a context lets a loop follow without an observer.
@Suite(.timeLimit(.minutes(20))) @MainActor struct ObservingTests {
  private let recorder = StatementRecorder()
  private let container: ModelContainer
  private let context: ModelContext
  private let other: ModelContext

  init() throws {
    let configuration = ModelConfiguration(isStoredInMemoryOnly: true).recording(to: recorder)
    container = try ModelContainer(for: Author.self, configurations: configuration)
    (context, other) = (ModelContext(container), ModelContext(container))
    for (title, pages) in [("A", 1), ("B", 2), ("C", 3)] {
      let book = Book(title: title)
      book.pages = pages
      context.insert(book)
    }
    try context.save()
  }

  private func book(_ title: String, in context: ModelContext) throws -> Book {
    try #require(try context.fetch(FetchDescriptor<Book>(predicate: #Predicate { $0.title == title })).first)
  }

  // MARK: - Results

  @Test func `a loop over a descriptor gets the models of now, and then all that change them`() async throws {
    let descriptor = FetchDescriptor<Book>(sortBy: [SortDescriptor(\.title)])
    var results = try context.observe(descriptor).makeAsyncIterator()
    #expect(await results.next()?.map(\.title) == ["A", "B", "C"])
    context.insert(Book(title: "D"))
    context.insert(Book(title: "E"))
    #expect(await results.next()?.map(\.title) == ["A", "B", "C", "D", "E"])
    try book("B", in: other).pages = 7
    try other.save()
    #expect(await results.next()?.map(\.pages) == [1, 7, 3, 0, 0])
  }

  @Test func `observing a descriptor throws what its fetch does`() throws {
    #expect(throws: SwiftDataError.self) {
      _ = try context.observe(FetchDescriptor<Book>(sortBy: [SortDescriptor(\.hashValue)]))
    }
    #expect(container._observerCount == 0)
  }

  @Test func `a waiting loop over a descriptor is woken, and leaves nothing when it is cancelled`() async throws {
    let counts = Sightings()
    let results = try context.observe(FetchDescriptor<Book>())
    let loop = Task { [results] in
      for await books in results { counts.saw(books.count) }
    }
    await counts.are([3])
    other.insert(Book(title: "D"))
    try other.save()
    await counts.are([3, 4])
    loop.cancel()
    await loop.value
  }

  // MARK: - One model

  @Test func `a model is given whenever it has other values, whoever wrote them`() async throws {
    let author = Author(name: "Lack")
    context.insert(author)
    let model = try book("A", in: context)
    var loop = context.observe(model).makeAsyncIterator()
    model.title = "Z"
    #expect(await loop.next() === model)
    context.rollback()
    #expect(await loop.next()?.title == "A")
    let same = try book("A", in: other)
    same.pages = 7
    try other.save()
    #expect(await loop.next()?.pages == 7)
    try other.execute(sql: "UPDATE \(Book.self) SET pages = pages + 1")
    #expect(await loop.next()?.pages == 8)
    other.delete(same)
    try other.save()
    #expect(await loop.next() == nil)
  }

  @Test func `a model's loop passes over changes of others, and ends with a deletion here`() async throws {
    let model = try book("A", in: context)
    let seen = Sightings()
    let loop = Task {
      seen.saw(0)
      for await book in context.observe(model) { seen.saw(book.pages) }
    }
    await seen.are([0])
    try book("B", in: context).pages = 9
    await waitUntilTold(container)
    model.pages = 5
    await seen.are([0, 5])
    context.delete(model)
    await loop.value
    #expect(seen.all == [0, 5])
  }

  @Test(.rowsTold) func `a model's loop reads nothing after writes to other rows`() async throws {
    let another = Book(title: "D")
    other.insert(another)
    try other.save()
    let model = try book("A", in: context)
    var loop = context.observe(model).makeAsyncIterator()
    another.pages = 9
    try other.save()
    // The loop waits for another value, whatever it has been woken by.
    model.genre = .science
    let before = recorder.statements.count
    #expect(await loop.next() === model)
    #expect(recorder.statements.count == before)
    try book("A", in: other).pages = 7
    try other.save()
    #expect(await loop.next()?.pages == 7)
  }

  @Test func `a model is given with what a write of more rows than are told one by one made of it`() async throws {
    let model = try book("A", in: context)
    var loop = context.observe(model).makeAsyncIterator()
    for number in 0..<5_000 { other.insert(Book(title: "\(number)")) }
    try book("A", in: other).pages = 7
    try other.save()
    #expect(await loop.next()?.pages == 7)
  }

  @Test func `a model is given with the row that has its key by now`() async throws {
    let model = try book("A", in: context)
    var loop = context.observe(model).makeAsyncIterator()
    try other.execute(sql: "DELETE FROM \(Book.self) WHERE title = 'A'")
    try other.execute(
      sql: "INSERT INTO \(Book.self) (_pk, title, pages, genre) VALUES (\(model._$state.key), 'A', 7, 'fiction')")
    #expect(await loop.next()?.pages == 7)
  }

  @Test func `a model of a subclass is given with what others wrote to its row`() async throws {
    let context = try makeTrips()
    context.insert(BusinessTrip(name: "A", perDiem: 1))
    context.insert(PersonalTrip(name: "B"))
    try context.save()
    let trip = try #require(try context.first(FetchDescriptor<Trip>.byName))
    var loop = context.observe(trip).makeAsyncIterator()
    let other = ModelContext(context.container)
    let same = try #require(try other.first(FetchDescriptor<Trip>.byName) as? BusinessTrip)
    same.perDiem = 7
    try other.save()
    let given = await loop.next() as? BusinessTrip
    #expect(given === trip && given?.perDiem == 7)
    other.delete(same)
    try other.save()
    #expect(await loop.next() == nil)
  }

  @Test func `a loop over a model that is not of the context ends at once`() async throws {
    let model = try book("A", in: other)
    for await _ in context.observe(model) { Issue.record("no change of this context's") }
    for await _ in context.observe(Book(title: "outside")) { Issue.record("no change of this context's") }
  }

  @Test func `a draft's model is given with what its parent edits`() async throws {
    let draft = ModelContext(draftOf: context)
    let model = try book("A", in: draft)
    var loop = draft.observe(model).makeAsyncIterator()
    try book("A", in: context).pages = 7
    #expect(await loop.next()?.pages == 7)
  }

  @Test func `a draft's model that its parent has not saved is given without the row that others delete`() async throws
  {
    let author = Author(name: "Ada")
    context.insert(author)
    try context.save()
    let draft = ModelContext(draftOf: context)
    let new = Book(title: "New")
    draft.insert(new)
    new.author = draft.model(for: author.persistentModelID) as? Author
    try draft.save()
    var books = draft.observe(new).makeAsyncIterator()
    let flag = ToldFlag()
    withObservationTracking {
      #expect(new.author?.name == "Ada")
    } onChange: {
      flag.set()
    }
    other.delete(try #require(other.fetch(FetchDescriptor<Author>()).first))
    try other.save()
    #expect(await books.next() === new)
    #expect(new.author == nil)
    #expect(flag.isSet)
  }

  // MARK: - A value

  @Test func `a value is given at first and whenever it is another`() async throws {
    let all = FetchDescriptor<Book>()
    var sums = context.observe(all, .sum(\.pages)).makeAsyncIterator()
    var latest = context.observe(all, .max(\.published)).makeAsyncIterator()
    #expect(try await sums.next() == 6)
    #expect(try await latest.next() == .some(nil))
    context.insert(Book(title: "D"))
    try book("B", in: other).pages = 12
    try other.save()
    #expect(try await sums.next() == 16)
    try other.execute(sql: "UPDATE \(Book.self) SET published = 5")
    #expect(try await latest.next() == Date(timeIntervalSinceReferenceDate: 5))
  }

  @Test(.rowsTold) func `a value's loop asks again only after changes of what it is made of`() async throws {
    let seen = Sightings()
    let named = FetchDescriptor<Book>(predicate: #Predicate { $0.author?.name == "Lack" })
    let loop = Task {
      for try await count in context.observe(named, .count) { seen.saw(count) }
    }
    await seen.are([0])
    let before = countings
    other.insert(Tag(name: "t"))
    try other.save()
    // A loop that is woken has its turn.
    await Task.yield()
    #expect(countings == before)
    let author = Author(name: "David")
    other.insert(author)
    other.insert(Book(title: "D", author: author))
    try other.save()
    author.name = "Lack"
    try other.save()
    await seen.are([0, 1])
    #expect(countings > before)
    loop.cancel()
    try await loop.value
  }

  /// How often books were counted.
  private var countings: Int {
    recorder.statements.count { $0.hasPrefix("SELECT") && $0.lowercased().contains("count(") }
  }

  @Test func `a value's loop throws what asking for it does`() async throws {
    let unsorted = FetchDescriptor<Book>(sortBy: [SortDescriptor(\.hashValue)])
    await #expect(throws: SwiftDataError.self) {
      for try await _ in context.observe(unsorted, .count) {}
    }
    var counts = context.observe(FetchDescriptor<Book>(), .count).makeAsyncIterator()
    #expect(try await counts.next() == 3)
    try container.close()
    context.insert(Book(title: "D"))
    await #expect(throws: SwiftDataError.self) { try await counts.next() }
  }
}

/// What a loop was given, for tests that wait for it.
@MainActor private final class Sightings {
  private(set) var all: [Int] = []

  func saw(_ number: Int) { all.append(number) }

  /// Returns once the loop was given these.
  func are(_ expected: [Int]) async {
    while all != expected { await Task.yield() }
  }
}
