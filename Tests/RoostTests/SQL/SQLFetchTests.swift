import Foundation
import Roost
import RoostEngine
import RoostTesting
import Testing

/// Queries of a program's own.
@Suite struct SQLFetchTests {
  private let recorder = StatementRecorder()
  private let context: ModelContext

  init() throws {
    let configuration = ModelConfiguration(isStoredInMemoryOnly: true).recording(to: recorder)
    let writer = ModelContext(try ModelContainer(for: Author.self, configurations: configuration))
    for (name, titles) in [("Ann", ["a", "b"]), ("Bea", ["c"])] {
      let author = Author(name: name)
      author.books = titles.map { Book(title: $0) }
      for (place, book) in author.books.enumerated() { book.pages = 10 * (place + 1) }
      writer.insert(author)
    }
    try writer.save()
    context = ModelContext(writer.container)
  }

  @Test func `models are those of other fetches, and need no second statement`() throws {
    let books = try context.fetch(FetchDescriptor<Book>(sortBy: [SortDescriptor(\.title)]))
    let found = try context.fetch(sql: "SELECT * FROM \(Book.self) ORDER BY title DESC", as: Book.self)
    #expect(found.count == 3 && zip(found, books.reversed()).allSatisfy { $0 === $1 })
    let statements = try recorder.statements {
      // What SQL does is asked once: the statement is known by now.
      let other = ModelContext(context.container)
      let found: [Book] = try other.fetch(sql: "SELECT * FROM \(Book.self) ORDER BY title DESC")
      #expect(found.map(\.title) == ["c", "b", "a"])
    }
    #expect(statements.count == 1)
  }

  @Test func `columns come in any order, and what is missing is read later`() throws {
    let found: [Book] = try context.fetch(sql: "SELECT pages, title, _pk, 7 AS other FROM \(Book.self) ORDER BY title")
    #expect(found.map(\.title) == ["a", "b", "c"] && found.map(\.pages) == [10, 20, 10])
    let keys: [Book] = try ModelContext(context.container).fetch(sql: "SELECT _pk FROM \(Book.self) ORDER BY title")
    #expect(keys.map(\.title) == ["a", "b", "c"] && keys[2].author?.name == "Bea")
  }

  @Test func `a row that comes twice is one model`() throws {
    let found: [Author] = try context.fetch(
      sql: """
        SELECT \(Author.self).* FROM \(Author.self)
        JOIN \(Book.self) ON \(Book.self, \.author) = \(Author.self, \.persistentModelID)
        ORDER BY \(Author.self, \.name)
        """)
    #expect(found.map(\.name) == ["Ann", "Ann", "Bea"] && found[0] === found[1])
  }

  @Test func `a key that is missing, ambiguous or none is an error`() throws {
    for sql: SQL in [
      "SELECT title FROM \(Book.self)",
      "SELECT * FROM \(Book.self) JOIN \(Author.self) ON author = Author._pk",
      "SELECT NULL AS _pk", "SELECT 'x' AS _pk", "SELECT -7 AS _pk", "SELECT 0 AS _pk",
    ] {
      let error = #expect(throws: SwiftDataError.self) { try context.fetch(sql: sql, as: Book.self) }
      #expect(error == .invalidSQL && error?.model == "Book")
    }
  }

  @Test func `pending changes count in whatever the statement reads`() throws {
    let books: [Book] = try context.fetch(sql: "SELECT * FROM \(Book.self) ORDER BY title")
    books[0].pages = 1_000
    context.delete(books[1])
    let author = Author(name: "Cleo")
    context.insert(author)
    let new = Book(title: "new", author: author)
    context.insert(new)
    let found: [Book] = try context.fetch(
      sql: "SELECT b.* FROM Book AS b WHERE b.pages > 100 OR b.author = \(author) ORDER BY b.title")
    #expect(found.map(\.title) == ["a", "new"] && found[1] === new)
    #expect(try context.rows(sql: "SELECT count(*) FROM \(Book.self)", as: Int.self) == [3])
    #expect(try context.rows(sql: "SELECT count(*) FROM main.Book", as: Int.self) == [3])
    #expect(try context.rows(sql: "SELECT max(pages) FROM main.Book", as: Int.self) == [20])
    context.rollback()
    #expect(try context.rows(sql: "SELECT max(pages) FROM \(Book.self)", as: Int.self) == [20])
  }

