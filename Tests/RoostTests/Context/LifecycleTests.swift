import Foundation
import Roost
import RoostEngine
import Testing

/// What a context knows of its models from insertion to deletion.
@Suite struct LifecycleTests {
  private let context: ModelContext

  init() throws { context = try makeLibrary() }

  @Test func `an identifier is temporary until the save`() throws {
    let book = Book(title: "a")
    context.insert(book)
    let temporary = book.persistentModelID
    #expect(temporary.isTemporary && context.registeredModel(for: temporary) as Book? === book)
    try context.save()
    #expect(!book.persistentModelID.isTemporary && book.persistentModelID != temporary)
    #expect(context.registeredModel(for: book.persistentModelID) as Book? === book)
  }

  @Test func `a deleted model keeps its identifier, which is none of another store's`() throws {
    let elsewhere = try makeLibrary()
    let (book, other) = (Book(title: "a"), Book(title: "b"))
    context.insert(book)
    elsewhere.insert(other)
    try context.save()
    try elsewhere.save()
    let identifier = book.persistentModelID
    #expect(other.persistentModelID.key == identifier.key && other.persistentModelID != identifier)
    context.delete(book)
    #expect(book.persistentModelID == identifier)
    try context.save()
    #expect(book.persistentModelID == identifier)
    #expect(elsewhere.registeredModel(for: book.persistentModelID) as Book? == nil)
    #expect(elsewhere.model(for: book.persistentModelID) !== other)
    // It comes as a new one.
    context.insert(book)
    #expect(book.persistentModelID.isTemporary)
    try context.save()
    #expect(!book.persistentModelID.isTemporary && book.persistentModelID != identifier)
  }

  @Test func `a context knows only the models it has`() throws {
    let book = Book(title: "a")
    context.insert(book)
    try context.save()
    let other = ModelContext(context.container)
    #expect(other.registeredModel(for: book.persistentModelID) as Book? == nil)
    let found = try #require(other.model(for: book.persistentModelID) as? Book)
    #expect(other.registeredModel(for: book.persistentModelID) as Book? === found)
  }

