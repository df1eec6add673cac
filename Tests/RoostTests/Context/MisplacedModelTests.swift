import Foundation
import Roost
import RoostCore
import Testing

/// Models where they do not belong: of other contexts and stores, of rows and contexts that are gone.
@Suite struct MisplacedModelTests {
  private let context: ModelContext
  private let author = Author(name: "Lack")

  init() throws {
    context = try makeLibrary()
    author.books = [Book(title: "A", author: nil)]
    author.books[0].tags = [Tag(name: "birds")]
    context.insert(author)
    try context.save()
  }

  private func storedBooks(_ context: ModelContext) throws -> [String] {
    let sorted = FetchDescriptor<Book>(sortBy: [SortDescriptor(\.title)])
    return try ModelContext(context.container).fetch(sorted).map { book in
      "\(book.title) \(book.author?.name ?? "-") \(book.tags.map(\.name).joined(separator: ","))"
    }
  }

  /// Another store, whose rows have the same keys.
  private func makeOtherStore() throws -> ModelContext {
    let other = try makeLibrary()
    let author = Author(name: "other")
    author.books = [Book(title: "other")]
    author.books[0].tags = [Tag(name: "other")]
    other.insert(author)
    try other.save()
    return other
  }

  @Test func `a context whose schema is empty finds a model that says it is deleted`() throws {
    let container = try ModelContainer(
      for: Schema(), configurations: ModelConfiguration(isStoredInMemoryOnly: true))
    let empty = ModelContext(container)
    #expect(empty.model(for: author.persistentModelID).isDeleted)
    #expect(empty.registeredModel(for: author.persistentModelID) as Author? == nil)
  }

  @Test(arguments: [false, true])
  func `a model of another context is refused, and stays where it is`(isOfSameStore: Bool) throws {
    let other = isOfSameStore ? ModelContext(context.container) : try makeOtherStore()
    let book = author.books[0]
    other.insert(book)
    #expect(throws: SwiftDataError.modelValidationFailure) { try other.save() }
    other.delete(book)
    #expect(throws: SwiftDataError.modelValidationFailure) { try other.save() }
    #expect(book.modelContext === context && !book.isDeleted)

    let found = try #require(try other.fetch(FetchDescriptor<Author>()).first)
    let (before, new) = (found.books.map(\.title), Book(title: "new"))
    found.books.append(contentsOf: [book, new])
    #expect(throws: SwiftDataError.modelValidationFailure) { try other.save() }
    new.author = author
    let error = #expect(throws: SwiftDataError.self) { try other.save() }
    #expect(error == .modelValidationFailure && error?.model == "Book")
    #expect(found.books.map(\.title) == before + ["new"] && new.author === found)
    #expect(author.books == [book] && book.author === author)
    try other.save()
    try context.save()
    #expect(try storedBooks(context).first == "A Lack birds")
    #expect(try storedBooks(other).contains("new \(found.name) "))
  }

  @Test(arguments: [false, true])
  func `a model whose row was deleted is inserted as a new one, without relationships`(isInSameStore: Bool) throws {
    let other = isInSameStore ? context : try makeOtherStore()
    let book = author.books[0]
    let former = book.persistentModelID
    context.delete(book)
    try context.save()
    #expect(book.modelContext == nil && book.isDeleted && book.title == "A" && book.author == nil)
    other.insert(book)
    #expect(book.modelContext === other && !book.isDeleted && book.author == nil && book.tags.isEmpty)
    try other.save()
    #expect(book.persistentModelID != former)
    #expect(try storedBooks(other).contains("A - "))
    #expect(author.books.isEmpty)
  }

  @Test func `a save says how many mistakes there were, and throws the first`() throws {
    let other = ModelContext(context.container)
    for model in [author, author.books[0], author.books[0].tags[0]] as [any PersistentModel] { other.insert(model) }
    let error = #expect(throws: SwiftDataError.self) { try other.save() }
    #expect(error?.model == "Author" && error?.remedy?.hasSuffix("2 more mistakes were made: see the log.") == true)
    try other.save()
    other.insert(author)
    other.insert(author)
    let second = #expect(throws: SwiftDataError.self) { try other.save() }
    #expect(second?.remedy?.hasSuffix("Another mistake was made: see the log.") == true)
  }

