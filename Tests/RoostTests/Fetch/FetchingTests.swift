import Foundation
import Roost
import RoostTesting
import Testing

@Suite struct FetchingTests {
  private func library(_ count: Int = 10) throws -> ModelContext {
    let context = try makeLibrary()
    let lack = Author(name: "Lack")
    for index in 0..<count {
      let book = Book(title: "Book \(index)", author: index.isMultiple(of: 2) ? lack : nil)
      book.pages = index * 10
      context.insert(book)
    }
    try context.save()
    return ModelContext(context.container)
  }

  @Test func `a query does not see a link that was made and removed again`() throws {
    let context = try makeLibrary()
    let (book, tag) = (Book(title: "a"), Tag(name: "x"))
    context.insert(book)
    context.insert(tag)
    try context.save()
    let tagged = FetchDescriptor<Book>(predicate: #Predicate { $0.tags.contains { $0.name == "x" } })
    book.tags = [tag]
    #expect(try context.fetchCount(tagged) == 1)
    book.tags = []
    #expect(try context.fetchCount(tagged) == 0)
  }

  @Test func `a row has one instance in a context`() throws {
    let context = try library()
    let first = try context.fetch(FetchDescriptor<Book>())
    let second = try context.fetch(FetchDescriptor<Book>())
    #expect(zip(first, second).allSatisfy { $0 === $1 })
    #expect(context.model(for: first[3].persistentModelID) === first[3])
    let registered: Book? = context.registeredModel(for: first[3].persistentModelID)
    #expect(registered === first[3])
  }

  @Test func `limit and offset make a page, past the end an empty one`() throws {
    let context = try library()
    var page = FetchDescriptor<Book>(sortBy: [SortDescriptor(\.pages, order: .reverse)])
    page.fetchLimit = 3
    page.fetchOffset = 2
    #expect(try context.fetch(page).map(\.pages) == [70, 60, 50])
    page.fetchOffset = 10
    #expect(try context.fetch(page).isEmpty)
  }

  @Test func `a count and identifiers need no models`() throws {
    let context = try library()
    let many = FetchDescriptor<Book>(predicate: #Predicate { $0.pages >= 50 })
    #expect(try context.fetchCount(many) == 5)
    #expect(try context.fetchIdentifiers(many).count == 5)
    let books: [Book?] = try context.fetchIdentifiers(many).map { context.registeredModel(for: $0) }
    #expect(books.allSatisfy { $0 == nil })
  }

  @Test func `a predicate follows relationships and sees pending changes on the other side`() throws {
    let context = try library()
    let byLack = FetchDescriptor<Book>(predicate: #Predicate { $0.author?.name == "Lack" })
    #expect(try context.fetchCount(byLack) == 5)
    let author = try #require(try context.fetch(FetchDescriptor<Author>()).first)
    author.name = "David Lack"
    #expect(try context.fetchCount(byLack) == 0)
    context.insert(Book(title: "new", author: author))
    let renamed = FetchDescriptor<Book>(predicate: #Predicate { $0.author?.name == "David Lack" })
    #expect(try context.fetch(renamed).map(\.title).contains("new"))
    #expect(try context.fetchCount(renamed) == 6)
    context.rollback()
    #expect(try context.fetchCount(byLack) == 5)
  }

  @Test func `models are compared by identity in predicates, saved or not`() throws {
    let context = try library()
    let author = try #require(try context.fetch(FetchDescriptor<Author>()).first)
    let identifier = author.persistentModelID
    let books = try context.fetchCount(
      FetchDescriptor<Book>(predicate: #Predicate { $0.author?.persistentModelID == identifier }))
    #expect(books == 5)
    let fresh = Author(name: "new")
    context.insert(Book(title: "fresh", author: fresh))
    let freshIdentifier = fresh.persistentModelID
    let found = try context.fetch(
      FetchDescriptor<Book>(predicate: #Predicate { $0.author?.persistentModelID == freshIdentifier }))
    #expect(found.map(\.title) == ["fresh"])
  }

  @Test func `sorting goes through a relationship, nil first`() throws {
    let context = try library(4)
    let books = try context.fetch(
      FetchDescriptor<Book>(sortBy: [SortDescriptor(\.author?.name), SortDescriptor(\.title, order: .reverse)]))
    #expect(books.map(\.title) == ["Book 3", "Book 1", "Book 2", "Book 0"])
  }

  @Test func `properties that were not fetched are read on access`() throws {
    let context = try library(3)
    var titles = FetchDescriptor<Book>(sortBy: [SortDescriptor(\.title)])
    titles.propertiesToFetch = [\.title]
    let books = try context.fetch(titles)
    #expect(books.map(\.title) == ["Book 0", "Book 1", "Book 2"])
    #expect(books.map(\.pages) == [0, 10, 20])
    #expect(books[0].author?.name == "Lack")
  }

  @Test func `enumerating visits every model and reads no batch over unsaved changes of another`() throws {
    let context = try library(25)
    var pages = 0
    try context.enumerate(FetchDescriptor<Book>(), batchSize: 10) { pages += $0.pages }
    #expect(pages == (0..<25).reduce(0) { $0 + $1 * 10 })
    var visited = 0
    func edit(_ book: Book) {
      book.pages += 1
      visited += 1
    }
    #expect(throws: SwiftDataError.modelValidationFailure) {
      try context.enumerate(FetchDescriptor<Book>(), batchSize: 10, block: edit)
    }
    #expect(visited == 10)
    context.rollback()
    // One batch, as most walks are, leaves its changes to the save behind it.
    try context.enumerate(FetchDescriptor<Book>(), block: edit)
    #expect(visited == 35 && context.changedModelsArray.count == 25)
    try context.save()
    try context.enumerate(FetchDescriptor<Book>()) { context.delete($0) }
    try context.save()
    #expect(try context.fetchCount(FetchDescriptor<Book>()) == 0)
  }

  @Test func `an identifier without a row gives a model that says it is deleted`() throws {
    let context = try library(1)
    let book = try #require(try context.fetch(FetchDescriptor<Book>()).first)
    let identifier = book.persistentModelID
    context.delete(book)
    try context.save()
    let other = ModelContext(context.container)
    let ghost = try #require(other.model(for: identifier) as? Book)
    #expect(ghost.title == "")
    #expect(ghost.genre == .fiction)
    #expect(ghost.isDeleted)
  }

  @Test func `identifiers survive encoding`() throws {
    let context = try library(1)
    let identifier = try #require(try context.fetchIdentifiers(FetchDescriptor<Book>()).first)
    let copy = try JSONDecoder().decode(PersistentIdentifier.self, from: JSONEncoder().encode(identifier))
    #expect(copy == identifier)
    #expect((context.model(for: copy) as? Book)?.title == "Book 0")
  }

  @Test func `no model outlives its scope`() throws {
    let context = try library(100)
    do {
      let books = try context.fetch(FetchDescriptor<Book>())
      books[1].author = books[0].author
      books[3].tags = [Tag(name: "birds")]
      try context.save()
      #expect(context.liveModelCount >= 100)
    }
    context.forgetRecentModels()
    #expect(context.liveModelCount == 0)
  }
}
