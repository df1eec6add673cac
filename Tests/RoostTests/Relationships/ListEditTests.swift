import Foundation
import Roost
import Testing

/// Lists that models join and leave one by one, from the other side.
@Suite struct ListEditTests {
  @Test func `models made for a list outside of contexts are in it once, in their order`() throws {
    let author = Author(name: "1")
    let books = (0..<20).map { Book(title: "\($0)", author: author) }
    books[3].author = author
    author.books.append(books[4])
    #expect(author.books == books)
    for place in [0, 10, 19] { books[place].author = nil }
    books[10].author = author
    let titles = (Array(1...9) + Array(11...18) + [10]).map { "\($0)" }
    #expect(author.books.map(\.title) == titles)
    let context = try makeLibrary()
    context.insert(author)
    try context.save()
    #expect(author.books.map(\.title) == titles)
    let found = try #require(try ModelContext(context.container).fetch(FetchDescriptor<Author>()).first)
    #expect(found.books.map(\.title) == titles)
  }

  @Test func `a list that left its context has a model once that is set to refer to its owner`() throws {
    let context = try makeLibrary()
    let author = Author(name: "1")
    let book = Book(title: "A", author: author)
    context.insert(author)
    context.rollback()
    book.author = author
    #expect(author.books == [book])
    book.author = nil
    #expect(author.books.isEmpty)
    book.author = author
    #expect(author.books == [book])
  }

  @Test func `members are deleted one by one while their list is walked`() throws {
    let context = try makeLibrary()
    let author = Author(name: "1")
    author.books = (0..<10).map { Book(title: "\($0)") }
    context.insert(author)
    try context.save()
    author.books.append(Book(title: "10"))
    let (all, left) = (0...10, [1, 2, 3, 6, 7, 8])
    func deleteSome() {
      for book in author.books where !left.contains(Int(book.title) ?? -1) { context.delete(book) }
    }
    deleteSome()
    #expect(author.books.map(\.title) == left.map { "\($0)" })
    context.rollback()
    #expect(author.books.map(\.title) == all.dropLast().map { "\($0)" })
    deleteSome()
    author.books.append(Book(title: "new"))
    try context.save()
    let found = try #require(try ModelContext(context.container).fetch(FetchDescriptor<Author>()).first)
    #expect(found.books.map(\.title) == left.map { "\($0)" } + ["new"])
  }
}