  @Test func `the lists of pending models say what a save will do, and are empty after it`() throws {
    let (stored, doomed) = (Book(title: "stored"), Book(title: "doomed"))
    context.insert(stored)
    context.insert(doomed)
    try context.save()
    #expect(!context.hasChanges)
    let new = Book(title: "new")
    context.insert(new)
    stored.title = "edited"
    context.delete(doomed)
    #expect(context.insertedModelsArray.map(\.persistentModelID) == [new.persistentModelID])
    #expect(context.changedModelsArray.map(\.persistentModelID) == [stored.persistentModelID])
    #expect(context.deletedModelsArray.map(\.persistentModelID) == [doomed.persistentModelID])
    #expect(doomed.isDeleted && doomed.modelContext === context && context.hasChanges)
    try context.save()
    #expect(!context.hasChanges && doomed.modelContext == nil && doomed.title == "doomed")
    #expect(
      context.insertedModelsArray.isEmpty && context.changedModelsArray.isEmpty && context.deletedModelsArray.isEmpty)
  }

  @Test func `a model has changes from its insertion, edit or deletion to the save`() throws {
    let book = Book(title: "a")
    #expect(!book.hasChanges)
    for change in [{ context.insert(book) }, { book.pages += 1 }, { context.delete(book) }] {
      change()
      #expect(book.hasChanges)
      try context.save()
      #expect(!book.hasChanges)
    }
    #expect(book.isDeleted)
  }

  @Test func `an insert, an edit and a deletion are changes, and a fetch is none`() throws {
    let book = Book(title: "a")
    for change in [
      { context.insert(book) }, { book.pages += 1 }, { book.tags = [Tag(name: "x")] }, { context.delete(book) },
    ] {
      change()
      #expect(context.hasChanges)
      try context.save()
      #expect(!context.hasChanges)
      _ = try context.fetch(FetchDescriptor<Book>()).map(\.tags)
      #expect(!context.hasChanges)
    }
  }

  @Test func `a model that was never saved is discarded by its deletion`() throws {
    let book = Book(title: "a")
    context.insert(book)
    context.delete(book)
    #expect(!context.hasChanges && context.deletedModelsArray.isEmpty)
    try context.save()
    #expect(try context.fetchCount(FetchDescriptor<Book>()) == 0)
  }

  @Test func `changes are the context's own until the save`() throws {
    context.insert(Book(title: "a"))
    let other = ModelContext(context.container)
    #expect(try other.fetchCount(FetchDescriptor<Book>()) == 0)
    try context.save()
    #expect(try other.fetchCount(FetchDescriptor<Book>()) == 1)
  }

  @Test func `deleting a type deletes all of it, and what its rules say`() throws {
    for name in ["a", "b"] {
      let author = Author(name: name)
      author.books = [Book(title: name)]
      context.insert(author)
    }
    try context.save()
    try context.delete(model: Author.self)
    try context.save()
    #expect(try context.fetchCount(FetchDescriptor<Author>()) == 0)
    #expect(try context.fetchCount(FetchDescriptor<Book>()) == 0)
  }

  @Test func `erasing a container removes every model at once`() throws {
    context.insert(Author(name: "a"))
    try context.save()
    try context.container.erase()
    #expect(try ModelContext(context.container).fetchCount(FetchDescriptor<Author>()) == 0)
    context.insert(Tag(name: "a"))
    try context.save()
    context.container.deleteAllData()
    #expect(try ModelContext(context.container).fetchCount(FetchDescriptor<Tag>()) == 0)
  }

  @Test(arguments: [false, true]) func `erasing goes past required relationships, and takes links along`(
    _ isReversed: Bool
  ) throws {
    let store = try Migrated()
    let types: [any PersistentModel.Type] = [Shelves.Strict.Author.self, Shelves.Strict.Book.self]
    let container = try ModelContainer(
      for: Schema(isReversed ? types.reversed() : types), configurations: store.configuration())
    let context = ModelContext(container)
    let author = Shelves.Strict.Author(name: "Ada")
    let book = Shelves.Strict.Book(title: "one", author: author)
    context.insert(book)
    book.readers = [author]
    try context.save()
    try container.erase()
    try #expect(ModelContext(container).fetchCount(FetchDescriptor<Shelves.Strict.Author>()) == 0)
    try #expect(ModelContext(container).fetchCount(FetchDescriptor<Shelves.Strict.Book>()) == 0)
    try container.close()
    #expect(try store.strings("SELECT count(*) FROM Author_read") == ["0"])
  }

  @Test func `erasing does to other programs' rows what their foreign keys say`() throws {
    let store = try Migrated()
    let container = try ModelContainer(for: Shelves.Strict.Book.self, configurations: store.configuration())
    func insert() throws {
      let context = ModelContext(container)
      context.insert(Shelves.Strict.Book(title: "one", author: Shelves.Strict.Author(name: "Ada")))
      try context.save()
    }
    func count() throws -> Int { try ModelContext(container).fetchCount(FetchDescriptor<Shelves.Strict.Book>()) }
    try insert()
    let other = try store.connection()
    defer { other.close() }
    try other.execute(
      """
      CREATE TABLE remark (author REFERENCES Author ON DELETE CASCADE, book REFERENCES Book ON DELETE SET NULL);
      INSERT INTO remark SELECT _pk, NULL FROM Author;
      INSERT INTO remark SELECT NULL, _pk FROM Book;
      """)
    try container.erase()
    #expect(try count() == 0)
    #expect(try store.strings("SELECT count(*) || ' ' || count(book) FROM remark") == ["1 0"])
    try insert()
    try other.execute("CREATE TABLE rule (book REFERENCES Book); INSERT INTO rule SELECT _pk FROM Book;")
    #expect(throws: SwiftDataError.self) { try container.erase() }
    #expect(try count() == 1)
  }

  @Test func `a store in memory is empty in a new container`() throws {
    context.insert(Author(name: "a"))
    try context.save()
    #expect(try makeLibrary().fetchCount(FetchDescriptor<Author>()) == 0)
  }

  @Test func `models of a compound constraint collide only when all its values match`() throws {
    let context = ModelContext(
      try ModelContainer(for: TheatreSeat.self, configurations: ModelConfiguration(isStoredInMemoryOnly: true)))
    context.insert(TheatreSeat(row: 1, number: 1, guest: "Ann", code: "x"))
    context.insert(TheatreSeat(row: 1, number: 2, guest: "Bea", code: "y"))
    try context.save()
    context.insert(TheatreSeat(row: 1, number: 2, guest: "Cy", code: "z"))
    try context.save()
    let seats = try ModelContext(context.container).fetch(
      FetchDescriptor<TheatreSeat>(sortBy: [SortDescriptor(\.number)]))
    #expect(seats.map(\.guest) == ["Ann", "Cy"])
    context.insert(TheatreSeat(row: 9, number: 9, guest: "Di", code: "x"))
    try context.save()
    #expect(try context.fetchCount(FetchDescriptor<TheatreSeat>()) == 2)
  }

  @Test func `an actor gives its models by identifier, of the right type alone`() async throws {
    let actor = LibraryActor(modelContainer: context.container)
    let book = Book(title: "a")
    context.insert(book)
    try context.save()
    #expect(await actor.title(of: book.persistentModelID) == "a")
    #expect(await !actor.isAuthor(book.persistentModelID))
  }
}

@Model final class TheatreSeat {
  #Unique<TheatreSeat>([\.row, \.number], [\.code])
  var row: Int
  var number: Int
  var guest: String
  var code: String

  init(row: Int, number: Int, guest: String, code: String) {
    (self.row, self.number, self.guest, self.code) = (row, number, guest, code)
  }
}

@ModelActor actor LibraryActor {
  func title(of identifier: PersistentIdentifier) -> String? { self[identifier, as: Book.self]?.title }
  func isAuthor(_ identifier: PersistentIdentifier) -> Bool { self[identifier, as: Author.self] != nil }
}
