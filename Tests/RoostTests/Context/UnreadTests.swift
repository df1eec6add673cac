import Foundation
import Roost
import Testing

/// Getters that could not read the store, and what is made of what they showed.
@Suite struct UnreadTests {
  private let folder: TemporaryFolder
  private let context: ModelContext
  private let author: Author

  init() throws {
    folder = try TemporaryFolder()
    let container = try ModelContainer(for: Author.self, configurations: ModelConfiguration(url: folder.store))
    let writer = ModelContext(container)
    let ada = Author(name: "Ada")
    writer.insert(ada)
    for title in ["a", "b"] { ada.books.append(Book(title: title)) }
    try writer.save()
    context = ModelContext(container)
    author = try #require(try context.fetch(FetchDescriptor<Author>()).first)
  }

  /// Gives `body` a store that cannot be read, as it is being written.
  private func unreadable<Result>(_ body: () -> Result) throws -> Result {
    try context.container.withDatabase { _ in body() }
  }

  private var titles: [String] {
    get throws {
      let descriptor = FetchDescriptor<Book>(sortBy: [SortDescriptor(\.title)])
      return try ModelContext(context.container).fetch(descriptor).filter { $0.author != nil }.map(\.title)
    }
  }

  @Test func `a list that could not be read is not saved as what was made of an empty one`() throws {
    let shown = try unreadable { author.books }
    #expect(shown.isEmpty)
    author.books = shown + [Book(title: "c")]
    let error = #expect(throws: SwiftDataError.modelValidationFailure) { try context.save() }
    #expect(error?.model == "Author" && error?.property == "books" && error?.underlying != nil)
    #expect(try titles == ["a", "b"])
    context.rollback()
    author.books.append(Book(title: "c"))
    try context.save()
    #expect(try titles == ["a", "b", "c"])
  }

  @Test func `a value made of one that could not be read is saved if the program insists`() throws {
    // Its row is not read yet.
    let book = try #require(author.books.first)
    let shown = try unreadable { book.pages }
    book.pages = shown + 1
    #expect(throws: SwiftDataError.modelValidationFailure) { try context.save() }
    try context.save()
    let first = FetchDescriptor<Book>(sortBy: [SortDescriptor(\.title)])
    #expect(try ModelContext(context.container).fetch(first).map(\.pages) == [1, 0])
  }

  @Test func `what was read afterwards is changed as ever`() throws {
    #expect(try unreadable { author.books }.isEmpty)
    #expect(try author.readValue(forKey: \.books).count == 2)
    author.books.append(Book(title: "c"))
    try context.save()
    #expect(try titles == ["a", "b", "c"])
  }
}
