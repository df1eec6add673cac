import Foundation
import Observation
import Roost
import Testing

/// Random edits, saves and rollbacks of several contexts: what observers show is what a fetch finds.
@Suite(.timeLimit(.minutes(20))) @MainActor struct InterleavingTests {
  private let container: ModelContainer

  init() throws {
    container = try ModelContainer(for: Author.self, configurations: ModelConfiguration(isStoredInMemoryOnly: true))
  }

  @Test func `results and sections are those of a fetch after each of 1,000 turns`() async throws {
    let seed = SeededRandom.seed
    var random = SeededRandom(seed: seed)
    let contexts = (0..<3).map { _ in ModelContext(container) }
    let draft = ModelContext(draftOf: contexts[0])
    let all = contexts + [draft]
    func observers(_ context: ModelContext) throws -> [any Compared] {
      [
        try ResultsObserver<Book, Never>(sortBy: [SortDescriptor(\.title)], modelContext: context),
        try ResultsObserver<Book, Never>(
          filterBy: #Predicate { $0.author?.name == "1" }, sortBy: [SortDescriptor(\.pages)], modelContext: context),
        try ResultsObserver<Book, Never>(
          filterBy: #Predicate { (book: Book) in book.tags.contains { $0.name == "0" } }, modelContext: context),
        try ResultsObserver<Book, String>(sectionBy: \.author?.name, modelContext: context),
        try ResultsObserver<Book, String>(
          fetchDescriptor: {
            var descriptor = FetchDescriptor<Book>(sortBy: [SortDescriptor(\.pages, order: .reverse)])
            descriptor.fetchLimit = 5
            return descriptor
          }(), sectionBy: \.title, modelContext: context),
        try ResultsObserver<Author, Never>(filterBy: #Predicate { $0.books.count > 1 }, modelContext: context),
      ]
    }
    let observers = try all.flatMap(observers)
    var isTold = observers.map { $0.track() }
    var told = 0
    for turn in 0..<1_000 {
      for _ in 0..<random.below(4) { edit(random.pick(all), &random) }
      let context = random.pick(all)
      switch random.below(5) {
      case 0, 1:
        // A row that another context deleted, or made the same tag of: both are for the user to mend.
        do { try context.save() } catch is SwiftDataError { context.rollback() }
      case 2: context.rollback()
      default: break
      }
      // Most turns are looked at here; some let the observers be told first, which waits for other tests.
      let isTurnOver = random.once(in: 25)
      if isTurnOver { await waitUntilTold(container) }
      // Those of one context; all when they were told.
      let looked = random.below(all.count)
      for (index, observer) in observers.enumerated() where isTurnOver || index * all.count / observers.count == looked
      {
        let difference = try observer.difference(isTold: isTold[index], isTurnOver: isTurnOver)
        if let difference {
          Issue.record("seed \(seed), turn \(turn), observer \(index): \(difference)")
          return
        }
        if isTold[index].isSet {
          told += 1
          isTold[index] = observer.track()
        }
      }
    }
    print("interleavings: seed \(seed), told \(told) times")
    #expect(told > 100)
  }

  private func edit(_ context: ModelContext, _ random: inout SeededRandom) {
    guard let books = try? context.fetch(FetchDescriptor<Book>(sortBy: [SortDescriptor(\.persistentModelID)])),
      let authors = try? context.fetch(FetchDescriptor<Author>(sortBy: [SortDescriptor(\.persistentModelID)]))
    else { return }
    let author = random.once(in: 4) || authors.isEmpty ? nil : random.pick(authors)
    guard !books.isEmpty, books.count < 40, !random.once(in: 4) else {
      if books.count >= 40 { context.delete(books[0]) }
      let book = Book(title: "\(random.below(6))")
      book.pages = random.below(9)
      if random.once(in: 2) { context.insert(book) }
      book.author = author
      if random.once(in: 4) { context.insert(Author(name: "\(random.below(3))")) }
      return
    }
    let book = random.pick(books)
    switch random.below(7) {
    case 0: book.title = "\(random.below(6))"
    case 1: book.pages = random.below(9)
    case 2: book.author = author
    case 3: context.delete(book)
    case 4: if let author, random.once(in: 3) { context.delete(author) }
    case 5: author?.name = "\(random.below(3))"
    default:
      if book.tags.isEmpty, let tags = try? context.fetch(FetchDescriptor<Tag>()) {
        let name = "\(random.below(3))"
        book.tags = [tags.first { $0.name == name } ?? Tag(name: name)]
      } else {
        book.tags = []
      }
    }
  }

  @Test func `the results of an observer are those of the store after saves of many threads`() async throws {
    let observer = try ResultsObserver<Book, Never>(
      sortBy: [SortDescriptor(\.title)], modelContext: container.mainContext)
    let container = container
    try await withThrowingTaskGroup(of: Void.self) { group in
      for writer in 0..<4 {
        group.addTask {
          let context = ModelContext(container)
          for number in 0..<50 {
            context.insert(Book(title: "\(writer)-\(number)"))
            try context.save()
          }
        }
      }
      while try await group.next() != nil { _ = observer.results.count }
    }
    await waitUntilTold(container)
    #expect(observer._shownModels.count == 200)
    #expect(Set(observer._shownModels.map(\.title)).count == 200)
  }
}

@MainActor private protocol Compared {
  /// A flag that is set once the observer tells of other results.
  func track() -> ToldFlag
  /// What is wrong with the results; nil if they are those of a fetch.
  func difference(isTold: ToldFlag, isTurnOver: Bool) throws -> String?
}

extension ResultsObserver: @MainActor Compared {
  fileprivate func track() -> ToldFlag {
    let flag = ToldFlag()
    withObservationTracking {
      _ = results
    } onChange: {
      flag.set()
    }
    return flag
  }

  fileprivate func difference(isTold: ToldFlag, isTurnOver: Bool) throws -> String? {
    let before = _shownModels
    let shown = Array(results)
    if shown != before, isTurnOver { return "not brought up to date by itself" }
    if shown != before, !isTold.isSet { return "not told" }
    let names = { (models: [Element]) in models.map { "\($0.persistentModelID.hashValue % 1_000)" } }
    guard let sections else {
      let found = try modelContext.fetch(fetchDescriptor)
      return shown == found ? nil : "\(names(shown)) instead of \(names(found))"
    }
    // With the titles that the context's models have: of a related model whose row another context deleted, the last.
    let found: SectionedResults<Element, String>
    if let key = sectionBy as? KeyPath<Element, String> {
      found = try modelContext.fetch(fetchDescriptor, sectionBy: key)
    } else {
      let key = try #require(sectionBy as? KeyPath<Element, String?>)
      found = try modelContext.fetch(fetchDescriptor, sectionBy: key)
      for section in sections {
        for model in section where model[keyPath: key] ?? "" != "\(section.title)" {
          return "a model of \(model[keyPath: key] ?? "") in section \(section.title)"
        }
      }
    }
    let isSame = found == sections as? SectionedResults<Element, String>
    let members = found.reduce(into: [Element]()) { $0 += $1 }
    return isSame && members == shown ? nil : "\(names(shown)) instead of \(names(members)) in sections"
  }
}
