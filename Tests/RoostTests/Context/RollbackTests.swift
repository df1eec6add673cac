import Foundation
import Observation
import Roost
import Synchronization
import Testing

@Suite struct RollbackTests {
  @Test func `inserts and deletions are dropped, and edited models are as the store has them`() throws {
    let context = try makeLibrary()
    let (author, tag) = (Author(name: "Lack"), Tag(name: "birds"))
    author.books = ["A", "B"].map { Book(title: $0) }
    author.books[0].tags = [tag]
    context.insert(author)
    try context.save()
    let books = author.books
    author.name = "changed"
    books[0].title = "changed"
    books[0].tags = []
    author.books.swapAt(0, 1)
    author.books.append(Book(title: "C"))
    context.delete(books[1])
    context.rollback()
    #expect(!context.hasChanges && context.insertedModelsArray.isEmpty && context.deletedModelsArray.isEmpty)
    #expect(author.name == "Lack" && author.books == books && !books[1].isDeleted)
    #expect(books.map(\.title) == ["A", "B"] && books[0].tags == [tag] && tag.books == [books[0]])
    #expect(try context.fetchCount(FetchDescriptor<Book>()) == 2)
  }

  @Test func `a list that was read while a member was to be deleted has it again, and its observers know`() throws {
    let context = try makeLibrary()
    let author = Author(name: "Lack")
    author.books = ["A", "B"].map { Book(title: $0) }
    context.insert(author)
    try context.save()

    let other = ModelContext(context.container)
    let book = try #require(try other.fetch(FetchDescriptor<Book>(sortBy: [SortDescriptor(\.title)])).first)
    other.delete(book)
    let same = try #require(try other.fetch(FetchDescriptor<Author>()).first)
    let changes = Atomic<Int>(0)
    let titles = withObservationTracking {
      same.books.map(\.title)
    } onChange: {
      changes.add(1, ordering: .relaxed)
    }
    #expect(titles == ["B"])
    other.rollback()
    #expect(changes.load(ordering: .relaxed) == 1)
    #expect(same.books.map(\.title) == ["A", "B"])
  }
}
