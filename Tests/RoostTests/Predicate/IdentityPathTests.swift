import Foundation
import Roost
import Testing

/// `id` of a model means its persistent identifier, unless the model has an `id` of its own.
@Suite struct IdentityPathTests {
  private let context: ModelContext
  private let authors = [Author(name: "A"), Author(name: "B")]
  private let books = ["x", "y", "z"].map { Book(title: $0) }

  init() throws {
    context = try makeLibrary()
    books[0].author = authors[0]
    books[1].author = authors[0]
    for author in authors { context.insert(author) }
    for book in books { context.insert(book) }
    try context.save()
  }

  private func titles(_ predicate: Predicate<Book>) throws -> Set<String> {
    let descriptor = FetchDescriptor(predicate: predicate)
    let found = Set(try context.fetch(descriptor).map(\.title))
    #expect(found == Set(try books.filter { try predicate.evaluate($0) }.map(\.title)))
    #expect(try context.fetchIdentifiers(descriptor).count == found.count)
    #expect(try context.fetchCount(descriptor) == found.count)
    return found
  }

  @Test func `id is compared, looked up in lists, and read through relationships`() throws {
    let (id, ids, author) = (books[0].id, books.prefix(2).map(\.id), authors[0].id)
    #expect(try titles(#Predicate { $0.id == id }) == ["x"])
    #expect(try titles(#Predicate { $0.id != id }) == ["y", "z"])
    #expect(try titles(#Predicate { ids.contains($0.id) }) == ["x", "y"])
    #expect(try titles(#Predicate { $0.author?.id == author }) == ["x", "y"])
    #expect(try titles(#Predicate { $0.author?.id != author }) == ["z"])
    #expect(try titles(#Predicate { $0.author?.books.contains { $0.id == id } ?? false }) == ["x", "y"])
  }

  @Test func `no model has the id of a model of another class`() throws {
    // Whatever key each has, some book is compared with an author of the same.
    for author in authors {
      for book in books { book.author = author }
      try context.save()
      #expect(try titles(#Predicate { $0.author?.id == $0.id }) == [])
      #expect(try titles(#Predicate { $0.author?.persistentModelID != $0.persistentModelID }) == ["x", "y", "z"])
    }
  }

  @Test func `a node made by hand has the same id`() throws {
    let id = books[1].id
    let predicate = Predicate<Book> {
      PredicateExpressions.build_Equal(
        lhs: PredicateExpressions.build_KeyPath(root: $0, keyPath: \.id), rhs: PredicateExpressions.build_Arg(id))
    }
    #expect(try titles(predicate) == ["y"])
  }

  @Test func `rows are sorted by id, and pages begin behind one`() throws {
    let ids = books.map(\.id).sorted()
    var descriptor = FetchDescriptor<Book>(sortBy: [SortDescriptor(\.id, order: .reverse)])
    #expect(try context.fetch(descriptor).map(\.id) == ids.reversed())
    descriptor.fetchAfter = ids[2]
    #expect(try context.fetchIdentifiers(descriptor) == [ids[1], ids[0]])
  }

  @Test func `id counts for models that are not saved yet`() throws {
    let book = Book(title: "new")
    context.insert(book)
    let id = book.id
    #expect(try context.fetch(FetchDescriptor<Book>(predicate: #Predicate { $0.id == id })) == [book])
  }

  private func find<Model: PersistentModel>(
    _ type: Model.Type, _ id: Model.ID, in context: ModelContext
  ) throws -> [Model] where Model.ID: Codable & Sendable {
    try context.fetch(FetchDescriptor<Model>(predicate: #Predicate { $0.id == id }))
  }

  @Test func `code that is generic over models asks for the id that each class has`() throws {
    #expect(try find(Book.self, books[2].id, in: context) == [books[2]])
    let container = try ModelContainer(
      for: Numbered.self, Renumbered.self, configurations: ModelConfiguration(isStoredInMemoryOnly: true))
    let other = ModelContext(container)
    let (seven, eight) = (Numbered(id: 7), Numbered(id: 8))
    other.insert(seven)
    other.insert(eight)
    try other.save()
    #expect(try find(Numbered.self, 8, in: other) == [eight])
    let row = seven.persistentModelID
    #expect(
      try other.fetch(FetchDescriptor<Numbered>(predicate: #Predicate { $0.persistentModelID == row })) == [seven])
    #expect(try other.fetch(FetchDescriptor<Numbered>(predicate: #Predicate { $0.id > 7 })) == [eight])
    #expect(throws: SwiftDataError.unsupportedKeyPath) { try find(Renumbered.self, "1", in: other) }
  }

  @Test func `an archived predicate keeps its id`() throws {
    let (id, author) = (books[1].id, authors[0].id)
    let predicate = #Predicate<Book> { $0.id == id && $0.author?.id == author }
    let generic = comparing(Book.self, id)
    var configuration = PredicateCodableConfiguration.standardConfiguration
    configuration.allowKeyPathsForProperties(of: Book.self)
    for predicate in [predicate, generic] {
      let data = try JSONEncoder().encode(predicate, configuration: configuration)
      let again = try JSONDecoder().decode(Predicate<Book>.self, from: data, configuration: configuration)
      #expect(try titles(again) == ["y"])
    }
  }

  private func comparing<Model: PersistentModel>(_ type: Model.Type, _ id: Model.ID) -> Predicate<Model>
  where Model.ID: Codable & Sendable { #Predicate { $0.id == id } }
}

@Model private final class Numbered {
  var id: Int
  init(id: Int) { self.id = id }
}

/// Its `id` is its own, and not stored.
@Model private final class Renumbered {
  var number: Int
  var id: String { "\(number)" }
  init(number: Int) { self.number = number }
}
