import Foundation
import Roost
import Testing

@Model private final class Folder {
  var name: String
  @Relationship(deleteRule: .deny, inverse: nil) var pins: [Pin] = []

  init(_ name: String) { self.name = name }
}

@Model private final class Pin {
  var number: Int

  init(_ number: Int) { self.number = number }
}

@Model private final class Tenant {
  var name: String
  @Relationship(deleteRule: .cascade, inverse: \Lease.tenant) var lease: Lease?

  init(_ name: String) { self.name = name }
}

@Model private final class Lease {
  var number: Int
  var tenant: Tenant

  init(_ number: Int, _ tenant: Tenant) { (self.number, self.tenant) = (number, tenant) }
}

/// What is undone after saves: this context's, which a rule or a unique value made another than asked for, and others'.
@Suite struct UndoBesideOthersTests {
  private let context: ModelContext
  private let undo = UndoManager()

  init() throws {
    context = try makeLibrary()
    context.undoManager = undo
  }

  private func inGroup(_ body: () throws -> Void) rethrows {
    try body()
    context.processPendingChanges()
  }

  private func stored<Model: PersistentModel>(_ type: Model.Type, _ context: ModelContext? = nil) throws -> [Model] {
    try ModelContext((context ?? self.context).container).fetch(FetchDescriptor<Model>())
  }

  @Test(arguments: [false, true])
  func `a model that kept another from being deleted refers to it again once both deletions are undone`(
    isSaved: Bool
  ) throws {
    let context = try makePeople()
    let person = Person(name: "Anna")
    let loan = Loan(amount: 10, borrower: person)
    context.insert(loan)
    let visit = Visit(place: "Brest", person: person)
    context.insert(visit)
    try context.save()
    context.undoManager = undo
    context.delete(person)
    #expect(throws: SwiftDataError.self) { try context.save() }
    context.delete(loan)
    context.delete(visit)
    if isSaved { try context.save() } else { context.processPendingChanges() }
    undo.undo()
    undo.undo()
    #expect(person.loans == [loan] && loan.borrower === person)
    #expect(person.visits == [visit] && visit.person === person)
    try context.save()
    #expect(try stored(Loan.self, context).map(\.borrower.name) == ["Anna"])
    #expect(try stored(Visit.self, context).map(\.person?.name) == ["Anna"])
  }

  @Test func `an undo of a deletion links to no row that others deleted meanwhile`() throws {
    let book = Book(title: "a")
    book.tags = [Tag(name: "1"), Tag(name: "2")]
    context.insert(book)
    try context.save()
    context.delete(book)
    try context.save()
    try deleteElsewhere("2")
    undo.undo()
    try context.save()
    #expect(book.tags.map(\.name) == ["1"])
    #expect(try stored(Book.self).map { $0.tags.map(\.name) } == [["1"]])
  }

  @Test func `a link that others made impossible, as a fetch shows, is not saved`() throws {
    let (book, tag) = (Book(title: "a"), Tag(name: "1"))
    context.insert(book)
    context.insert(tag)
    try context.save()
    book.tags.append(tag)
    try deleteElsewhere("1")
    #expect(try context.fetchCount(FetchDescriptor<Tag>()) == 0)
    #expect(book.tags.isEmpty)
    try context.save()
    #expect(try stored(Book.self).map(\.tags.count) == [0])
  }

