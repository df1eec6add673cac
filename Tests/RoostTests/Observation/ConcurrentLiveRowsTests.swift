import Foundation
import Roost
import RoostEngine
import Synchronization
import Testing

/// Live results that are looked at while other threads save. On no actor, so that no other test has it wait.
@Suite(.timeLimit(.minutes(20))) struct ConcurrentLiveRowsTests {
  @Test func `results that are looked at while several threads save are those of a fetch afterwards`() async throws {
    let container = try ModelContainer(
      for: Author.self, configurations: ModelConfiguration(isStoredInMemoryOnly: true))
    let context = ModelContext(container)
    for number in 0..<2_000 {
      let book = Book(title: "\(number % 7)")
      book.pages = number
      context.insert(book)
    }
    try context.save()
    let observer = try ResultsObserver<Book, Never>(
      filterBy: #Predicate { $0.pages >= 100 }, sortBy: [SortDescriptor(\.title), SortDescriptor(\.pages)],
      modelContext: context, isolation: nil)
    let finished = Finished()
    let writers = (0..<4).map { writer in
      Task.detached {
        defer { finished.note() }
        let context = ModelContext(container)
        let books = try context.fetch(FetchDescriptor<Book>(predicate: #Predicate { $0.pages % 4 == writer }))
        for number in 0..<100 {
          books[number * 37 % books.count].title = "\(number * 31 % 10)"
          try context.save()
          // The others' turn, and the reader's, where there are few threads.
          await Task.yield()
        }
      }
    }
    while finished.count < writers.count {
      _ = observer.results.count
      await Task.yield()
    }
    for writer in writers { try await writer.value }
    #expect(Array(observer.results) == (try context.fetch(observer.fetchDescriptor)))
    // Where SQLite tells of no rows all is fetched each time. How often else is the threads' turns.
    #expect(observer._changeCount > 0 || !RowChangeLog.isSupported)
  }
}

/// Counts who is done.
private final class Finished: Sendable {
  private let number = Atomic<Int>(0)
  var count: Int { number.load(ordering: .acquiring) }
  func note() { number.add(1, ordering: .releasing) }
}
