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

  @Test func `an undo in a draft brings back what others have deleted meanwhile, with its identifier`() throws {
    let tag = Tag(name: "t")
    context.insert(tag)
    try context.save()
    let draft = ModelContext(draftOf: context)
    draft.undoManager = UndoManager()
    let copied = try copy(of: tag, in: draft)
    draft.delete(copied)
    try draft.save()
    let other = ModelContext(context.container)
    other.delete(other.model(for: tag.persistentModelID))
    try other.save()
    #expect(try context.fetchCount(FetchDescriptor<Tag>()) == 0)
    draft.undoManager?.undo()
    try draft.save()
    try context.save()
    let found = try ModelContext(context.container).fetch(FetchDescriptor<Tag>())
    #expect(found.map(\.name) == ["t"] && found.map(\.persistentModelID) == [copied.persistentModelID])
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

  @Test func `a draft's link to a model comes again as its parent takes the deletion of that back`() throws {
    let context = try makeLibrary()
    let (book, tag) = (Book(title: "a"), Tag(name: "1"))
    context.insert(book)
    context.insert(tag)
    try context.save()
    let draft = ModelContext(draftOf: context)
    let copy = try #require(draft.model(for: book.persistentModelID) as? Book)
    copy.tags = [try #require(draft.model(for: tag.persistentModelID) as? Tag)]
    context.delete(tag)
    #expect(try draft.fetchCount(FetchDescriptor<Tag>()) == 0 && copy.tags.isEmpty)
    context.insert(tag)
    #expect(try draft.fetchCount(FetchDescriptor<Tag>()) == 1 && copy.tags.map(\.name) == ["1"])
    try draft.save()
    try context.save()
    #expect(try ModelContext(context.container).fetch(FetchDescriptor<Book>()).map(\.tags.count) == [1])
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

  @Test func `a draft that only adds to a list, or removes from it, keeps the parent's order`() throws {
    let draft = ModelContext(draftOf: context)
    let copied = try copy(of: author, in: draft)
    copied.books.append(Book(title: "draft"))
    copied.books.remove(at: 2)
    author.books.swapAt(0, 1)
    author.books.append(Book(title: "parent"))
    try draft.save()
    #expect(author.books.map(\.title) == ["b", "a", "draft", "parent"])
    try context.save()
    let stored = try ModelContext(context.container).fetch(FetchDescriptor<Author>())
    #expect(stored.first?.books.map(\.title) == ["b", "a", "draft", "parent"])
  }

  @Test func `what a draft has only let go of the parent may have deleted`() throws {
    let draft = ModelContext(draftOf: context)
    let copied = try copy(of: author, in: draft)
    copied.books.remove(at: 0)
    context.delete(author.books[0])
    try draft.save()
    #expect(author.books.map(\.title) == ["b", "c"])
    try context.save()
    #expect(try ModelContext(context.container).fetchCount(FetchDescriptor<Book>()) == 2)
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

  @Test func `a draft's model that became a subclass's row goes on as that row's`() throws {
    let parent = ModelContext(
      try ModelContainer(
        for: Vessel.self, Ferry.self, Tanker.self, configurations: ModelConfiguration(isStoredInMemoryOnly: true)))
    parent.insert(Ferry(code: "A", cars: 3))
    try parent.save()
    let draft = ModelContext(draftOf: parent)
    let vessel = Vessel(code: "A")
    vessel.length = 70
    draft.insert(vessel)
    try draft.save()
    try parent.save()
    #expect(!vessel.isDeleted)
    let found = try draft.fetch(FetchDescriptor<Vessel>())
    #expect(found.map { $0 is Ferry } == [true] && found.map(\.length) == [70])
    #expect((found.first as? Ferry)?.cars == 3)
    vessel.length = 80
    #expect(found.map(\.length) == [80] && vessel.persistentModelID == found.first?.persistentModelID)
  }

  @Test func `models that joined a list keep their places when the parent gives them rows`() throws {
    let bea = Author(name: "Bea")
    bea.books = [Book(title: "x")]
    context.insert(bea)
    try context.save()
    let books = ["p", "q"].map { Book(title: $0) }
    books.forEach { context.insert($0) }
    let draft = ModelContext(draftOf: context)
    let copies = try books.map { try copy(of: $0, in: draft) }
    let owner = try copy(of: bea, in: draft)
    // Changed first, joining last, in a list that was not read.
    copies[1].pages = 9
    for copy in copies { copy.author = owner }
    try context.save()
    #expect(owner.books.map(\.title) == ["x", "p", "q"])
    try draft.save()
    try context.save()
    let other = ModelContext(context.container)
    let found = try #require(other.model(for: bea.persistentModelID) as? Author)
    #expect(found.books.map(\.title) == ["x", "p", "q"])
  }

  @Test func `a draft of a draft sees what the outermost context changed meanwhile`() throws {
    let inner = ModelContext(draftOf: ModelContext(draftOf: context))
    let copied = try copy(of: author, in: inner)
    #expect(copied.books.map(\.title) == ["a", "b", "c"])
    author.books.removeFirst()
    author.books.append(Book(title: "d"))
    author.name = "Bea"
    let found = try inner.fetch(FetchDescriptor<Author>())
    #expect(found.first === copied)
    #expect(copied.name == "Bea" && copied.books.map(\.title) == ["b", "c", "d"])
  }

  @Test func `a model that a draft holds follows the parent's edits and rollbacks at the draft's next look`() throws {
    let draft = ModelContext(draftOf: context)
    let (copied, book) = (try copy(of: author, in: draft), try copy(of: author.books[0], in: draft))
    #expect(copied.name == "Ann" && book.title == "a")
    book.title = "own"
    author.name = "Bea"
    author.books[0].title = "theirs"
    #expect(try draft.fetchCount(FetchDescriptor<Tag>()) == 0)
    #expect(copied.name == "Bea" && book.title == "own")
    let isTold = ToldFlag()
    _ = withObservationTracking {
      copied.name
    } onChange: {
      isTold.set()
    }
    context.rollback()
    #expect(try draft.fetchCount(FetchDescriptor<Tag>()) == 0)
    #expect(copied.name == "Ann" && book.title == "own" && isTold.isSet)
  }

  @Test(arguments: [false, true])
  func `a draft shows what others wrote to a model that its cascade does not reach any more`(
    byParent: Bool
  ) throws {
    let draft = ModelContext(draftOf: context)
    let book = try copy(of: author.books[0], in: draft)
    draft.delete(try copy(of: author, in: draft))
    #expect(book.isDeleted && book.title == "a")
    let other = byParent ? context : ModelContext(context.container)
    let same = try copy(of: book, in: other)
    (same.author, same.title) = (nil, "z")
    if !byParent { try other.save() }
    _ = try draft.fetchCount(FetchDescriptor<Author>())
    #expect(!book.isDeleted && book.author == nil && book.title == "z")
  }

  @Test func `cascades that lead round in a circle are merged as one`() throws {
    let context = ModelContext(
      try ModelContainer(for: DraftLink.self, configurations: ModelConfiguration(isStoredInMemoryOnly: true)))
    let links = (0..<3).map { DraftLink(number: $0) }
    for index in 0..<3 { links[index].next = links[(index + 1) % 3] }
    context.insert(links[0])
    try context.save()
    let draft = ModelContext(draftOf: context)
    draft.delete(try copy(of: links[1], in: draft))
    #expect(try draft.fetchCount(FetchDescriptor<DraftLink>()) == 0)
    try draft.save()
    #expect(links.allSatisfy { $0.isDeleted })
    try context.save()
    #expect(try ModelContext(context.container).fetchCount(FetchDescriptor<DraftLink>()) == 0)
  }

  @Test(arguments: [false, true])
  func `a draft's upsert changes the row for all contexts`(isAlsoInParent: Bool) throws {
    let tag = Tag(name: "t")
    tag.books = [author.books[0]]
    context.insert(tag)
    try context.save()
    if isAlsoInParent { context.insert(Tag(name: "t")) }
    let draft = ModelContext(draftOf: context)
    let again = Tag(name: "t")
    again.books = [try copy(of: author.books[1], in: draft)]
    draft.insert(again)
    try draft.save()
    try context.save()
    #expect(tag.books.map(\.title) == ["a", "b"])
    let found = try draft.fetch(FetchDescriptor<Tag>())
    #expect(found.map { $0.books.map(\.title) } == [["a", "b"]])
    #expect(again.persistentModelID == tag.persistentModelID && again.books.map(\.title) == ["a", "b"])
    again.name = "edited"
    try draft.save()
    #expect(tag.name == "edited")
  }

  @Test func `a link that a draft's deletion took comes back though the parent has saved since`() throws {
    let context = try makePeople()
    let (boss, worker) = (Person(name: "boss"), Person(name: "worker"))
    context.insert(boss)
    context.insert(worker)
    let draft = ModelContext(draftOf: context)
    let own = try #require(draft.model(for: boss.persistentModelID) as? Person)
    let copy = try #require(draft.model(for: worker.persistentModelID) as? Person)
    copy.manager = own
    draft.delete(own)
    #expect(copy.manager == nil)
    try context.save()
    draft.insert(own)
    #expect(copy.manager === own)
    try draft.save()
    #expect(worker.manager === boss)
  }

  @Test func `a model whose one partner was deleted keeps the next one through a merge`() throws {
    let context = try graphContext()
    let (person, first, second) = (GraphPerson(number: 1), GraphPass(number: 2), GraphPass(number: 3))
    for model in [person, first, second] as [any PersistentModel] { context.insert(model) }
    try context.save()
    let draft = ModelContext(draftOf: context)
    let copied = try copy(of: person, in: draft)
    let doomed = try copy(of: first, in: draft)
    doomed.holder = copied
    draft.delete(doomed)
    copied.pass = try copy(of: second, in: draft)
    try draft.save()
    #expect(person.pass === second && second.holder === person)
  }

  @Test func `every relationship to a model that was deleted and merged is nil`() throws {
    let context = try graphContext()
    let person = GraphPerson(number: 1)
    person.loans = [GraphLoan(number: 2), GraphLoan(number: 3)]
    context.insert(person)
    try context.save()
    let draft = ModelContext(draftOf: context)
    let loans = try person.loans.map { try copy(of: $0, in: draft) }
    draft.delete(try copy(of: person, in: draft))
    try draft.save()
    draft.delete(loans[0])
    #expect(loans[1].borrower == nil)
  }

  private func graphContext() throws -> ModelContext {
    ModelContext(
      try ModelContainer(for: GraphPerson.self, configurations: ModelConfiguration(isStoredInMemoryOnly: true)))
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

@Model private final class DraftLink {
  var number: Int
  @Relationship(deleteRule: .cascade, inverse: nil) var next: DraftLink?

  init(number: Int) { self.number = number }
}
