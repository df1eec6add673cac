import Foundation
import Roost
import Testing

/// Queries between edits of many unsaved rows, each beside what the models themselves say.
@Suite struct RandomUnshownTests {
  private let container: ModelContainer
  private let context: ModelContext

  init() throws {
    container = try ModelContainer(for: Author.self, configurations: ModelConfiguration(isStoredInMemoryOnly: true))
    context = ModelContext(container)
  }

  @Test func `what queries find among many unsaved changes is what the models say`() throws {
    let seed = SeededRandom.seed
    print("ROOST_SEED=\(seed) unshown changes")
    var random = SeededRandom(seed: seed)
    var walk = try Walk(context)
    var found = 0
    for step in 0..<400 {
      try walk.change(&random)
      found += try check(walk, "ROOST_SEED=\(seed), step \(step)", &random)
    }
    #expect(found > 100 && walk.mostPending > 64 && walk.saves > 0 && walk.rollbacks > 0)
  }

  /// Returns how many rows were found.
  private func check(_ walk: Walk, _ place: String, _ random: inout SeededRandom) throws -> Int {
    let word = "\(random.below(12))"
    func expect(_ name: String, _ predicate: Predicate<Book>, _ isMeant: (Book) -> Bool) throws -> Int {
      let books = Set(try context.fetch(FetchDescriptor(predicate: predicate)).map(ObjectIdentifier.init))
      let expected = Set(walk.books.filter(isMeant).map(ObjectIdentifier.init))
      #expect(books == expected, "\(place): \(name) \(word)")
      return books.count
    }
    // Of one table, of two, and of a join table.
    return try expect("title", #Predicate { $0.title == word }) { $0.title == word }
      + expect("author", #Predicate { $0.author?.name == word }) { $0.author?.name == word }
      + expect("tags", #Predicate { book in book.tags.contains { $0.name == word } }) {
        $0.tags.contains { $0.name == word }
      }
  }
}

/// Everything that changes what is pending.
private struct Walk {
  let context: ModelContext
  private(set) var books: [Book] = []
  private(set) var mostPending = 0
  private(set) var saves = 0
  private(set) var rollbacks = 0
  private let authors: [Author]
  private let tags: [Tag]
  private var savedBooks: [Book] = []

  init(_ context: ModelContext) throws {
    self.context = context
    authors = (0..<12).map { Author(name: "\($0)") }
    tags = (0..<12).map { Tag(name: "\($0)") }
    for author in authors { context.insert(author) }
    for tag in tags { context.insert(tag) }
    try context.save()
    for number in 0..<80 { insert(Book(title: "\(number % 12)")) }
  }

  private mutating func insert(_ book: Book) {
    context.insert(book)
    books.append(book)
  }

  mutating func change(_ random: inout SeededRandom) throws {
    mostPending = max(mostPending, context.insertedModelsArray.count + context.changedModelsArray.count)
    guard let book = random.once(in: 20) ? nil : books.randomElement(using: &random) else {
      return insert(Book(title: "\(random.below(12))", author: random.pick(authors)))
    }
    switch random.below(60) {
    case 0..<15: book.title = "\(random.below(12))"
    case 15..<28: book.author = random.once(in: 4) ? nil : random.pick(authors)
    case 28..<40: book.tags = tags.filter { _ in random.once(in: 4) }
    case 40..<46: random.pick(tags).books.append(book)
    case 46..<50: random.pick(authors).books.removeAll { $0 === book }
    case 50..<54:
      context.delete(book)
      books.removeAll { $0 === book }
    case 54..<56:
      // A deletion that is taken back.
      context.delete(book)
      context.insert(book)
    case 56..<58:
      let other = ModelContext(context.container)
      other.insert(Book(title: "another context's"))
      try other.save()
    case 58:
      try context.save()
      (savedBooks, saves) = (books, saves + 1)
    default:
      context.rollback()
      (books, rollbacks) = (savedBooks, rollbacks + 1)
      while books.count < 80 { insert(Book(title: "\(random.below(12))")) }
    }
  }
}
