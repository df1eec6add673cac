import Foundation
import Observation
import Roost
import Synchronization
import Testing

@Suite struct RollbackTests {
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