  @Test func `what stands for a model that is nowhere is not inserted, and the save says so`() throws {
    let nobody = try #require(context.model(for: Author(name: "unsaved").persistentModelID) as? Author)
    let (book, new) = (author.books[0], Book(title: "B", author: nobody))
    for refer in [{ book.author = nobody }, { context.insert(new) }, { context.insert(nobody) }] {
      refer()
      let error = #expect(throws: SwiftDataError.self) { try context.save() }
      #expect(error == .rowNotFound && error?.model == "Author")
      try context.save()
    }
    #expect(nobody.isDeleted && nobody.modelContext == nil)
    #expect(try storedBooks(context) == ["A - birds", "B - "])
    #expect(try ModelContext(context.container).fetch(FetchDescriptor<Author>()).map(\.name) == ["Lack"])
  }

  @Test(arguments: [false, true])
  func `a model is not inserted again without what was not read before its row went`(isOwnDeletion: Bool) throws {
    let container = try ModelContainer(
      for: Memo.self, configurations: ModelConfiguration(isStoredInMemoryOnly: true))
    let (context, other) = (ModelContext(container), ModelContext(container))
    let stored = Memo(text: "a")
    context.insert(stored)
    try context.save()
    let memo = try #require(other.model(for: stored.persistentModelID) as? Memo)
    let deleting = isOwnDeletion ? other : context
    deleting.delete(isOwnDeletion ? memo : stored)
    try deleting.save()
    #expect(memo.text == nil && memo.isDeleted)
    other.insert(memo)
    let error = #expect(throws: SwiftDataError.self) { try other.save() }
    #expect(error == .rowNotFound && error?.model == "Memo" && error?.property == "text")
    #expect(memo.modelContext == nil)
    memo.text = "b"
    memo.isPinned = true
    other.insert(memo)
    try other.save()
    #expect(try ModelContext(container).fetch(FetchDescriptor<Memo>()).map(\.text) == ["b"])
  }

  @Test func `a model whose context is gone is inserted as a new one, without relationships`() throws {
    let other = try makeOtherStore()
    let (book, writer) = try {
      let gone = try makeLibrary()
      let writer = Author(name: "Carson")
      writer.books = [Book(title: "B")]
      gone.insert(writer)
      try gone.save()
      return (writer.books[0], writer)
    }()
    #expect(book.modelContext == nil && book.title == "B")
    other.insert(book)
    #expect(book.author == nil)
    try other.save()
    #expect(try storedBooks(other) == ["B - ", "other other other"])
    #expect(writer.name == "Carson")
  }

  @Test func `a model of a gone context is inserted with what was not read of it`() throws {
    let identifier = author.books[0].persistentModelID
    author.books[0].pages = 7
    try context.save()
    let container = context.container
    func load() throws -> Book { try #require(ModelContext(container).model(for: identifier) as? Book) }
    let (book, other) = (try load(), try makeOtherStore())
    other.insert(book)
    try other.save()
    #expect(book.title == "A" && book.pages == 7)
    #expect(
      try ModelContext(other.container).fetch(FetchDescriptor<Book>()).contains { $0.title == "A" && $0.pages == 7 })
  }

