import Foundation
import Roost
import RoostCore
import RoostEngine
import Testing

private func cancelCurrentTask() { withUnsafeCurrentTask { if let task = $0 { task.cancel() } } }

/// Rows that are read into models with pending changes.
@Suite struct LateLoadTests {
  private let container: ModelContainer
  private let context: ModelContext

  init() throws {
    container = try makeLibrary().container
    context = ModelContext(container)
    let first = ModelContext(container)
    let book = Book(title: "old", author: Author(name: "Lack"))
    book.pages = 10
    first.insert(book)
    try first.save()
  }

  @Test func `reading a property that was not fetched keeps the edits of others`() throws {
    var descriptor = FetchDescriptor<Book>()
    descriptor.propertiesToFetch = [\.title]
    let book = try #require(try context.fetch(descriptor).first)
    book.title = "new"
    #expect(book.pages == 10)
    #expect(book.title == "new")
    try context.save()
    #expect(try stored() == "new 10")
  }

  @Test func `editing a property that was not fetched keeps the edits of others`() throws {
    var descriptor = FetchDescriptor<Book>()
    descriptor.propertiesToFetch = [\.title]
    let book = try #require(try context.fetch(descriptor).first)
    book.title = "new"
    book.pages += 1
    book.author = nil
    try context.save()
    #expect(try stored() == "new 11")
    #expect(try ModelContext(container).fetch(FetchDescriptor<Book>()).first?.author == nil)
  }

  @Test func `a cancelled task reads what is stored though it has to wait for a connection`() async throws {
    let identifier = try #require(try context.fetchIdentifiers(FetchDescriptor<Book>()).first)
    let (container, pool) = (self.container, self.container.store.pool)
    let (taken, leave) = (DispatchGroup(), DispatchSemaphore(value: 0))
    for _ in 0..<5 {
      taken.enter()
      Thread.detachNewThread {
        try? pool.read { _ in
          taken.leave()
          leave.wait()
        }
      }
    }
    await withCheckedContinuation { continuation in taken.notify(queue: .global()) { continuation.resume() } }
    let task = Task.detached { () -> String? in
      cancelCurrentTask()
      DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(100)) { for _ in 0..<5 { leave.signal() } }
      let own = ModelContext(container)
      return (own.model(for: identifier) as? Book)?.title
    }
    #expect(await task.value == "old")
  }

  @Test func `a model that was linked to before it was read reads its row`() throws {
    let identifier = try #require(try context.fetchIdentifiers(FetchDescriptor<Author>()).first)
    let author = try #require(context.model(for: identifier) as? Author)
    context.insert(Book(title: "B", author: author))
    #expect(author.name == "Lack")
    #expect(!author.isDeleted)
    author.name += " Jr."
    try context.save()
    #expect(try ModelContext(container).fetch(FetchDescriptor<Author>()).map(\.name) == ["Lack Jr."])
  }

  @Test func `a model that was deleted before it was read has its values`() throws {
    let identifier = try #require(try context.fetchIdentifiers(FetchDescriptor<Book>()).first)
    let book = try #require(context.model(for: identifier) as? Book)
    context.delete(book)
    #expect(book.title == "old")
    #expect(book.isDeleted)
  }

  @Test func `a fetch brings the properties without edits up to date`() throws {
    let book = try #require(try context.fetch(FetchDescriptor<Book>()).first)
    book.title = "mine"
    let other = ModelContext(container)
    let same = try #require(try other.fetch(FetchDescriptor<Book>()).first)
    same.pages = 99
    same.title = "theirs"
    try other.save()
    _ = try context.fetch(FetchDescriptor<Book>())
    #expect(book.pages == 99)
    #expect(book.title == "mine")
  }

  private func stored() throws -> String? {
    try ModelContext(container).fetch(FetchDescriptor<Book>()).first.map { "\($0.title) \($0.pages)" }
  }
}
