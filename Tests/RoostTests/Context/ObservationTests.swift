import Foundation
import Observation
import Roost
import Synchronization
import Testing

@Model private final class ChainLink {
  var next: ChainLink?
  init() {}
}

@Suite struct ObservationTests {
  @Test(arguments: [false, true])
  func `a change of a property that was read is noticed, another is not`(isInserted: Bool) throws {
    let context = try makeLibrary()
    let (book, other) = (Book(title: "A"), Book(title: "B"))
    if isInserted {
      context.insert(book)
      context.insert(other)
      try context.save()
    }
    let changes = Atomic<Int>(0)
    func track() {
      withObservationTracking {
        _ = book.title
      } onChange: {
        changes.add(1, ordering: .relaxed)
      }
    }
    track()
    other.title = "not this one"
    book.pages = 3
    #expect(changes.load(ordering: .relaxed) == 0)
    book.title = "A2"
    #expect(changes.load(ordering: .relaxed) == 1)
    track()
    book.title = "A3"
    #expect(changes.load(ordering: .relaxed) == 2)
  }

  @Test func `changes of models that only a relationship leads to are noticed`() throws {
    let context = try makeLibrary()
    do {
      let lack = Author(name: "Lack")
      lack.books = ["A", "B"].map { Book(title: $0) }
      context.insert(lack)
      try context.save()
    }
    context._forgetRecentModels()
    let author = try #require(context.fetch(FetchDescriptor<Author>()).first)
    let changes = Atomic<Int>(0)
    func track(_ read: () -> Void) {
      withObservationTracking(read) { changes.add(1, ordering: .relaxed) }
    }
    track { _ = author.books.reduce(0) { $0 + $1.pages } }
    context._forgetRecentModels()
    author.books[0].pages += 1
    #expect(changes.load(ordering: .relaxed) == 1)
    try context.save()
    track { _ = author.books.flatMap { $0.author?.books ?? [] }.map(\.title) }
    context._forgetRecentModels()
    let other = ModelContext(context.container)
    try #require(other.fetch(FetchDescriptor<Book>(sortBy: [SortDescriptor(\.title)])).last).title = "C"
    try other.save()
    _ = try context.fetch(FetchDescriptor<Author>())
    #expect(changes.load(ordering: .relaxed) == 2)
    let book = try #require(author.books.first)
    track { _ = book.author?.name }
    context._forgetRecentModels()
    book.author?.name = "David Lack"
    #expect(changes.load(ordering: .relaxed) == 3)
  }

  @Test func `models that were tracked go with those who led to them, or with the context`() throws {
    var context: ModelContext? = try makeLibrary()
    let container = try #require(context?.container)
    do {
      let lack = Author(name: "Lack")
      lack.books = ["A", "B"].map { Book(title: $0) }
      context?.insert(lack)
      try context?.save()
    }
    func track(_ read: () -> Void) { withObservationTracking(read) {} }
    func live() -> Int {
      context?._forgetRecentModels()
      return context?._liveModelCount ?? 0
    }
    do {
      let author = try #require(context?.fetch(FetchDescriptor<Author>()).first)
      track { _ = author.books.map(\.title) }
      #expect(live() == 3)
    }
    #expect(live() == 0)
    weak var last: Author?
    do {
      let author = try #require(context?.fetch(FetchDescriptor<Author>()).first)
      track { _ = author.books.map { $0.author?.name } }
      last = author
    }
    // They lead to each other.
    #expect(live() == 3 && last != nil)
    context = nil
    #expect(last == nil)
    withExtendedLifetime(container) {}
  }

  @Test func `a long chain that was tracked goes without ending the stack`() throws {
    let container = try ModelContainer(
      for: ChainLink.self, configurations: ModelConfiguration(isStoredInMemoryOnly: true))
    let context = ModelContext(container)
    do {
      let links = (0..<20_000).map { _ in ChainLink() }
      for (link, next) in zip(links, links.dropFirst()) { link.next = next }
      context.insert(contentsOf: links)
      try context.save()
    }
    context._forgetRecentModels()
    do {
      var first = FetchDescriptor<ChainLink>(sortBy: [SortDescriptor(\.persistentModelID)])
      first.fetchLimit = 1
      let start = try #require(context.fetch(first).first)
      var count = 0
      withObservationTracking {
        var link: ChainLink? = start
        while let next = link {
          count += 1
          link = next.next
        }
      } onChange: {
      }
      context._forgetRecentModels()
      #expect(count == 20_000 && context._liveModelCount == 20_000)
    }
    #expect(context._liveModelCount == 0)
  }

  @Test func `linking one side is noticed on the other`() throws {
    let context = try makeLibrary()
    let (author, book) = (Author(name: "Lack"), Book(title: "A"))
    context.insert(author)
    context.insert(book)
    let changes = Atomic<Int>(0)
    withObservationTracking {
      _ = author.books
    } onChange: {
      changes.add(1, ordering: .relaxed)
    }
    book.author = author
    #expect(changes.load(ordering: .relaxed) == 1)
  }
}