  @Test func `a draft shows its parent's changes and its own`() throws {
    let draft = ModelContext(draftOf: context)
    context.insert(Book(title: "parent"))
    draft.insert(Book(title: "draft"))
    let found: [Book] = try draft.fetch(sql: "SELECT * FROM \(Book.self) ORDER BY title")
    #expect(found.map(\.title) == ["a", "b", "c", "draft", "parent"])
    #expect(found.allSatisfy { $0.modelContext === draft })
    #expect(throws: SwiftDataError.invalidSQL) { try draft.execute(sql: "DELETE FROM \(Book.self)") }
  }

  @Test func `common tables, window functions and JSON are SQLite's`() throws {
    let ranks = try context.rows(
      sql: """
        WITH ranked AS (
          SELECT title, rank() OVER (PARTITION BY author ORDER BY pages DESC) AS place FROM \(Book.self)
        )
        SELECT title FROM ranked WHERE place = \(1) ORDER BY title
        """, as: String.self)
    #expect(ranks == ["b", "c"])
    let counted = try context.rows(
      sql: "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(4)) SELECT i FROM n",
      as: Int.self)
    #expect(counted == [1, 2, 3, 4])
    let json = try context.rows(
      sql: "SELECT value ->> '$.x' FROM json_each(\(json: [["x": 1], ["x": 2]]))", as: Int.self)
    #expect(json == [1, 2])
  }

  @Test func `an R-tree beside the models is joined with them`() throws {
    let options = try context.rows(sql: "PRAGMA compile_options", as: String.self)
    guard options.contains("ENABLE_RTREE") else { return }
    try context.execute(sql: "CREATE VIRTUAL TABLE places USING rtree(id, x0, x1)")
    try context.execute(sql: "INSERT INTO places SELECT _pk, pages, pages FROM \(Book.self)")
    let found: [Book] = try context.fetch(
      sql: """
        SELECT b.* FROM places JOIN \(Book.self) AS b ON b._pk = places.id
        WHERE x0 >= \(15) AND x1 <= \(25)
        """)
    #expect(found.map(\.title) == ["b"])
  }

  @Test func `a mistake is an error with the SQL and what SQLite says`() throws {
    let error = #expect(throws: SwiftDataError.self) { try context.rows(sql: "SELECT titel FROM \(Book.self)") }
    #expect(error == .invalidSQL && error?.sql == #"SELECT titel FROM "Book""#)
    #expect(error?.message.contains("no such column: titel") == true)
    for sql: SQL in ["", "SELECT 1; SELECT 2", "SELEC", "DELETE FROM \(Book.self)"] {
      #expect(throws: SwiftDataError.invalidSQL) { try context.rows(sql: sql) }
    }
    #expect(throws: SwiftDataError.modelNotInSchema) { try context.rows(sql: "SELECT 1 FROM \(Trip.self)") }
    #expect(throws: SwiftDataError.unsupportedKeyPath) {
      try context.rows(sql: "SELECT \(\Author.books) FROM \(Author.self)")
    }
  }

  @Test func `the rows of a class are told from those of others`() throws {
    let context = ModelContext(
      try ModelContainer(
        for: Trip.self, BusinessTrip.self, ConferenceTrip.self, PersonalTrip.self,
        configurations: ModelConfiguration(isStoredInMemoryOnly: true)))
    context.insert(Trip(name: "t"))
    context.insert(ConferenceTrip(name: "c", talks: 3))
    context.insert(PersonalTrip(name: "p", notes: 4))
    try context.save()
    let other = ModelContext(context.container)
    let trips: [Trip] = try other.fetch(sql: "SELECT * FROM \(Trip.self) ORDER BY name")
    #expect(trips.map(\.name) == ["c", "p", "t"] && (trips[0] as? ConferenceTrip)?.talks == 3)
    let business: [BusinessTrip] = try ModelContext(context.container).fetch(
      sql: "SELECT name, _type, _pk FROM \(BusinessTrip.self) WHERE _type <> 'Trip' AND name = \("c")")
    #expect(business.map(\.name) == ["c"])
    for sql: SQL in ["SELECT * FROM \(PersonalTrip.self)", "SELECT _pk FROM \(PersonalTrip.self)"] {
      #expect(throws: SwiftDataError.invalidSQL) { try other.fetch(sql: sql, as: PersonalTrip.self) }
    }
  }
}