  private func deleteElsewhere(_ name: String) throws {
    let other = ModelContext(context.container)
    let found = try other.fetch(FetchDescriptor<Tag>(predicate: #Predicate { $0.name == name }))
    other.delete(try #require(found.first))
    try other.save()
  }

  @Test func `a deleted model that others deleted too comes as a new one when it is inserted`() throws {
    let book = Book(title: "a")
    context.insert(book)
    try context.save()
    context.delete(book)
    let other = ModelContext(context.container)
    other.delete(try #require(try other.fetch(FetchDescriptor<Book>()).first))
    try other.save()
    context.insert(book)
    #expect(!book.isDeleted && context.hasChanges)
    try context.save()
    #expect(try stored(Book.self).map(\.title) == ["a"])
  }

  @Test func `undoing an upsert removes no link that was there before it`() throws {
    let (tag, book) = (Tag(name: "x"), Book(title: "a"))
    tag.books = [book]
    inGroup { context.insert(tag) }
    try context.save()
    let again = Tag(name: "x")
    again.books = [book]
    context.insert(again)
    try context.save()
    undo.undo()
    try context.save()
    #expect(tag.books == [book] && book.tags == [tag])
    #expect(try stored(Tag.self).map(\.books.count) == [1])
  }

  @Test func `an undo shows what others have saved since, also where a fetch came between`() throws {
    let book = Book(title: "a")
    inGroup { context.insert(book) }
    try context.save()
    let other = ModelContext(context.container)
    try #require(try other.fetch(FetchDescriptor<Book>()).first).title = "z"
    try other.save()
    inGroup { book.title = "b" }
    _ = try context.fetchCount(FetchDescriptor<Tag>())
    undo.undo()
    #expect(book.title == "z" && !context.hasChanges)
  }

  @Test func `an undo leaves the links of a model as others have them who moved it away from its deletion`() throws {
    let (author, book, tags) = (Author(name: "Ann"), Book(title: "a"), ["x", "y"].map { Tag(name: $0) })
    context.insert(author)
    author.books = [book]
    book.tags = tags
    try context.save()
    inGroup { context.delete(author) }
    let other = ModelContext(context.container)
    let same = try #require(other.model(for: book.persistentModelID) as? Book)
    same.author = Author(name: "Bea")
    same.tags.removeAll { $0.name == "x" }
    try other.save()
    try context.save()
    #expect(!book.isDeleted && author.isDeleted)
    undo.undo()
    #expect(book.tags.map(\.name) == ["y"] && book.author?.name == "Bea" && author.books.isEmpty)
    try context.save()
    #expect(try stored(Book.self).map { $0.tags.map(\.name) } == [["y"]])
    same.title = "z"
    try other.save()
    undo.redo()
    try context.save()
    #expect(try stored(Author.self).map(\.name) == ["Bea"] && stored(Book.self).map(\.tags.count) == [1])
    #expect(try stored(Book.self).map(\.title) == ["z"])
  }

  @Test func `a single model that others gave a deleted one comes back as its own`() throws {
    let context = try ModelContext(
      ModelContainer(for: Tenant.self, configurations: ModelConfiguration(isStoredInMemoryOnly: true)))
    let tenant = Tenant("Ann")
    context.insert(tenant)
    try context.save()
    context.undoManager = undo
    context.delete(tenant)
    context.processPendingChanges()
    let other = ModelContext(context.container)
    other.insert(Lease(1, try #require(other.model(for: tenant.persistentModelID) as? Tenant)))
    try other.save()
    try context.save()
    #expect(try stored(Lease.self, context).isEmpty)
    undo.undo()
    try context.save()
    #expect(tenant.lease?.number == 1)
    #expect(try stored(Lease.self, context).map(\.tenant.name) == ["Ann"])
  }

  @Test func `what others added to a deletion comes back with it`() throws {
    let author = Author(name: "Ann")
    author.books = [Book(title: "a")]
    context.insert(author)
    try context.save()
    inGroup { context.delete(author) }
    let other = ModelContext(context.container)
    let added = Book(title: "added", author: other.model(for: author.persistentModelID) as? Author)
    added.tags = [Tag(name: "t")]
    try other.save()
    try context.save()
    #expect(try stored(Book.self).isEmpty)
    undo.undo()
    try context.save()
    #expect(try stored(Author.self).map { $0.books.map(\.title) } == [["a", "added"]])
    #expect(try stored(Tag.self).map { $0.books.map(\.title) } == [["added"]])
    undo.redo()
    try context.save()
    #expect(try stored(Book.self).isEmpty && stored(Author.self).isEmpty)
  }

  @Test func `a model that an undo brought back keeps its owner from being deleted`() throws {
    let container = try ModelContainer(
      for: Folder.self, configurations: ModelConfiguration(isStoredInMemoryOnly: true))
    let context = ModelContext(container)
    let (folder, pin) = (Folder("F"), Pin(1))
    folder.pins = [pin]
    context.insert(folder)
    try context.save()
    context.undoManager = undo
    context.delete(pin)
    try context.save()
    undo.undo()
    #expect(folder.pins == [pin])
    context.processPendingChanges()
    context.delete(folder)
    #expect(throws: SwiftDataError.self) { try context.save() }
    #expect(try stored(Folder.self, context).count == 1)
  }
}
