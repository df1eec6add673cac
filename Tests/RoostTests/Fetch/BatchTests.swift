import Foundation
import Roost
import RoostTesting
import Testing

/// Fetches whose models are read a batch at a time.
@Suite struct BatchTests {
  private let recorder = StatementRecorder()
  private let container: ModelContainer

  init() throws {
    let configuration = ModelConfiguration(isStoredInMemoryOnly: true).recording(to: recorder)
    container = try ModelContainer(for: Author.self, configurations: configuration)
    let context = ModelContext(container)
    for number in 0..<100 { context.insert(Book(title: String(format: "%03d", number))) }
    try context.save()
  }

  private var descriptor: FetchDescriptor<Book> { FetchDescriptor(sortBy: [SortDescriptor(\.title)]) }

  @Test func `each batch is read once when one of it is asked for`() throws {
    let context = ModelContext(container)
    var books: FetchResultsCollection<Book>?
    let fetching = try recorder.statements { books = try context.fetch(descriptor, batchSize: 20) }
    let found = try #require(books)
    #expect(found.count == 100 && fetching.count == 1)
    let touching = recorder.statements { for position in 40..<60 { _ = found[position].title } }
    #expect(touching.count == 1)
    let walking = recorder.statements { #expect(found.map(\.title) == (0..<100).map { String(format: "%03d", $0) }) }
    #expect(walking.count == 5)
    #expect(found.last?.title == "099" && found[found.startIndex].title == "000")
  }

  @Test func `only one batch is kept`() throws {
    let context = ModelContext(container)
    let found = try context.fetch(descriptor, batchSize: 10)
    for book in found { #expect(!book.title.isEmpty) }
    context._forgetRecentModels()
    #expect(context._liveModelCount <= 10)
  }

  @Test func `pending changes are in it, and a row that is deleted meanwhile says so`() throws {
    let context = ModelContext(container)
    context.insert(Book(title: "zzz"))
    let found = try context.fetch(descriptor, batchSize: 7)
    #expect(found.count == 101 && found[100].title == "zzz")
    let other = ModelContext(container)
    try other.delete(model: Book.self, where: #Predicate { $0.title == "050" })
    try other.save()
    #expect(found[50].isDeleted && !found[51].isDeleted && found[51].title == "051")
  }

  @Test func `a save gives those other identifiers that had no row, and they stay in it`() throws {
    let context = ModelContext(container)
    for letter in ["x", "y"] { context.insert(Book(title: letter)) }
    let found = try context.fetch(descriptor, batchSize: 1)
    try context.save()
    #expect(found.suffix(2).map(\.title) == ["x", "y"] && !found[101].isDeleted)
    context.insert(Book(title: "z"))
    let others = try context.fetch(descriptor, batchSize: 1)
    context.rollback()
    #expect(others.count == 103 && others[102].isDeleted)
  }

  @Test func `a walk visits those too that its block saves`() throws {
    let context = ModelContext(container)
    for letter in ["u", "v", "w"] { context.insert(Book(title: letter)) }
    var titles: [String] = []
    try context.enumerate(descriptor, batchSize: 10) { book in
      titles.append(book.title)
      try context.save()
    }
    #expect(titles.count == 103 && titles.suffix(3) == ["u", "v", "w"])
  }

  @Test func `no match is an empty collection, and identifiers come in batches too`() throws {
    let context = ModelContext(container)
    #expect(try context.fetch(FetchDescriptor<Author>(), batchSize: 5).isEmpty)
    let identifiers = try context.fetchIdentifiers(descriptor, batchSize: 30)
    #expect(try Array(identifiers) == context.fetchIdentifiers(descriptor))
  }
}
