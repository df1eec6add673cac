import Foundation
import Roost
import RoostEngine
import RoostTesting
import Testing

/// Random writes from everywhere: results that were brought up to date by rows are those of a fetch.
@Suite(.timeLimit(.minutes(20))) @MainActor struct RandomLiveRowsTests {
  private let folder: TemporaryFolder
  private let context: ModelContext
  private let other: ModelContext
  private let draft: ModelContext
  /// Of another container, which stands for another program.
  private let outside: ModelContext
  private let undo = UndoManager()

  init() throws {
    folder = try TemporaryFolder()
    let (container, others) = (try Self.container(folder.store), try Self.container(folder.store))
    (context, other) = (ModelContext(container), ModelContext(container))
    (draft, outside) = (ModelContext(draftOf: context), ModelContext(others))
    context.undoManager = undo
  }

  private static func container(_ url: URL) throws -> ModelContainer {
    var configuration = ModelConfiguration(url: url)
    configuration.storeOptions.pollingInterval = .zero
    return try ModelContainer(for: Author.self, configurations: configuration)
  }

  @Test func `results of 200 rows are those of a fetch after each of 1,000 turns`() async throws {
    let seed = SeededRandom.seed
    print("ROOST_SEED=\(seed) live rows")
    var random = SeededRandom(seed: seed)
    for name in 0..<4 { context.insert(Author(name: "\(name)")) }
    for name in 0..<150 { context.insert(Tag(name: "\(name)")) }
    for _ in 0..<200 { context.insert(book(&random)) }
    try context.save()
    // What is undone is what is done from here on: without these rows all is fetched again each time.
    undo.removeAllActions()
    let titled = try ResultsObserver<Book, Never>(sortBy: [SortDescriptor(\.title)], modelContext: context)
    let filtered = try ResultsObserver<Book, Never>(
      filterBy: #Predicate { $0.pages > 3 && $0.title != "5" },
      sortBy: [SortDescriptor(\.published, order: .reverse), SortDescriptor(\.pages)], modelContext: context)
    let sections = try ResultsObserver<Book, String>(
      sortBy: [SortDescriptor(\.pages, order: .reverse)], sectionBy: \.title, modelContext: context)
    let observers: [any Live] = [
      titled, filtered, sections,
      try ResultsObserver<Book, Never>(
        filterBy: #Predicate { $0.author != nil },
        sortBy: [SortDescriptor(\.title, comparator: .localizedStandard, order: .reverse)], modelContext: other),
      try ResultsObserver<Book, Never>(sortBy: [SortDescriptor(\.pages)], modelContext: other),
      try ResultsObserver<Tag, Never>(sortBy: [SortDescriptor(\.name)], modelContext: context),
      try ResultsObserver<Book, Never>(
        filterBy: #Predicate { $0.author?.name == "1" }, sortBy: [SortDescriptor(\.pages)], modelContext: context),
      try ResultsObserver<Book, Never>(sortBy: [SortDescriptor(\.title)], modelContext: draft),
    ]
    var readers: [@MainActor () async throws -> String?] = []
    for observer in [titled, filtered] { readers.append(try ChangesReader(observer).read) }
    readers.append(try ChangesReader(sections, sectionBy: SectionKey(\.title)).read)
    for turn in 0..<1_000 {
      let actions = try (0...random.below(2)).map { _ in try act(&random, titled) }
      // Another program's writes are noticed by whoever reads next.
      _ = try context.fetch(FetchDescriptor<Author>())
      for (index, observer) in observers.enumerated() where random.once(in: 2) {
        guard let difference = try observer.difference() else { continue }
        Issue.record("ROOST_SEED=\(seed), turn \(turn), \(actions), observer \(index): \(difference)")
        return
      }
      for (index, read) in readers.enumerated() where random.once(in: 4) {
        guard let difference = try await read(), !difference.isEmpty else { continue }
        Issue.record("ROOST_SEED=\(seed), turn \(turn), \(actions), reader \(index): \(difference)")
        return
      }
    }
    let counts = observers.map { (changes: $0._changeCount, fetches: $0._fetchCount) }
    print("live rows: seed \(seed), \(counts)")
    // The last two are asked as a whole each time.
    // Where SQLite tells of no rows all is fetched each time.
    let least = RowChangeLog.isSupported ? 50 : -1
    for (changes, fetches) in counts.prefix(6) { #expect(changes - fetches > least, "\(counts)") }
    for (changes, fetches) in counts.suffix(2) { #expect(changes <= fetches) }
  }

  private func book(_ random: inout SeededRandom) -> Book {
    let book = Book(title: "\(random.below(9))")
    book.pages = random.below(30)
    if random.once(in: 2) { book.published = Date(timeIntervalSinceReferenceDate: Double(random.below(9))) }
    return book
  }

  private func act(_ random: inout SeededRandom, _ observer: ResultsObserver<Book, Never>) throws -> Int {
    let (action, number) = (random.below(60), random.below(30))
    switch action {
    case 0...7: try save(context)
    case 8: context.rollback()
    case 9: if undo.canUndo { undo.undo() }
    case 10: if undo.canRedo { undo.redo() }
    case 11: try context.update(model: Book.self, where: #Predicate { $0.pages == number }, set: \.pages += 1)
    case 12: try other.execute(sql: "UPDATE \(Book.self) SET title = '3' WHERE pages = \(number)")
    case 13: try context.execute(sql: "DELETE FROM \(Book.self) WHERE pages = \(number) AND title > '6'")
    case 14: observer.sortBy = [SortDescriptor(\.title, order: random.once(in: 2) ? .forward : .reverse)]
    case 15: observer.filterBy = random.once(in: 2) ? nil : #Predicate { $0.pages > 2 }
    case 16, 17:
      try edit(draft, &random)
      try save(draft)
    case 18:
      try edit(outside, &random)
      try save(outside)
    case 19...22:
      // A row that is there already is updated.
      other.insert(Tag(name: "\(random.below(160))"))
      try save(other)
    case 23...42:
      try edit(other, &random)
      try save(other)
    case 43: try edit(other, &random)
    default:
      try edit(context, &random)
      context.processPendingChanges()
    }
    return action
  }

  /// A row that another context has deleted is for the user to mend.
  private func save(_ context: ModelContext) throws {
    do { try context.save() } catch is SwiftDataError { context.rollback() }
  }

  private func edit(_ context: ModelContext, _ random: inout SeededRandom) throws {
    let books = try context.fetch(FetchDescriptor<Book>(sortBy: [SortDescriptor(\.persistentModelID)]))
    let authors = try context.fetch(FetchDescriptor<Author>(sortBy: [SortDescriptor(\.persistentModelID)]))
    if books.count < 180 || random.once(in: 8) { return context.insert(book(&random)) }
    let book = random.pick(books)
    switch random.below(9) {
    case 0, 1: book.title = "\(random.below(9))"
    case 2, 3: book.pages = random.below(30)
    case 4: book.published = random.once(in: 3) ? nil : Date(timeIntervalSinceReferenceDate: Double(random.below(9)))
    case 5: book.genre = random.once(in: 2) ? .fiction : .science
    case 6: book.author = authors.isEmpty ? nil : random.pick(authors)
    case 7: if books.count > 200 { context.delete(book) }
    default:
      if random.once(in: 4), let author = authors.first { author.name = "\(random.below(3))" }
      let name = "\(random.below(9))"
      if let tag = try context.first(FetchDescriptor<Tag>(predicate: #Predicate { $0.name == name })) {
        book.tags = [tag]
      }
    }
  }
}

@MainActor private protocol Live {
  var _changeCount: Int { get }
  var _fetchCount: Int { get }
  /// What is wrong with the results; nil if they are those of a fetch.
  func difference() throws -> String?
}

extension ResultsObserver: @MainActor Live {
  fileprivate func difference() throws -> String? {
    let shown = Array(results)
    let names = { (models: [Element]) in models.map { "\($0.persistentModelID.hashValue % 1_000)" } }
    guard let sections = sections as? SectionedResults<Element, String> else {
      let found = try modelContext.fetch(fetchDescriptor)
      return shown == found ? nil : "\(names(shown)) instead of \(names(found))"
    }
    guard let key = sectionBy as? KeyPath<Element, String> else { return "no key" }
    let found = try modelContext.fetch(fetchDescriptor, sectionBy: key)
    return found == sections && found.flatMap { Array($0) } == shown ? nil : "other sections"
  }
}
