import Foundation
import Observation
import Roost
import RoostEngine
import Testing

/// A context's changes, taken back. `GraphTests` does so with random graphs.
@Suite struct UndoTests {
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

  @Test func `a context has no undo manager until it is given one`() throws {
    #expect(try makeLibrary().undoManager == nil)
    #expect(context.undoManager === undo && !undo.canUndo)
  }

  @Test func `an edit is undone and redone`() throws {
    let book = Book(title: "a")
    inGroup { context.insert(book) }
    try context.save()
    inGroup {
      book.title = "b"
      book.title = "c"
    }
    inGroup { book.pages = 7 }
    #expect(undo.undoCount == 3)
    undo.undo()
    #expect(book.title == "c" && book.pages == 0)
    undo.undo()
    #expect(book.title == "a" && !context.hasChanges && context.changedModelsArray.isEmpty)
    undo.redo()
    undo.redo()
    #expect(book.title == "c" && book.pages == 7 && context.hasChanges)
  }

  @Test func `an undo after the save is a change that the next save writes`() throws {
    let book = Book(title: "a")
    inGroup { context.insert(book) }
    try context.save()
    book.title = "b"
    try context.save()
    undo.undo()
    #expect(book.title == "a" && context.hasChanges)
    try context.save()
    let other = ModelContext(context.container)
    #expect(try other.fetch(FetchDescriptor<Book>()).map(\.title) == ["a"])
  }

