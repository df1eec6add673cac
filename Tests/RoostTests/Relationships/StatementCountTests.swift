import Foundation
import Roost
import RoostCore
import RoostMigration
import RoostQuery
import RoostTesting
import Testing

/// How many statements walks, edits and deletions of related models run.
@Suite struct StatementCountTests {
  private let recorder = StatementRecorder()
  private let container: ModelContainer

  init() throws {
    container = try ModelContainer(
      for: Author.self, configurations: ModelConfiguration(isStoredInMemoryOnly: true).recording(to: recorder))
  }

  private func fill(authors: Int, books: Int, tags: Int = 0) throws {
    let context = ModelContext(container)
    let authors = (0..<authors).map { Author(name: "\($0)") }
    let tags = (0..<tags).map { Tag(name: "\($0)") }
    for number in 0..<books {
      let book = Book(title: "\(number)", author: authors[number % authors.count])
      if !tags.isEmpty { book.tags = [tags[number % tags.count]] }
      context.insert(book)
    }
    try context.save()
    // A bulk load's indexes are made by the first query.
    _ = try context.fetchCount(FetchDescriptor<Book>())
  }

  @Test func `walking from many models to one reads a thousand targets in one statement`() throws {
    try fill(authors: 3_000, books: 10_000)
    let context = ModelContext(container)
    let books = try context.fetch(FetchDescriptor<Book>())
    var names = 0
    let statements = recorder.statements { for book in books { names += book.author?.name.count ?? 0 } }
    #expect(names > 0)
    // Not all at once, as others along other relationships would take their place among those that are kept.
    #expect((2...4).contains(statements.count), "\(statements)")
  }

  @Test func `a bad row that is read first leaves its siblings to be read together`() throws {
    try fill(authors: 1, books: 100)
    let context = ModelContext(container)
    let identifiers = try context.fetchIdentifiers(FetchDescriptor<Book>())
    try context.execute(sql: "UPDATE \(Book.self) SET genre = 'none' WHERE title = '50'")
    let books = identifiers.compactMap { context.model(for: $0) as? Book }
    var titles: Set<String> = []
    let statements = recorder.statements {
      _ = books[50].genre
      titles = Set(books.map(\.title))
    }
    #expect(titles == Set((0..<100).map { "\($0)" }))
    // Halves of 100 rows with a bad one, and that one once more.
    #expect(statements.count <= 1 + 2 * 7 + 1, "\(statements.count)")
  }

  /// How many models are looked at, and how many statements run, while a chain is deleted from its first model on.
  private func deleteChain<Link: PersistentModel>(
    _ count: Int, ofStored isStored: Bool, make: () -> Link, link: (Link, Link) -> Void
  ) throws -> (seen: Int, statements: Int) {
    let recorder = StatementRecorder()
    let container = try ModelContainer(
      for: Link.self, configurations: ModelConfiguration(isStoredInMemoryOnly: true).recording(to: recorder))
    var context = ModelContext(container)
    var models = (0..<count).map { _ in make() }
    for (one, other) in zip(models, models.dropFirst()) { link(one, other) }
    models.forEach { context.insert($0) }
    try context.save()
    var first = models[0]
    if isStored {
      context = ModelContext(container)
      first = try #require(context.model(for: first.persistentModelID) as? Link)
      models = []
    }
    let statements = recorder.statements { context.delete(first) }
    #expect(context.deletedModelsArray.count == count)
    let seen = context._siblingsSeen
    try context.save()
    #expect(try context.fetchCount(FetchDescriptor<Link>()) == 0)
    return (seen, statements.count)
  }

  @Test(arguments: [false, true])
  func `what is looked at for a chain that is deleted grows with the chain alone`(_ isStored: Bool) throws {
    func check<Link: PersistentModel>(make: () -> Link, link: (Link, Link) -> Void) throws {
      let short = try deleteChain(200, ofStored: isStored, make: make, link: link)
      let long = try deleteChain(800, ofStored: isStored, make: make, link: link)
      #expect(long.seen <= 4 * short.seen + 100 && long.seen <= 8 * 800, "\(short.seen), \(long.seen)")
      #expect(long.statements <= (isStored ? 4 * short.statements + 10 : 10), "\(short), \(long)")
    }
    try check(make: CountedFolder.init) { $0.folders = [$1] }
    try check(make: CountedLink.init) { $0.next = $1 }
    try check(make: CountedGroup.init) { $0.groups = [$1] }
  }

  @Test func `walking along four relationships runs a statement for each`() throws {
    let recorder = StatementRecorder()
    let container = try ModelContainer(
      for: CountedFlight.self, configurations: ModelConfiguration(isStoredInMemoryOnly: true).recording(to: recorder))
    let writing = ModelContext(container)
    let (airlines, planes) = (
      (0..<20).map { CountedAirline(name: "\($0)") }, (0..<900).map { CountedPlane(name: "\($0)") }
    )
    let airports = (0..<300).map { CountedAirport(name: "\($0)") }
    for number in 0..<10_000 {
      writing.insert(
        CountedFlight(
          airlines[number % 20], planes[number % 900], from: airports[number % 300], to: airports[(number + 7) % 300]))
    }
    try writing.save()
    let context = ModelContext(container)
    _ = try context.fetchCount(FetchDescriptor<CountedFlight>())
    var characters = 0
    let statements = try recorder.statements {
      for flight in try context.fetch(FetchDescriptor<CountedFlight>()) {
        characters += (flight.airline?.name.count ?? 0) + (flight.plane?.name.count ?? 0)
        characters += (flight.origin?.name.count ?? 0) + (flight.destination?.name.count ?? 0)
      }
    }
    #expect(characters > 40_000)
    #expect(statements.count <= 8, "\(statements)")
    #expect(context.liveModelCount <= 1_220)
  }

