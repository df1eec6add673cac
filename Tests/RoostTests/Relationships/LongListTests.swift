import Foundation
import Roost
import RoostCore
import RoostTesting
import Testing

/// Long lists that models are appended to one by one, of which a context keeps the members.
@Suite struct LongListTests {
  private let context: ModelContext
  private let author = Author(name: "A")

  init() throws {
    context = try makeLibrary()
    context.insert(author)
    try context.save()
  }

  /// How many members are looked at.
  private func append(_ numbers: Range<Int>, to append: (Book) -> Void) -> Int {
    let seen = context._membersSeen
    for number in numbers { append(Book(title: "\(number)")) }
    return context._membersSeen - seen
  }

  @Test func `an append to a long list of new models looks at none of the others`() throws {
    _ = append(0..<200) { author.books.append($0) }
    #expect(append(200..<1_000) { author.books.append($0) } == 0)
    #expect(author.books.map(\.title) == (0..<1_000).map { "\($0)" })
    try context.save()
    let stored = try #require(try ModelContext(context.container).fetch(FetchDescriptor<Author>()).first)
    #expect(stored.books.map(\.title) == (0..<1_000).map { "\($0)" })
  }

  @Test func `appends to several lists by turns look at none of the others`() throws {
    let tag = Tag(name: "t")
    context.insert(tag)
    func appendToBoth(_ book: Book) {
      author.books.append(book)
      tag.books.append(book)
    }
    _ = append(0..<200, to: appendToBoth)
    #expect(append(200..<400, to: appendToBoth) == 0)
    #expect(author.books.count == 400 && tag.books.elementsEqual(author.books, by: ===))
  }

  @Test func `the members of a list that was appended to live no longer than until the save`() throws {
    _ = append(0..<200) { author.books.append($0) }
    #expect(context._liveModelCount == 201)
    try context.save()
    context._forgetRecentModels()
    #expect(context._liveModelCount == 1)
  }

  @Test func `few pending models keep no others of their list alive`() throws {
    _ = append(0..<200) { author.books.append($0) }
    try context.save()
    for number in 0..<3 { author.books.append(Book(title: "\(number)")) }
    context._forgetRecentModels()
    #expect(context._liveModelCount == 4)
    #expect(author.books.count == 203)
  }

  @Test(arguments: [true, false])
  func `a list that is appended to shows who refers to its owner, whatever else happens`(_ isAlone: Bool) throws {
    let seed = SeededRandom.seed
    print("ROOST_SEED=\(seed) long lists")
    var random = SeededRandom(seed: seed)
    context.undoManager = UndoManager()
    let other = Author(name: "B")
    context.insert(other)
    try context.save()
    var all: [Book] = []
    for step in 0..<1_500 {
      let book = Book(title: "\(step)")
      all.append(book)
      author.books.append(book)
      if random.once(in: 12) { try change(&random, other, isAlone) }
      if !isAlone, random.once(in: 40) { try changeOutside(&random) }
      context.processPendingChanges()
      guard random.once(in: 8) else { continue }
      let shown = author.books
      context._forgetKeptLists()
      #expect(shown.elementsEqual(author.books, by: ===), "ROOST_SEED=\(seed), step \(step)")
      // A book that was read before another context's save still says whose it was.
      if !isAlone { continue }
      let meant = all.filter { $0.modelContext != nil && !$0.isDeleted && $0.author === author }
      #expect(
        shown.count == meant.count && Set(shown.map(\.title)) == Set(meant.map(\.title)),
        "ROOST_SEED=\(seed), step \(step)")
    }
  }

  /// Changes stored books behind the context's back, in each way there is.
  private func changeOutside(_ random: inout SeededRandom) throws {
    let writer = ModelContext(context.container)
    let books = try writer.fetch(FetchDescriptor<Book>())
    guard let book = books.randomElement(using: &random) else { return }
    let title = book.title
    switch random.below(7) {
    case 0: writer.delete(book)
    case 1: book.author = nil
    case 2: book.author = try writer.fetch(FetchDescriptor<Author>()).randomElement(using: &random)
    case 3: book.author?.books.append(Book(title: "outside"))
    case 4: try writer.delete(model: Book.self, where: #Predicate { $0.title == title })
    case 5: try writer.update(model: Book.self, where: #Predicate { $0.title == title }, set: .set(\.author, to: nil))
    default: try writer.execute(sql: "DELETE FROM Book WHERE title = \(title)")
    }
    try writer.save()
    if random.once(in: 2) { context.noticeOtherSaves() }
  }

  private func change(_ random: inout SeededRandom, _ other: Author, _ isAlone: Bool) throws {
    guard let book = author.books.randomElement(using: &random) else { return }
    switch random.below(40) {
    case 0..<6: context.delete(book)
    case 6..<12: other.books.append(book)
    case 12..<16: book.author = nil
    case 16..<20: author.books.removeAll { $0 === book }
    case 20..<24: author.books.sort { $0.title < $1.title }
    case 24..<28:
      context.delete(book)
      context.insert(book)
    case 28..<34:
      context.processPendingChanges()
      context.undoManager?.undo()
      if random.once(in: 2) { context.undoManager?.redo() }
    case 34..<36: book.author = other
    case 36..<38: _ = try context.fetchCount(FetchDescriptor<Book>())
    case 38 where isAlone: if random.once(in: 4) { try context.save() }
    case 38:
      // What it changed others may have deleted.
      do { try context.save() } catch is SwiftDataError { context.rollback() }
    case 39: if random.once(in: 4) { context.rollback() }
    default: author.books.append(book)
    }
  }
}
