import Foundation
import Roost
import RoostEngine
import RoostTesting
import Testing

/// Contexts whose changes are merged into another one's, or dropped.
@Suite struct DraftTests {
  private let context: ModelContext
  private let author = Author(name: "Ann")

  init() throws {
    context = try makeLibrary()
    author.books = ["a", "b", "c"].map { Book(title: $0) }
    context.insert(author)
    try context.save()
  }

  private func copy<Model: PersistentModel>(of model: Model, in draft: ModelContext) throws -> Model {
    try #require(draft.model(for: model.persistentModelID) as? Model)
  }

  @Test func `edits stay in the draft until it is saved, and out of the store until the parent is`() throws {
    let draft = ModelContext(draftOf: context)
    let copy = try copy(of: author, in: draft)
    copy.name = "Bea"
    #expect(copy !== author && author.name == "Ann" && draft.parent === context && !context.hasChanges)
    try draft.save()
    #expect(author.name == "Bea" && context.hasChanges && !draft.hasChanges)
    #expect(try ModelContext(context.container).fetch(FetchDescriptor<Author>()).map(\.name) == ["Ann"])
    try context.save()
    #expect(try ModelContext(context.container).fetch(FetchDescriptor<Author>()).map(\.name) == ["Bea"])
  }

  @Test func `a draft that is dropped or rolled back leaves its parent as it was`() throws {
    do {
      let draft = ModelContext(draftOf: context)
      draft.insert(Author(name: "New"))
      draft.delete(try copy(of: author, in: draft))
    }
    let draft = ModelContext(draftOf: context)
    let copied = try copy(of: author, in: draft)
    copied.books.removeAll()
    draft.rollback()
    #expect(!context.hasChanges && author.books.count == 3 && copied.books.count == 3)
    #expect(try draft.fetchCount(FetchDescriptor<Author>()) == 1)
  }