  @Test func `walking from models to their many reads keys once and rows once, many at a time`() throws {
    try fill(authors: 500, books: 10_000, tags: 7)
    let context = ModelContext(container)
    let authors = try context.fetch(FetchDescriptor<Author>())
    var (titles, tags) = (0, 0)
    let statements = recorder.statements {
      for author in authors {
        for book in author.books {
          titles += book.title.count
          tags += book.tags.count
        }
      }
    }
    #expect(titles > 0 && tags == 10_000)
    // Keys of the authors' lists, of 64 first and twice as many each time, and their books' rows as far as lists are
    // known. An author's books lie far from each other, so that the tags' keys are read for some of the rows at a time.
    #expect(statements.count <= 60, "\(counts(statements))")
  }

  @Test func `adding to a large list runs as many statements as adding to a small one`() throws {
    try fill(authors: 1, books: 100_000)
    let context = ModelContext(container)
    let author = try #require(try context.fetch(FetchDescriptor<Author>()).first)
    let byChild = try recorder.statements {
      context.insert(Book(title: "new", author: author))
      try context.save()
    }
    #expect(byChild.count <= 4, "\(byChild)")
    #expect(context.liveModelCount <= 2)
    let byParent = try recorder.statements {
      author.books.append(Book(title: "newer"))
      try context.save()
    }
    #expect(byParent.count <= 6, "\(byParent)")
    #expect(author.books.count == 100_002)
  }

  @Test func `a model found by its identifier is read once`() throws {
    try fill(authors: 1, books: 1)
    let context = ModelContext(container)
    let identifier = try #require(try context.fetchIdentifiers(FetchDescriptor<Book>()).first)
    let statements = recorder.statements { #expect((context.model(for: identifier) as? Book)?.title == "0") }
    #expect(statements.count == 1, "\(statements)")
  }

  @Test func `saving an edit writes one row and the changed column alone`() throws {
    try fill(authors: 1, books: 3)
    let context = ModelContext(container)
    let book = try #require(try context.fetch(FetchDescriptor<Book>()).first)
    book.pages = 7
    let statements = try recorder.statements { try context.save() }
    #expect(statements.count == 1)
    #expect(statements.first?.hasPrefix("UPDATE \"Book\" SET \"pages\" =") ?? false)
  }

  @Test func `deleting many with all that goes with them runs a few statements a table`() throws {
    try fill(authors: 100, books: 10_000, tags: 7)
    let context = ModelContext(container)
    let statements = try recorder.statements {
      try context.delete(model: Author.self)
      try context.save()
    }
    #expect(statements.count <= 12, "\(counts(statements))")
    #expect(try ModelContext(container).fetchCount(FetchDescriptor<Book>()) == 0)
  }

  @Test func `the number of statements that delete rows does not depend on how many there are`() throws {
    var counts: [Int] = []
    for number in [100, 40_000] {
      try fill(authors: 1, books: number)
      let context = ModelContext(container)
      let statements = try recorder.statements {
        try context.delete(model: Book.self)
        try context.save()
      }
      counts.append(statements.count)
      try context.delete(model: Author.self)
      try context.save()
    }
    #expect(counts[0] == counts[1] && counts[0] <= 8, "\(counts)")
  }

  @Test func `letting many go runs a few statements`() throws {
    let container = try ModelContainer(
      for: Person.self, configurations: ModelConfiguration(isStoredInMemoryOnly: true).recording(to: recorder))
    let writer = ModelContext(container)
    let bosses = (0..<10).map { Person(name: "boss \($0)") }
    for number in 0..<5_000 {
      let worker = Person(name: "\(number)")
      worker.manager = bosses[number % 10]
      writer.insert(worker)
    }
    try writer.save()
    let context = ModelContext(container)
    let statements = try recorder.statements {
      try context.delete(model: Person.self, where: #Predicate { $0.name.starts(with: "boss") })
      try context.save()
    }
    #expect(statements.count <= 12, "\(counts(statements))")
    #expect(
      try ModelContext(container).fetchCount(FetchDescriptor<Person>(predicate: #Predicate { $0.manager == nil }))
        == 5_000)
  }

  /// How often each statement ran.
  private func counts(_ statements: [String]) -> [String] {
    Dictionary(grouping: statements, by: \.self).map { "\($1.count) x \($0)" }.sorted()
  }
}

@Model private final class CountedAirline {
  var name: String

  init(name: String) { self.name = name }
}

@Model private final class CountedPlane {
  var name: String

  init(name: String) { self.name = name }
}

@Model private final class CountedAirport {
  var name: String

  init(name: String) { self.name = name }
}

@Model private final class CountedFlight {
  var airline: CountedAirline?
  var plane: CountedPlane?
  var origin: CountedAirport?
  var destination: CountedAirport?

  init(
    _ airline: CountedAirline, _ plane: CountedPlane, from origin: CountedAirport, to destination: CountedAirport
  ) {
    self.airline = airline
    self.plane = plane
    self.origin = origin
    self.destination = destination
  }
}

@Model private final class CountedFolder {
  var parent: CountedFolder?
  @Relationship(deleteRule: .cascade, inverse: \CountedFolder.parent) var folders: [CountedFolder] = []
  init() {}
}

@Model private final class CountedLink {
  @Relationship(deleteRule: .cascade) var next: CountedLink?
  init() {}
}

@Model private final class CountedGroup {
  @Relationship(deleteRule: .cascade) var groups: [CountedGroup] = []
  init() {}
}
