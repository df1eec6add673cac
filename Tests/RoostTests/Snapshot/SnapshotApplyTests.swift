import Foundation
import Roost
import RoostTesting
import Testing

@Suite struct SnapshotApplyTests {
  @Test func `only what differs is written`() throws {
    let recorder = StatementRecorder()
    let configuration = ModelConfiguration(isStoredInMemoryOnly: true).recording(to: recorder)
    let context = ModelContext(try ModelContainer(for: Device.self, configurations: configuration))
    let device = Device(name: "D")
    device.limits = Set(0..<100)
    context.insert(device)
    try context.save()

    var draft = device.snapshot()
    draft.limits = Set((0..<100).reversed())
    try device.apply(draft)
    #expect(!context.hasChanges)

    draft.name = "E"
    try device.apply(draft)
    #expect(device.name == "E")
    let statements = try recorder.statements { try context.save() }
    let updates = statements.filter { $0.hasPrefix("UPDATE") }
    #expect(updates.count == 1)
    #expect(updates.first?.contains("limits") == false)
  }

  @Test func `relationships are set on both sides`() throws {
    let context = try makeLibrary()
    let (first, second) = (Author(name: "A"), Author(name: "B"))
    let book = Book(title: "T", author: first)
    let tag = Tag(name: "x")
    [first, second].forEach { context.insert($0) }
    context.insert(tag)
    try context.save()

    var draft = book.snapshot()
    draft.author = second.persistentModelID
    draft.tags = [tag.persistentModelID]
    try book.apply(draft)
    #expect(book.author === second)
    #expect(first.books.isEmpty)
    #expect(tag.books == [book])
    draft.author = nil
    try book.apply(draft)
    #expect(book.author == nil)
  }

  @Test func `members are looked up in one statement`() throws {
    let recorder = StatementRecorder()
    let configuration = ModelConfiguration(isStoredInMemoryOnly: true).recording(to: recorder)
    let container = try ModelContainer(for: Author.self, configurations: configuration)
    let writing = ModelContext(container)
    let tags = (0..<100).map { Tag(name: "\($0)") }
    tags.forEach { writing.insert($0) }
    writing.insert(Book(title: "T"))
    try writing.save()

    let context = ModelContext(container)
    let book = try #require(try context.fetch(FetchDescriptor<Book>()).first)
    var draft = book.snapshot()
    draft.tags = tags.map(\.persistentModelID)
    let statements = try recorder.statements { try book.apply(draft) }
    #expect(statements.count == 1)
    #expect(book.tags.map(\.name) == tags.map(\.name))
  }

  @Test func `an identifier of nobody here leaves the model as it was`() throws {
    let (context, elsewhere) = (try makeLibrary(), try makeLibrary())
    let book = Book(title: "T")
    let deleted = Author(name: "deleted")
    let stranger = Author(name: "stranger")
    context.insert(book)
    context.insert(deleted)
    elsewhere.insert(stranger)
    try context.save()
    try elsewhere.save()
    let deletedIdentifier = deleted.persistentModelID
    context.delete(deleted)
    try context.save()

    for identifier in [stranger.persistentModelID, deletedIdentifier, Author(name: "new").persistentModelID] {
      var draft = book.snapshot()
      draft.title = "U"
      draft.author = identifier
      let error = #expect(throws: SwiftDataError.modelValidationFailure) { try book.apply(draft) }
      #expect(error?.property == "author")
      #expect(error?.model == "Book")
      #expect(book.title == "T")
    }
  }

  @Test func `a deleted model takes no snapshot`() throws {
    let container = try makeLibrary().container
    let (context, other) = (ModelContext(container), ModelContext(container))
    let books = ["A", "B"].map { Book(title: $0) }
    books.forEach { context.insert($0) }
    try context.save()
    var drafts = books.map { $0.snapshot() }
    drafts[0].title = "C"
    drafts[1].title = "C"
    context.delete(books[0])
    #expect(throws: SwiftDataError.modelValidationFailure) { try books[0].apply(drafts[0]) }

    let gone = books[1].persistentModelID
    let late = try #require(ModelContext(container).model(for: gone) as? Book)
    try other.delete(model: Book.self)
    try other.save()
    #expect(throws: SwiftDataError.modelValidationFailure) { try late.apply(drafts[1]) }
  }

  @Test func `a model outside a context takes attributes, and of relationships what it has`() throws {
    let author = Author(name: "A")
    let book = Book(title: "T", author: author)
    book.tags = ["x", "y"].map(Tag.init)
    var draft = book.snapshot()
    draft.title = "U"
    draft.tags.removeFirst()
    try book.apply(draft)
    #expect(book.title == "U")
    #expect(book.tags.map(\.name) == ["y"])
    draft.author = Author(name: "B").persistentModelID
    let error = #expect(throws: SwiftDataError.modelValidationFailure) { try book.apply(draft) }
    #expect(error?.property == "author")
    #expect(error?.remedy == "Insert the model into a context first.")
  }

  @Test func `a snapshot of another model gives its values`() throws {
    let context = try makeLibrary()
    let books = ["A", "B"].map { Book(title: $0) }
    books.forEach { context.insert($0) }
    try books[1].apply(books[0].snapshot())
    #expect(books[1].title == "A")
    #expect(books[0].persistentModelID != books[1].persistentModelID)
  }
}
