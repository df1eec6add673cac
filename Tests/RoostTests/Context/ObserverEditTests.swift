import Foundation
import Observation
import Roost
import Testing

/// Observers that save or roll back while they are told of an edit.
@Suite struct ObserverEditTests {
  private let context: ModelContext
  private let author: Author
  private let book: Book

  init() throws {
    context = try makeLibrary()
    author = Author(name: "Lack")
    book = Book(title: "old", author: author)
    book.tags = [Tag(name: "old")]
    context.insert(book)
    context.insert(Author(name: "Carson"))
    try context.save()
  }

  enum Reaction: CaseIterable { case save, rollback }

  /// Has an observer of a property react the first time that it is told.
  private func observe<Value>(_ reaction: Reaction, _ read: () -> Value) {
    // SAFETY: the observer is told on the thread that edits, which is the test's.
    nonisolated(unsafe) let context = context
    withObservationTracking {
      _ = read()
    } onChange: {
      switch reaction {
      case .save: try? context.save()
      case .rollback: context.rollback()
      }
    }
  }

  private func stored() throws -> Book {
    try #require(try ModelContext(context.container).fetch(FetchDescriptor<Book>()).first)
  }

  @Test(arguments: Reaction.allCases)
  func `an attribute that is set while its observer reacts is saved`(reaction: Reaction) throws {
    observe(reaction) { book.title }
    book.title = "new"
    #expect(book.title == "new" && context.hasChanges)
    try context.save()
    #expect(try stored().title == "new")
  }

  @Test(arguments: Reaction.allCases)
  func `a to-one relationship that is set while its observer reacts is saved`(reaction: Reaction) throws {
    let other = try #require(try context.fetch(FetchDescriptor<Author>()).first { $0 !== author })
    observe(reaction) { book.author }
    book.author = other
    #expect(book.author === other && author.books.isEmpty && other.books == [book] && context.hasChanges)
    try context.save()
    #expect(try stored().author?.name == "Carson")
  }

  @Test(arguments: Reaction.allCases)
  func `a relationship whose other side's observer reacts is saved`(reaction: Reaction) throws {
    let other = try #require(try context.fetch(FetchDescriptor<Author>()).first { $0 !== author })
    observe(reaction) { author.books }
    book.author = other
    // Told when the edit is done, so that a rollback takes it back.
    let expected = reaction == .save ? other : author
    #expect(book.author === expected && expected.books == [book])
    try context.save()
    #expect(try stored().author?.name == expected.name)
  }

  @Test(arguments: Reaction.allCases)
  func `a list that is set while its observer reacts is saved`(reaction: Reaction) throws {
    let tag = Tag(name: "new")
    observe(reaction) { book.tags }
    book.tags = [tag]
    #expect(book.tags == [tag] && tag.books == [book] && context.hasChanges)
    try context.save()
    #expect(try stored().tags.map(\.name) == ["new"])
  }

  @Test(arguments: Reaction.allCases)
  func `a deletion whose observers react is whole or taken back`(reaction: Reaction) throws {
    let tag = try #require(book.tags.first)
    observe(reaction) { tag.books }
    context.delete(author)
    #expect(book.isDeleted == (reaction == .save))
    try context.save()
    let books = try ModelContext(context.container).fetchCount(FetchDescriptor<Book>())
    #expect(books == (reaction == .save ? 0 : 1))
  }
}