  @Test func `queries see what was undone`() throws {
    let book = Book(title: "a")
    inGroup { context.insert(book) }
    try context.save()
    inGroup { book.title = "b" }
    let isB = FetchDescriptor<Book>(predicate: #Predicate { $0.title == "b" })
    #expect(try context.fetchCount(isB) == 1)
    undo.undo()
    #expect(try context.fetchCount(isB) == 0)
    undo.undo()
    #expect(try context.fetchCount(FetchDescriptor<Book>()) == 0)
    undo.redo()
    #expect(try context.fetch(FetchDescriptor<Book>()).first === book)
  }

  @Test func `an insert is undone, before and after the save, and redone with its identifier`() throws {
    let author = Author(name: "Ann")
    inGroup { context.insert(author) }
    let book = Book(title: "a")
    inGroup { author.books.append(book) }
    undo.undo()
    #expect(author.books.isEmpty && book.isDeleted && context.insertedModelsArray.count == 1)
    undo.redo()
    #expect(author.books == [book] && !book.isDeleted)

    try context.save()
    let identifier = book.persistentModelID
    undo.undo()
    try context.save()
    #expect(try context.fetchCount(FetchDescriptor<Book>()) == 0 && author.books.isEmpty)
    undo.redo()
    try context.save()
    #expect(book.persistentModelID == identifier && author.books == [book] && book.author === author)
    #expect(try ModelContext(context.container).fetchIdentifiers(FetchDescriptor<Book>()) == [identifier])
  }

  @Test func `a deletion that was saved is undone with identifiers, links and order`() throws {
    let author = Author(name: "Ann")
    author.books = ["a", "b", "c"].map { Book(title: $0) }
    let tags = ["x", "y"].map { Tag(name: $0) }
    author.books[1].tags = tags
    context.insert(author)
    try context.save()
    author.books.swapAt(0, 2)
    try context.save()
    let identifiers = author.books.map(\.persistentModelID)
    undo.removeAllActions()

    // A context that has read nothing of it.
    let deleting = ModelContext(context.container)
    let manager = UndoManager()
    deleting.undoManager = manager
    let middle = try #require(deleting.model(for: identifiers[1]) as? Book)
    deleting.delete(middle)
    try deleting.save()
    let all = try #require(try deleting.fetch(FetchDescriptor<Author>()).first)
    deleting.delete(all)
    try deleting.save()
    #expect(try deleting.fetchCount(FetchDescriptor<Book>()) == 0)
    manager.undo()
    manager.undo()
    try deleting.save()

    let other = ModelContext(context.container)
    let found = try #require(try other.fetch(FetchDescriptor<Author>()).first)
    #expect(found.persistentModelID == author.persistentModelID)
    #expect(found.books.map(\.persistentModelID) == identifiers && found.books.map(\.title) == ["c", "b", "a"])
    #expect(Set(found.books[1].tags.map(\.name)) == ["x", "y"])
    #expect(middle.author === all && all.books[1] === middle)
  }

  @Test func `a list that was not read when it grew has its order again after a deletion that was saved`() throws {
    let titles = "abcdefgh".map { String($0) }
    let tag = Tag(name: "t")
    tag.books = titles.map { Book(title: $0) }
    context.insert(tag)
    try context.save()
    let other = ModelContext(context.container)
    other.undoManager = undo
    let found = try #require(try other.fetch(FetchDescriptor<Tag>()).first)
    let book = Book(title: "i")
    other.insert(book)
    try other.save()
    book.tags.append(found)
    other.processPendingChanges()
    other.delete(found)
    try other.save()
    undo.undo()
    #expect(found.books.map(\.title) == titles + ["i"])
    undo.undo()
    #expect(found.books.map(\.title) == titles)
    try other.save()
    let stored = try #require(try ModelContext(context.container).fetch(FetchDescriptor<Tag>()).first)
    #expect(stored.books.map(\.title) == titles)
    undo.redo()
    #expect(found.books.map(\.title) == titles + ["i"])
  }

  @Test func `a list that grew before it was read has its order again`() throws {
    let author = Author(name: "Ann")
    author.books = ["a", "b", "c"].map { Book(title: $0) }
    context.insert(author)
    try context.save()
    let other = ModelContext(context.container)
    other.undoManager = undo
    let found = try #require(try other.fetch(FetchDescriptor<Author>()).first)
    other.insert(Book(title: "d", author: found))
    found.books.removeFirst()
    try other.save()
    undo.undo()
    #expect(found.books.map(\.title) == ["a", "b", "c"])
    undo.redo()
    #expect(found.books.map(\.title) == ["b", "c", "d"])
  }

  @Test func `who refers to a deleted model without it knowing refers to it again`() throws {
    let context = ModelContext(
      try ModelContainer(
        for: UndoPointer.self, configurations: ModelConfiguration(isStoredInMemoryOnly: true)))
    context.undoManager = undo
    let target = UndoTarget(name: "t")
    context.insert(UndoPointer(target: target))
    try context.save()

    let deleting = ModelContext(context.container)
    deleting.undoManager = undo
    let found = try #require(try deleting.fetch(FetchDescriptor<UndoTarget>()).first)
    deleting.delete(found)
    try deleting.save()
    undo.undo()
    try deleting.save()
    let pointer = try #require(try ModelContext(context.container).fetch(FetchDescriptor<UndoPointer>()).first)
    #expect(pointer.target?.name == "t" && pointer.targets.map(\.name) == ["t"])
  }

  @Test func `undoing the insert of a model after the save keeps what it alone refers to`() throws {
    let container = try ModelContainer(
      for: UndoOwner.self, configurations: ModelConfiguration(isStoredInMemoryOnly: true))
    let context = ModelContext(container)
    context.undoManager = undo
    let target = UndoTarget(name: "a")
    context.insert(target)
    try context.save()
    let owner = UndoOwner(target: target)
    context.insert(owner)
    try context.save()
    undo.undo()
    try context.save()
    #expect(try ModelContext(container).fetch(FetchDescriptor<UndoTarget>()).map(\.name) == ["a"])
    #expect(try context.fetchCount(FetchDescriptor<UndoOwner>()) == 0)
    undo.redo()
    try context.save()
    #expect(try ModelContext(container).fetch(FetchDescriptor<UndoOwner>()).map(\.target?.name) == ["a"])
  }

  @Test func `a link that was undone does not come back when a deletion of its model was undone before`() throws {
    let (book, tag, other) = (Book(title: "a"), Tag(name: "t"), Book(title: "b"))
    context.insert(book)
    context.insert(tag)
    context.insert(other)
    try context.save()
    inGroup { book.tags = [tag] }
    inGroup { context.delete(tag) }
    undo.undo()
    undo.undo()
    #expect(book.tags.isEmpty && tag.books.isEmpty && !context.hasChanges)
    inGroup { context.delete(other) }
    inGroup { context.insert(Book(title: "c")) }
    undo.undo()
    #expect(book.tags.isEmpty && tag.books.isEmpty)
    try context.save()
    #expect(try ModelContext(context.container).fetch(FetchDescriptor<Tag>()).allSatisfy(\.books.isEmpty))
  }

  @Test func `a rollback empties the undo stack`() throws {
    inGroup { context.insert(Book(title: "a")) }
    inGroup { context.insert(Book(title: "b")) }
    undo.undo()
    context.rollback()
    #expect(!undo.canUndo && !undo.canRedo)
  }

  @Test func `changes up to a save are one group, and explicit groups are kept apart`() throws {
    let book = Book(title: "a")
    context.insert(book)
    book.title = "b"
    try context.save()
    book.title = "c"
    undo.beginUndoGrouping()
    book.title = "d"
    undo.endUndoGrouping()
    #expect(undo.undoCount == 2)
    undo.undo()
    #expect(book.title == "b")
    undo.undo()
    #expect(book.isDeleted)
  }

  @Test func `without its undo manager a context records nothing, and earlier steps still work`() throws {
    let book = Book(title: "a")
    inGroup { context.insert(book) }
    inGroup { book.title = "b" }
    context.undoManager = nil
    context.insert(Book(title: "imported"))
    book.pages = 3
    try context.save()
    #expect(undo.undoCount == 2)
    context.undoManager = undo
    undo.undo()
    #expect(book.title == "a" && book.pages == 3)
  }

  @Test func `observers are told of an undo`() throws {
    let book = Book(title: "a")
    inGroup { context.insert(book) }
    inGroup { book.title = "b" }
    let told = Flag()
    withObservationTracking {
      _ = book.title
    } onChange: {
      told.isSet = true
    }
    undo.undo()
    #expect(told.isSet)
  }

  @Test func `an undo whose unique value another row has by now is refused by the save`() throws {
    let tag = Tag(name: "x")
    context.insert(tag)
    try context.save()
    context.delete(tag)
    try context.save()
    context.undoManager = nil
    context.insert(Tag(name: "x"))
    try context.save()
    context.undoManager = undo
    undo.undo()
    #expect(throws: SwiftDataError.modelValidationFailure) { try context.save() }
    undo.redo()
    #expect(!context.hasChanges)
    #expect(try context.fetchCount(FetchDescriptor<Tag>()) == 1)
  }

  @Test func `of many inserts only those that became updates are not taken back`() throws {
    context.insert(Tag(name: "0"))
    try context.save()
    let other = ModelContext(context.container)
    other.undoManager = undo
    for number in 0..<3 { other.insert(Tag(name: "\(number)")) }
    try other.save()
    undo.undo()
    try other.save()
    #expect(try other.fetch(FetchDescriptor<Tag>()).map(\.name) == ["0"])
  }

  @Test func `an insert that became an update of a row is not taken back`() throws {
    let tag = Tag(name: "x")
    context.insert(tag)
    try context.save()
    let other = ModelContext(context.container)
    other.undoManager = undo
    other.insert(Tag(name: "x"))
    try other.save()
    undo.undo()
    try other.save()
    #expect(try other.fetchCount(FetchDescriptor<Tag>()) == 1)
  }

  @Test func `what was not fetched of a model is restored too`() throws {
    let (ann, bea) = (Author(name: "Ann"), Author(name: "Bea"))
    context.insert(Book(title: "a", author: ann))
    context.insert(bea)
    try context.save()
    let other = ModelContext(context.container)
    other.undoManager = undo
    var descriptor = FetchDescriptor<Book>()
    descriptor.propertiesToFetch = [\Book.title]
    let book = try #require(try other.fetch(descriptor).first)
    try #require(other.model(for: bea.persistentModelID) as? Author).books.append(book)
    try other.save()
    undo.undo()
    try other.save()
    #expect(try ModelContext(context.container).fetch(FetchDescriptor<Book>()).first?.author?.name == "Ann")
  }

  @Test func `a row that comes back is among those that can be read`() throws {
    let folder = try TemporaryFolder()
    let context = ModelContext(
      try ModelContainer(for: Book.self, configurations: ModelConfiguration(url: folder.store)))
    let books = ["A", "B", "C"].map { Book(title: $0) }
    books.forEach { context.insert($0) }
    try context.save()
    context.undoManager = undo
    context.delete(books[0])
    try context.save()
    let connection = try Connection(ConnectionOptions(location: .file(path: folder.store.path)))
    try connection.execute("UPDATE Book SET genre = 'cookery' WHERE title = 'B'")
    undo.undo()
    var errors: [SwiftDataError] = []
    let found = try context.fetch(FetchDescriptor<Book>(sortBy: [SortDescriptor(\.title)])) { errors.append($0) }
    #expect(found.map(\.title) == ["A", "C"] && found.first === books[0] && errors.map(\.property) == ["genre"])
  }

  @Test func `a model that went to another context is left alone`() throws {
    let book = Book(title: "a")
    inGroup { context.insert(book) }
    try context.save()
    inGroup { book.title = "b" }
    inGroup { context.delete(book) }
    try context.save()
    let other = try makeLibrary()
    other.insert(book)
    book.title = "c"
    try other.save()
    undo.undo()
    undo.undo()
    #expect(book.modelContext === other && book.title == "c" && !other.hasChanges)
    try context.save()
    #expect(try ModelContext(other.container).fetch(FetchDescriptor<Book>()).map(\.title) == ["c"])
  }

  @Test func `a step that outlived a rollback makes a change of what it restores`() throws {
    let book = Book(title: "a")
    inGroup { context.insert(book) }
    try context.save()
    inGroup { book.title = "b" }
    // Of a manager that is not the context's the rollback takes nothing.
    context.undoManager = nil
    let other = ModelContext(context.container)
    try #require(try other.fetch(FetchDescriptor<Book>()).first).title = "z"
    try other.save()
    context.rollback()
    context.undoManager = undo
    #expect(book.title == "z")
    undo.undo()
    #expect(book.title == "a" && context.hasChanges)
    try context.save()
    #expect(try ModelContext(context.container).fetch(FetchDescriptor<Book>()).map(\.title) == ["a"])
  }

  @Test func `an insert whose file went with its row is redone with the value`() throws {
    let folder = try TemporaryFolder()
    let container = try ModelContainer(for: UndoPicture.self, configurations: ModelConfiguration(url: folder.store))
    let context = ModelContext(container)
    context.undoManager = undo
    let picture = UndoPicture(pixels: Data())
    context.insert(picture)
    try context.save()
    let pixels = Data(repeating: 7, count: 200_000)
    let other = ModelContext(container)
    try #require(try other.fetch(FetchDescriptor<UndoPicture>()).first).pixels = pixels
    try other.save()
    // Knows the file, and has not read it.
    _ = try context.fetch(FetchDescriptor<UndoPicture>())
    undo.undo()
    try context.save()
    #expect(try context.fetchCount(FetchDescriptor<UndoPicture>()) == 0)
    undo.redo()
    try context.save()
    #expect(try ModelContext(container).fetch(FetchDescriptor<UndoPicture>()).map(\.pixels) == [pixels])
  }

  @Test func `members that came with an upsert go with its undo, and come again`() throws {
    context.undoManager = nil
    let tag = Tag(name: "x")
    context.insert(tag)
    try context.save()
    context.undoManager = undo
    let again = Tag(name: "x")
    again.books = [Book(title: "a")]
    context.insert(again)
    try context.save()
    #expect(tag.books.map(\.title) == ["a"])
    undo.undo()
    #expect(tag.books.isEmpty)
    try context.save()
    #expect(tag.books.isEmpty)
    undo.redo()
    #expect(tag.books.map(\.title) == ["a"])
    try context.save()
    #expect(try ModelContext(context.container).fetch(FetchDescriptor<Tag>()).map(\.books.count) == [1])
  }

  @Test func `a model that is inserted again has what its initialiser linked`() throws {
    let author = Author(name: "Ann")
    inGroup { context.insert(author) }
    let book = Book(title: "a", author: author)
    inGroup { context.insert(book) }
    undo.undo()
    try context.save()
    undo.redo()
    #expect(book.author === author)
    try context.save()
    #expect(try ModelContext(context.container).fetch(FetchDescriptor<Book>()).first?.author?.name == "Ann")
  }

  @Test func `a model that its initialiser linked, and that is undone at once, is not there any more`() throws {
    let author = Author(name: "Ann")
    inGroup { context.insert(author) }
    try context.save()
    inGroup { _ = Book(title: "a", author: author) }
    #expect(author.books.count == 1)
    undo.undo()
    #expect(author.books.isEmpty && context.insertedModelsArray.isEmpty)
    try context.save()
    #expect(try ModelContext(context.container).fetchCount(FetchDescriptor<Book>()) == 0)
    undo.redo()
    try context.save()
    #expect(try ModelContext(context.container).fetch(FetchDescriptor<Author>()).map(\.books.count) == [1])
  }

  @Test func `changes after all actions were removed can be undone`() throws {
    let book = Book(title: "a")
    context.insert(book)
    undo.removeAllActions()
    book.title = "b"
    #expect(undo.canUndo)
    undo.undo()
    #expect(book.title == "a" && !book.isDeleted)
  }

  @Test func `models live no longer than the undo manager has a use for them`() throws {
    weak var book: Book?
    do {
      let made = Book(title: "a")
      book = made
      context.insert(made)
      try context.save()
      context.delete(made)
      try context.save()
    }
    #expect(book != nil)
    undo.removeAllActions()
    #expect(book == nil)
  }

  @Test @MainActor func `a group of the main context ends with the main actor's job`() async throws {
    let context = context.container.mainContext
    context.autosaveEnabled = false
    let undo = UndoManager()
    context.undoManager = undo
    let book = Book(title: "a")
    context.insert(book)
    while undo.groupingLevel > 0 { await Task.yield() }
    book.title = "b"
    undo.undo()
    #expect(book.title == "a" && !book.isDeleted)
  }
}

// SAFETY: set and read on one thread.
private final class Flag: @unchecked Sendable {
  var isSet = false
}

@Model final class UndoTarget {
  var name: String
  init(name: String) { self.name = name }
}

@Model final class UndoPointer {
  @Relationship(inverse: nil) var target: UndoTarget?
  @Relationship(inverse: nil) var targets: [UndoTarget] = []

  init(target: UndoTarget) {
    self.target = target
    targets = [target]
  }
}

@Model private final class UndoOwner {
  @Relationship(deleteRule: .cascade, inverse: nil) var target: UndoTarget?

  init(target: UndoTarget) { self.target = target }
}

@Model private final class UndoPicture {
  @Attribute(.externalStorage) var pixels: Data

  init(pixels: Data) { self.pixels = pixels }
}
