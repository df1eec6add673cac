import Foundation
import Roost
import Testing

@Suite struct SavingTests {
  @Test func `a saved model is found by another context`() throws {
    let context = try makeLibrary()
    let book = Book(title: "Swifts in a Tower")
    book.pages = 254
    context.insert(book)
    #expect(book.persistentModelID.isTemporary)
    try context.save()
    #expect(!book.persistentModelID.isTemporary)
    let other = ModelContext(context.container)
    let found = try #require(try other.fetch(FetchDescriptor<Book>()).first)
    #expect(found.title == "Swifts in a Tower")
    #expect(found.pages == 254)
    #expect(found.published == nil)
    #expect(found.genre == .fiction)
    #expect(found.persistentModelID == book.persistentModelID)
  }

  @Test func `inserting the root of a graph inserts all of it`() throws {
    let context = try makeLibrary()
    let author = Author(name: "Lack")
    author.books = [Book(title: "A"), Book(title: "B")]
    author.books[0].tags.append(Tag(name: "birds"))
    context.insert(author)
    #expect(context.insertedModelsArray.count == 4)
    try context.save()
    let other = ModelContext(context.container)
    let found = try #require(try other.fetch(FetchDescriptor<Author>()).first)
    #expect(found.books.map(\.title).sorted() == ["A", "B"])
    #expect(found.books.allSatisfy { $0.author === found })
    #expect(found.books.flatMap(\.tags).map(\.name) == ["birds"])
  }

  @Test func `a model that refers to a stored one in its initialiser is saved with it`() throws {
    let context = try makeLibrary()
    let author = Author(name: "Lack")
    context.insert(author)
    try context.save()
    _ = Book(title: "A", author: author)
    #expect(author.books.map(\.title) == ["A"])
    #expect(context.hasChanges)
    try context.save()
    let other = ModelContext(context.container)
    #expect(try other.fetch(FetchDescriptor<Book>()).map { $0.author?.name } == ["Lack"])
  }

  @Test func `deleting an author deletes the books`() throws {
    let context = try makeLibrary()
    let author = Author(name: "Lack")
    author.books = [Book(title: "A"), Book(title: "B")]
    context.insert(author)
    try context.save()
    context.delete(author)
    #expect(try context.fetchCount(FetchDescriptor<Book>()) == 0)
    try context.save()
    #expect(try ModelContext(context.container).fetchCount(FetchDescriptor<Book>()) == 0)
  }

  @Test func `pending inserts, edits and deletions are in a fetch`() throws {
    let context = try makeLibrary()
    let books = ["A", "B", "C"].map { Book(title: $0) }
    books.forEach { context.insert($0) }
    try context.save()
    context.delete(books[0])
    books[1].title = "B2"
    context.insert(Book(title: "D"))
    #expect(try context.fetch(FetchDescriptor<Book>()).map(\.title).sorted() == ["B2", "C", "D"])
    var saved = FetchDescriptor<Book>()
    saved.includePendingChanges = false
    #expect(try context.fetchCount(saved) == 3)
    context.rollback()
    #expect(!context.hasChanges)
    #expect(try context.fetch(FetchDescriptor<Book>()).map(\.title).sorted() == ["A", "B", "C"])
  }

  @Test func `a fetch gives the very models that were inserted, also the first of the process`() throws {
    let context = try makeLibrary()
    let books = ["A", "B", "C"].map { Book(title: $0) }
    books.forEach { context.insert($0) }
    let found = try context.fetch(FetchDescriptor<Book>(sortBy: [SortDescriptor(\.title)]))
    #expect(found.map { ObjectIdentifier($0) } == books.map { ObjectIdentifier($0) })
  }

  @Test func `a unique value updates the stored row`() throws {
    let context = try makeLibrary()
    context.insert(Tag(name: "birds"))
    try context.save()
    let again = Tag(name: "birds")
    again.books = [Book(title: "A")]
    context.insert(again)
    try context.save()
    let tags = try ModelContext(context.container).fetch(FetchDescriptor<Tag>())
    #expect(tags.count == 1)
    #expect(tags.first?.books.map(\.title) == ["A"])
  }

  @Test func `new models find each other in whatever order they come, beside those of other contexts`() throws {
    let seed = SeededRandom.seed
    print("ROOST_SEED=\(seed)")
    var random = SeededRandom(seed: seed)
    let context = try makePeople()
    let other = ModelContext(context.container)
    let people = (0..<200).map { Person(name: "\($0)") }
    var managers: [String: String] = [:]
    for person in people.shuffled(using: &random) {
      // Half of them come with their manager, who may be here already, or come alone and get one.
      let manager = random.pick(people)
      managers[person.name] = manager.name
      if random.once(in: 2) { person.manager = manager }
      context.insert(person)
      for _ in 0..<random.below(40) { other.insert(Person(name: "other")) }
      person.manager = manager
    }
    try context.save()
    let stored = try ModelContext(context.container).fetch(FetchDescriptor<Person>())
    let found = Dictionary(uniqueKeysWithValues: stored.map { ($0.name, $0.manager?.name) })
    #expect(found == managers.mapValues { Optional($0) }, "seed \(seed)")
  }
}
