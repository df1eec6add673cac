import Foundation
import Observation
import Roost
import Testing

/// Lists that models are appended to.
@Suite struct AppendTests {
  enum Newcomer: CaseIterable { case stored, inserted, outside, withOthers, ofAnotherList, deleted, present }
  enum Place: CaseIterable { case ofOneToMany, ofManyToMany, inDraft }

  /// A list has a model once. But a list that one model joins is not compared as a whole, as one with two more is.
  @Test(arguments: Newcomer.allCases, Place.allCases)
  func `appending a model does what appending it twice does`(_ newcomer: Newcomer, _ place: Place) throws {
    let (once, twice) = (try Scene(place), try Scene(place))
    let seen = try once.append(newcomer, times: 1)
    #expect(try seen == twice.append(newcomer, times: 2))
    let list = place == .ofManyToMany ? "birds: A" : "1: A B"
    let added =
      switch newcomer {
      case .stored: " spare"
      case .inserted, .outside, .withOthers: " new"
      case .ofAnotherList: " C"
      case .deleted, .present: ""
      }
    #expect(seen.first?.contains(list + added) == true, "\(seen)")
    #expect(seen.last?.contains(list + added) == true, "\(seen)")
  }

  @Test func `a list that was not read has those that are appended behind its own`() throws {
    let scene = try Scene(.ofOneToMany)
    let context = ModelContext(scene.context.container)
    let author = try #require(context.model(for: scene.author.persistentModelID) as? Author)
    let spare = try #require(context.model(for: scene.spare.persistentModelID) as? Book)
    author.books.append(spare)
    author.books.append(contentsOf: [Book(title: "C"), Book(title: "D")])
    context.delete(author.books[0])
    author.books.append(Book(title: "E"))
    #expect(author.books.map(\.title) == ["B", "spare", "C", "D", "E"])
    try context.save()
    let other = ModelContext(context.container)
    let found = try #require(other.model(for: author.persistentModelID) as? Author)
    #expect(found.books.map(\.title) == ["B", "spare", "C", "D", "E"])
  }

  @Test func `observers of a model that is appended find both sides in step`() throws {
    let scene = try Scene(.ofOneToMany)
    // SAFETY: the observer is told on the thread that edits, which is the test's.
    nonisolated(unsafe) let author = scene.author
    nonisolated(unsafe) var seen: [[String]] = []
    withObservationTracking {
      _ = scene.spare.author
    } onChange: {
      seen.append(author.books.map(\.title))
    }
    author.books.append(scene.spare)
    #expect(seen == [["A", "B", "spare"]] && scene.spare.author === author)
  }
}

/// Two authors and a tag with stored books, and one in no list whose row is before all others.
private struct Scene {
  let place: AppendTests.Place
  let context: ModelContext
  let author: Author
  let other: Author
  let tag: Tag
  let spare: Book
  private let parent: ModelContext
  private let undo = UndoManager()

  init(_ place: AppendTests.Place) throws {
    self.place = place
    let parent = try makeLibrary()
    let (author, other, tag) = (Author(name: "1"), Author(name: "2"), Tag(name: "birds"))
    let spare = Book(title: "spare")
    parent.insert(spare)
    try parent.save()
    author.books = [Book(title: "A"), Book(title: "B")]
    other.books = [Book(title: "C")]
    tag.books = [author.books[0]]
    for model in [author, other] { parent.insert(model) }
    try parent.save()
    let context = place == .inDraft ? ModelContext(draftOf: parent) : parent
    func copy<Model: PersistentModel>(_ model: Model) throws -> Model {
      try #require(context.model(for: model.persistentModelID) as? Model)
    }
    (self.context, self.parent) = (context, parent)
    self.author = try copy(author)
    self.other = try copy(other)
    self.tag = try copy(tag)
    self.spare = try copy(spare)
  }

  /// Returns what there is after the edit, after it is undone and redone, and after the save.
  func append(_ newcomer: AppendTests.Newcomer, times: Int) throws -> [String] {
    let book = book(newcomer)
    context.processPendingChanges()
    context.undoManager = undo
    let books = Array(repeating: book, count: times)
    if place == .ofManyToMany { tag.books.append(contentsOf: books) } else { author.books.append(contentsOf: books) }
    context.processPendingChanges()
    var seen = [state(book)]
    undo.undo()
    seen.append(state(book))
    undo.redo()
    seen.append(state(book))
    try context.save()
    try parent.save()
    seen.append(state(book))
    let stored = ModelContext(parent.container)
    let authors = try stored.fetch(FetchDescriptor<Author>(sortBy: [SortDescriptor(\.name)]))
    let tags = try stored.fetch(FetchDescriptor<Tag>(sortBy: [SortDescriptor(\.name)]))
    return seen + [lists(authors, tags)]
  }

  private func book(_ newcomer: AppendTests.Newcomer) -> Book {
    switch newcomer {
    case .stored: return spare
    case .ofAnotherList: return other.books[0]
    case .present: return author.books[0]
    case .outside: return Book(title: "new")
    case .inserted:
      let book = Book(title: "new")
      context.insert(book)
      return book
    case .withOthers:
      let book = Book(title: "new")
      let tag = Tag(name: "bees")
      tag.books = [book, Book(title: "along")]
      return book
    case .deleted:
      context.delete(spare)
      return spare
    }
  }

  /// The lists, what of the book refers to them, and what is pending.
  private func state(_ book: Book) -> String {
    let tags = book.tags.map(\.name).sorted().joined(separator: " ")
    return """
      \(lists([author, other], [tag])); \(book.title) of \(book.author?.name ?? "nobody") with \(tags), \
      \(book.isDeleted), \(book.modelContext == nil); \(names(context.insertedModelsArray)); \
      \(names(context.changedModelsArray)); \(names(context.deletedModelsArray)); \(context.hasChanges)
      """
  }

  private func lists(_ authors: [Author], _ tags: [Tag]) -> String {
    func list(_ name: String, _ books: [Book]) -> String {
      "\(name): " + books.map(\.title).joined(separator: " ")
    }
    let lists = authors.map { list($0.name, $0.books) } + tags.map { list($0.name, $0.books) }
    return lists.joined(separator: ", ")
  }

  private func names(_ models: [any PersistentModel]) -> String {
    models.map { ($0 as? Book)?.title ?? ($0 as? Author)?.name ?? ($0 as? Tag)?.name ?? "" }.joined(separator: " ")
  }
}
