import Foundation
import Roost
import Testing

/// Random edits from everywhere: applied to what a reader saw, the changes it reads give what a fetch finds.
@Suite(.timeLimit(.minutes(20))) @MainActor struct RandomChangesTests {
  private let container: ModelContainer
  private let context: ModelContext
  private let other: ModelContext
  private let undo = UndoManager()

  init() throws {
    container = try ModelContainer(for: Author.self, configurations: ModelConfiguration(isStoredInMemoryOnly: true))
    (context, other) = (ModelContext(container), ModelContext(container))
    context.undoManager = undo
  }

  /// Beside any seed one that has found something.
  @Test(arguments: [SeededRandom.seed, 7_757_880_068_122_383_719])
  func `changes of 600 turns lead from what a reader saw to what there is, with the fewest moves`(
    seed: UInt64
  ) async throws {
    print("ROOST_SEED=\(seed) changes")
    var random = SeededRandom(seed: seed)
    for name in 0..<3 { context.insert(Author(name: "\(name)")) }
    for _ in 0..<12 { context.insert(Book(title: "\(random.below(4))")) }
    try context.save()
    let sorted = try ResultsObserver<Book, Never>(sortBy: [SortDescriptor(\.pages)], modelContext: context)
    let filtered = try ResultsObserver<Book, Never>(
      filterBy: #Predicate { $0.author?.name != "1" }, sortBy: [SortDescriptor(\.title)], modelContext: context)
    let titled = try ResultsObserver<Book, String>(
      sortBy: [SortDescriptor(\.pages)], sectionBy: \.title, modelContext: context)
    let named = try ResultsObserver<Book, String>(sectionBy: \.author?.name, modelContext: context)
    // Two of the first, as each has its own state.
    var readers: [@MainActor () async throws -> String?] = []
    for observer in [sorted, sorted, filtered] { readers.append(try ChangesReader(observer).read) }
    readers.append(try ChangesReader(titled, sectionBy: SectionKey(\.title)).read)
    readers.append(try ChangesReader(named, sectionBy: SectionKey(\.author?.name)).read)
    let list = FollowedList<PersistentIdentifier>()
    let following = Task {
      list.begin(sorted.results.map(\.persistentModelID))
      for await changes in sorted.changes { list.apply(changes, changes.identifiers) }
    }
    var counts = readers.map { _ in 0 }
    for turn in 0..<600 {
      for _ in 0...random.below(3) { try act(&random) }
      if random.once(in: 20) {
        let order: SortOrder = random.once(in: 2) ? .forward : .reverse
        titled.sortBy = [SortDescriptor(\.title, order: order), SortDescriptor(\.pages)]
        sorted.sortBy = [SortDescriptor(\.pages, order: order)]
        filtered.filterBy = random.once(in: 2) ? nil : #Predicate { $0.pages > 3 }
      }
      // Who does not read now is told of several turns at once.
      for (index, read) in readers.enumerated() where random.once(in: 3) {
        guard let difference = try await read() else { continue }
        counts[index] += 1
        if difference.isEmpty { continue }
        Issue.record("ROOST_SEED=\(seed), turn \(turn), reader \(index): \(difference)")
        return
      }
      // A list that a loop changes comes to be the results whenever the loop has its turn.
      if random.once(in: 20) { await list.shows(sorted.results.map(\.persistentModelID)) }
    }
    following.cancel()
    #expect(counts.allSatisfy { $0 > 40 }, "\(counts)")
  }

  private func act(_ random: inout SeededRandom) throws {
    let number = random.below(9)
    switch random.below(14) {
    case 0: try save(context)
    case 1: context.rollback()
    case 2: if undo.canUndo { undo.undo() }
    case 3: if undo.canRedo { undo.redo() }
    case 4: try other.execute(sql: "UPDATE \(Book.self) SET pages = (pages * 7 + \(number)) % 10")
    case 5: try other.execute(sql: "DELETE FROM \(Book.self) WHERE pages = \(number)")
    case 6:
      try other.update(model: Book.self, where: #Predicate { $0.pages < number }, set: \.pages += 3)
    case 7:
      try other.execute(sql: "INSERT INTO \(Book.self) (title, pages, genre) VALUES ('new', \(number), 'fiction')")
    case 8, 9:
      try edit(other, &random)
      try save(other)
    default:
      try edit(context, &random)
      context.processPendingChanges()
    }
  }

  /// A row that another context has deleted is for the user to mend.
  private func save(_ context: ModelContext) throws {
    do { try context.save() } catch is SwiftDataError { context.rollback() }
  }

  private func edit(_ context: ModelContext, _ random: inout SeededRandom) throws {
    let books = try context.fetch(FetchDescriptor<Book>(sortBy: [SortDescriptor(\.persistentModelID)]))
    let authors = try context.fetch(FetchDescriptor<Author>(sortBy: [SortDescriptor(\.persistentModelID)]))
    let author = random.once(in: 4) || authors.isEmpty ? nil : random.pick(authors)
    if books.count < 6 || random.once(in: 4) {
      for _ in 0...random.below(4) {
        let book = Book(title: "\(random.below(4))", author: author)
        book.pages = random.below(9)
        context.insert(book)
      }
      return
    }
    let book = random.pick(books)
    switch random.below(6) {
    case 0: book.title = "\(random.below(4))"
    case 1: book.pages = random.below(9)
    case 2: book.author = author
    case 3: for book in books.prefix(books.count / 4) { context.delete(book) }
    case 4: author?.name = "\(random.below(3))"
    default: book.published = random.once(in: 2) ? nil : Date(timeIntervalSinceReferenceDate: Double(random.below(9)))
    }
  }
}