  @Test func `a model of a gone context is read without listening to the store`() throws {
    let (identifier, container) = (author.books[0].persistentModelID, context.container)
    func load() throws -> Book { try #require(ModelContext(container).model(for: identifier) as? Book) }
    let observers = container.store.observers
    #expect(observers.isAnybodyListening() && !observers.isAnybodyListening(but: true))
    #expect(try load().title == "A")
    #expect(!observers.isAnybodyListening(but: true))
  }

  @Test func `the deletion of a model whose context is gone is refused`() throws {
    let (identifier, container) = (author.books[0].persistentModelID, context.container)
    func load() throws -> Book { try #require(ModelContext(container).model(for: identifier) as? Book) }
    let book = try load()
    context.delete(book)
    #expect(throws: SwiftDataError.modelValidationFailure) { try context.save() }
    let own = try #require(context.model(for: book.persistentModelID) as? Book)
    context.delete(own)
    try context.save()
    #expect(try storedBooks(context) == [])
  }

  @Test(arguments: [false, true])
  func `a model of a gone context comes into another with what is set to bring it there`(isRead: Bool) throws {
    let (identifier, container) = (author.books[0].persistentModelID, context.container)
    func load() throws -> Book { try #require(ModelContext(container).model(for: identifier) as? Book) }
    let (book, other) = (try load(), try makeOtherStore())
    if isRead { #expect(book.title == "A" && book.author?.name == "Lack") }
    let writer = try #require(try other.fetch(FetchDescriptor<Author>()).first)
    book.title = "new"
    book.author = writer
    #expect(book.modelContext === other && book.author === writer && writer.books.contains(book))
    try other.save()
    #expect(try storedBooks(other) == ["new other ", "other other other"])
    #expect(try storedBooks(context) == ["A Lack birds"])
  }

  @Test func `a model of a gone context brings new models into another that it was set to`() throws {
    let (identifier, container) = (author.books[0].persistentModelID, context.container)
    func load() throws -> Book { try #require(ModelContext(container).model(for: identifier) as? Book) }
    let (book, other) = (try load(), try makeOtherStore())
    let (writer, tag) = (Author(name: "new"), Tag(name: "new"))
    book.author = writer
    book.tags = [tag]
    #expect(book.author === writer && book.tags == [tag])
    other.insert(book)
    #expect(book.author === writer && writer.books == [book] && book.tags == [tag] && tag.books == [book])
    try other.save()
    #expect(try storedBooks(other) == ["A new new", "other other other"])
  }

  @Test func `a new model brings one of a gone context into another, which knows of it there`() throws {
    let (identifier, container) = (author.persistentModelID, context.container)
    func load() throws -> Author { try #require(ModelContext(container).model(for: identifier) as? Author) }
    let (writer, other) = (try load(), try makeOtherStore())
    #expect(writer.books.map(\.title) == ["A"])
    let (book, second) = (Book(title: "B", author: writer), Book(title: "C"))
    second.author = writer
    #expect(writer.books.map(\.title) == ["A"] && book.author === writer && second.author === writer)
    other.insert(book)
    #expect(writer.modelContext === other && writer.books == [book])
    other.insert(second)
    #expect(writer.books == [book, second])
    try other.save()
    #expect(try storedBooks(other) == ["B Lack ", "C Lack ", "other other other"])
  }

  @Test func `a rolled-back insert keeps its values and relationships, and can be inserted again`() throws {
    let book = Book(title: "B", author: author)
    book.tags = [Tag(name: "bees")]
    context.insert(book)
    context.rollback()
    #expect(book.modelContext == nil && !book.isDeleted && author.books.map(\.title) == ["A"])
    #expect(book.title == "B" && book.author === author && book.tags.map(\.name) == ["bees"])
    book.title = "C"
    #expect(!context.hasChanges)
    context.insert(book)
    #expect(author.books.map(\.title) == ["A", "C"])
    try context.save()
    #expect(try storedBooks(context) == ["A Lack birds", "C Lack bees"])
  }

  @Test func `a new model that was deleted and rolled back keeps its values`() throws {
    let book = Book(title: "B")
    context.insert(book)
    context.delete(book)
    context.rollback()
    #expect(book.title == "B")
    context.insert(book)
    try context.save()
    #expect(try storedBooks(context) == ["A Lack birds", "B - "])
  }

  @Test func `models whose rows were deleted come back together`() throws {
    let (book, tag) = (author.books[0], author.books[0].tags[0])
    context.delete(author)
    context.delete(tag)
    try context.save()
    author.books = [book]
    book.tags = [tag]
    context.insert(tag)
    try context.save()
    #expect(book.author === author && author.books == [book] && book.tags == [tag] && tag.books == [book])
    #expect(try storedBooks(context) == ["A Lack birds"])
  }

  @Test func `a relationship to a model that is to be deleted is nil`() throws {
    let (book, doomed) = (Book(title: "B"), Author(name: "doomed"))
    context.insert(book)
    context.insert(doomed)
    try context.save()
    context.delete(doomed)
    book.author = doomed
    #expect(book.author == nil)
    _ = Book(title: "C", author: doomed)
    doomed.books.append(Book(title: "D"))
    try context.save()
    #expect(book.author == nil)
    #expect(try storedBooks(context) == ["A Lack birds", "B - ", "C - ", "D - "])
  }
}

@Model private final class Memo {
  var text: String?
  var isPinned = false

  init(text: String?) { self.text = text }
}