  @Test func `a draft shows the parent's unsaved changes, and queries see them and its own`() throws {
    author.name = "Bea"
    author.books[0].title = "z"
    context.delete(author.books[1])
    let new = Book(title: "n", author: author)
    let draft = ModelContext(draftOf: context)
    #expect(try draft.fetch(FetchDescriptor<Book>(sortBy: [SortDescriptor(\.title)])).map(\.title) == ["c", "n", "z"])
    let copied = try copy(of: new, in: draft)
    #expect(copied !== new && copied.persistentModelID == new.persistentModelID && copied.author?.name == "Bea")
    #expect(copied.author?.books.map(\.title) == ["z", "c", "n"])
    copied.pages = 7
    draft.insert(Book(title: "draft", author: copied.author))
    let found = try draft.fetch(
      FetchDescriptor<Book>(predicate: #Predicate { $0.author?.name == "Bea" }, sortBy: [SortDescriptor(\.title)]))
    #expect(found.map(\.title) == ["c", "draft", "n", "z"] && found.map(\.pages) == [0, 0, 7, 0])
    #expect(try context.fetchCount(FetchDescriptor<Book>()) == 3)
  }

  @Test func `models that the draft inserted are the parent's with the same identifier`() throws {
    let draft = ModelContext(draftOf: context)
    let copied = try copy(of: author, in: draft)
    let made = Book(title: "d", author: copied)
    made.tags = [Tag(name: "t")]
    try draft.save()
    let merged = try #require(context.registeredModel(for: made.persistentModelID) as Book?)
    #expect(author.books.map(\.title) == ["a", "b", "c", "d"] && author.books[3] === merged)
    #expect(merged.tags.map(\.name) == ["t"] && merged.author === author && merged.persistentModelID.isTemporary)
    try context.save()
    #expect(!made.persistentModelID.isTemporary && made.persistentModelID == merged.persistentModelID)
    made.title = "e"
    try draft.save()
    #expect(merged.title == "e")
    try context.save()
  }

  @Test func `deletions follow the parent's rules, and order is kept`() throws {
    let draft = ModelContext(draftOf: context)
    let copied = try copy(of: author, in: draft)
    copied.books.swapAt(0, 2)
    draft.delete(copied.books[1])
    try draft.save()
    #expect(author.books.map(\.title) == ["c", "a"])
    try context.save()
    let other = try #require(try ModelContext(context.container).fetch(FetchDescriptor<Author>()).first)
    #expect(other.books.map(\.title) == ["c", "a"])

    draft.delete(copied)
    try draft.save()
    try context.save()
    #expect(try ModelContext(context.container).fetchCount(FetchDescriptor<Book>()) == 0)
  }

  @Test func `what both sides added and removed is merged`() throws {
    let draft = ModelContext(draftOf: context)
    let copied = try copy(of: author, in: draft)
    copied.books.remove(at: 0)
    copied.books.append(Book(title: "draft"))
    let books = author.books
    author.books.append(Book(title: "parent"))
    books[1].author = nil
    try draft.save()
    #expect(author.books.map(\.title) == ["c", "draft", "parent"])
    #expect(books[0].author == nil && books[1].author == nil)
  }

  @Test func `an edit of a model that the parent has deleted is refused, and nothing is merged`() throws {
    let draft = ModelContext(draftOf: context)
    let copied = try copy(of: author.books[0], in: draft)
    copied.title = "x"
    draft.insert(Author(name: "New"))
    context.delete(author.books[0])
    #expect(throws: SwiftDataError.modelValidationFailure) { try draft.save() }
    #expect(context.insertedModelsArray.isEmpty)
    draft.rollback()
    #expect(copied.title == "" && copied.isDeleted)
  }

  @Test func `a merge is one group of the parent's undo manager`() throws {
    let undo = UndoManager()
    context.undoManager = undo
    let draft = ModelContext(draftOf: context)
    let copied = try copy(of: author, in: draft)
    copied.name = "Bea"
    copied.books.append(Book(title: "d"))
    copied.books.swapAt(0, 1)
    try draft.save()
    undo.undo()
    #expect(author.name == "Ann" && author.books.map(\.title) == ["a", "b", "c"] && !context.hasChanges)
    undo.redo()
    #expect(author.name == "Bea" && author.books.map(\.title) == ["b", "a", "c", "d"])
  }

  @Test func `a deletion that both have saved comes back with an undo in the draft`() throws {
    let undo = UndoManager()
    let draft = ModelContext(draftOf: context)
    draft.undoManager = undo
    let identifier = author.books[0].persistentModelID
    draft.delete(try copy(of: author.books[0], in: draft))
    try draft.save()
    try context.save()
    #expect(author.books.map(\.title) == ["b", "c"])
    undo.undo()
    try draft.save()
    try context.save()
    #expect(author.books.map(\.title) == ["a", "b", "c"] && author.books[0].persistentModelID == identifier)
    #expect(try ModelContext(context.container).fetchCount(FetchDescriptor<Book>()) == 3)
  }

  @Test func `a deletion that both have undone shows once`() throws {
    let (inParent, inDraft) = (UndoManager(), UndoManager())
    let draft = ModelContext(draftOf: context)
    (context.undoManager, draft.undoManager) = (inParent, inDraft)
    draft.delete(try copy(of: author.books[0], in: draft))
    try draft.save()
    inParent.undo()
    inDraft.undo()
    #expect(try draft.fetchCount(FetchDescriptor<Book>()) == 3)
    try draft.save()
    #expect(author.books.map(\.title) == ["a", "b", "c"])
  }

  @Test func `an edit of a row that the parent has deleted and saved is refused`() throws {
    let draft = ModelContext(draftOf: context)
    let copied = try copy(of: author.books[0], in: draft)
    copied.title = "x"
    context.delete(author.books[0])
    try context.save()
    #expect(throws: SwiftDataError.modelValidationFailure) { try draft.save() }
    try context.save()
  }

  @Test func `links to what the parent has deleted are dropped`() throws {
    let (tag, bea) = (Tag(name: "x"), Author(name: "Bea"))
    context.insert(tag)
    context.insert(bea)
    try context.save()
    let draft = ModelContext(draftOf: context)
    let (first, second) = (try copy(of: author.books[0], in: draft), try copy(of: author.books[1], in: draft))
    first.tags.append(try copy(of: tag, in: draft))
    second.author = try copy(of: bea, in: draft)
    context.delete(tag)
    context.delete(bea)
    try draft.save()
    try context.save()
    let books = try ModelContext(context.container).fetch(FetchDescriptor<Book>(sortBy: [SortDescriptor(\.title)]))
    #expect(books.map(\.tags.count) == [0, 0, 0] && books.map { $0.author?.name } == ["Ann", nil, "Ann"])
  }

  @Test func `a row that cannot be read makes a draft's fetch throw`() throws {
    let folder = try TemporaryFolder()
    let container = try ModelContainer(for: Book.self, configurations: ModelConfiguration(url: folder.store))
    let writing = ModelContext(container)
    for title in ["a", "b"] { writing.insert(Book(title: title)) }
    try writing.save()
    let connection = try Connection(ConnectionOptions(location: .file(path: folder.store.path)))
    try connection.execute("UPDATE Book SET genre = 'cookery' WHERE title = 'b'")
    let draft = ModelContext(draftOf: ModelContext(container))
    #expect(throws: SwiftDataError.corruptValue) { try draft.fetch(FetchDescriptor<Book>()) }
    var errors = 0
    #expect(try draft.fetch(FetchDescriptor<Book>()) { _ in errors += 1 }.map(\.title) == ["a"])
    #expect(errors == 1)
  }

  @Test func `drafts of drafts merge a step at a time`() throws {
    let outer = ModelContext(draftOf: context)
    let inner = ModelContext(draftOf: outer)
    try copy(of: author, in: inner).name = "Bea"
    inner.insert(Author(name: "New"))
    try inner.save()
    #expect(try copy(of: author, in: outer).name == "Bea" && author.name == "Ann")
    #expect(try outer.fetchCount(FetchDescriptor<Author>()) == 2)
    try outer.save()
    #expect(author.name == "Bea")
    try context.save()
    #expect(try inner.fetch(FetchDescriptor<Author>()).allSatisfy { !$0.persistentModelID.isTemporary })
  }

  @Test func `a walk through a draft reads as many rows at once as one through its parent`() throws {
    let recorder = StatementRecorder()
    let configuration = ModelConfiguration(isStoredInMemoryOnly: true).recording(to: recorder)
    let context = ModelContext(try ModelContainer(for: Author.self, configurations: configuration))
    for number in 0..<50 { context.insert(Book(title: "\(number)", author: Author(name: "\(number)"))) }
    try context.save()
    let draft = ModelContext(draftOf: ModelContext(context.container))
    let statements = try recorder.statements {
      for book in try draft.fetch(FetchDescriptor<Book>()) { #expect(book.author?.name == book.title) }
    }
    #expect(statements.count <= 3, "\(statements)")
  }
}
