import Foundation
import Roost
import RoostTesting
import Testing

/// Statements of a program's own that write.
@Suite struct SQLExecuteTests {
  private let container: ModelContainer
  private let context: ModelContext
  private let author = Author(name: "Ann")

  init() throws {
    context = try makeLibrary()
    container = context.container
    author.books = ["a", "b", "c"].map { Book(title: $0) }
    context.insert(author)
    try context.save()
  }

  @Test func `the context's own models have the new values at once, but for their pending changes`() throws {
    let books = author.books
    books[0].title = "mine"
    _ = try context.fetch(FetchDescriptor<Book>())
    let count = try context.execute(sql: "UPDATE \(Book.self) SET title = upper(title), pages = \(7)")
    #expect(count == 3)
    #expect(books.map(\.title) == ["mine", "B", "C"] && books.map(\.pages) == [7, 7, 7])
    let pages = try context.rows(sql: "SELECT title, pages FROM \(Book.self) ORDER BY title").map(\.description)
    #expect(pages == ["title: 'B', pages: 7", "title: 'C', pages: 7", "title: 'mine', pages: 7"])
    try context.save()
    #expect(try context.rows(sql: "SELECT title FROM main.Book ORDER BY 1", as: String.self) == ["B", "C", "mine"])
  }

  @Test func `rows inserted and deleted show in lists here and in other contexts`() throws {
    let other = ModelContext(container)
    let same = try #require(try other.fetch(FetchDescriptor<Author>()).first)
    #expect(same.books.count == 3)
    let gone = try #require(try context.fetch(FetchDescriptor<Book>()).first { $0.title == "a" })
    try context.execute(sql: "DELETE FROM \(Book.self) WHERE title = \("a")")
    try context.execute(
      sql: "INSERT INTO \(Book.self) (title, pages, genre, author) VALUES (\("d"), 4, \(Genre.science), \(author))")
    #expect(gone.isDeleted && author.books.map(\.title) == ["b", "c", "d"])
    #expect(author.books.last?.genre == .science)
    _ = try other.fetchCount(FetchDescriptor<Book>())
    #expect(same.books.map(\.title) == ["b", "c", "d"])
  }

  @Test func `what delete rules of the database remove is gone from contexts too`() throws {
    let books = try context.fetch(FetchDescriptor<Book>())
    #expect(try context.execute(sql: "DELETE FROM \(Author.self)") == 1)
    #expect(author.isDeleted && books.allSatisfy(\.isDeleted))
    #expect(try context.fetchCount(FetchDescriptor<Book>()) == 0)
  }

  @Test func `keys of rows that SQL inserted are not given to models`() throws {
    try context.execute(sql: "INSERT INTO \(Tag.self) (_pk, name) VALUES (50, \("x"))")
    let tag = Tag(name: "y")
    context.insert(tag)
    try context.save()
    #expect(try context.rows(sql: "SELECT _pk FROM \(Tag.self) WHERE name = 'y'", as: Int.self) == [51])
  }

  @Test func `a violated constraint names model and property, and nothing is written`() throws {
    let sql: SQL = "INSERT INTO \(Tag.self) (name) VALUES ('x'), ('x')"
    let error = #expect(throws: SwiftDataError.self) { try context.execute(sql: sql) }
    #expect(error == .modelValidationFailure && error?.model == "Tag" && error?.property == "name")
    #expect(try context.fetchCount(FetchDescriptor<Tag>()) == 0)
  }

  @Test func `statements that would undo what Roost relies on are refused`() throws {
    for sql: SQL in [
      "BEGIN", "COMMIT", "ROLLBACK", "SAVEPOINT a", "RELEASE a", "ATTACH 'x' AS y", "DETACH y",
      "PRAGMA foreign_keys = OFF", "PRAGMA journal_mode = DELETE", "DROP TABLE \(Book.self)",
      "ALTER TABLE \(Book.self) ADD COLUMN x", "ALTER TABLE \(Book.self) RENAME TO x", "DELETE FROM _roost_meta",
      "DROP TABLE _roost_entity", "CREATE TEMP TABLE Book (x)", "CREATE TEMP VIEW v AS SELECT 1",
      "DELETE FROM \(Book.self); DELETE FROM \(Author.self)", "VACUUM",
    ] {
      #expect(throws: SwiftDataError.invalidSQL, "\(sql)") { try context.execute(sql: sql) }
    }
    #expect(try context.rows(sql: "PRAGMA table_info(Book)").count > 3)
    #expect(try context.rows(sql: "PRAGMA foreign_keys", as: Int.self) == [1])
    #expect(try context.fetchCount(FetchDescriptor<Book>()) == 3)
  }

  @Test func `a model without a row, or of another store, has no key to write`() throws {
    let tag = Tag(name: "x")
    context.insert(tag)
    #expect(throws: SwiftDataError.invalidSQL) { try context.execute(sql: "DELETE FROM Tag WHERE _pk = \(tag)") }
    let stranger = Author(name: "Zoe")
    let other = try makeLibrary()
    other.insert(stranger)
    try other.save()
    #expect(throws: SwiftDataError.invalidSQL) { try context.rows(sql: "SELECT \(stranger)") }
  }

  @Test func `a store that may not be written to refuses`() throws {
    let folder = try TemporaryFolder()
    do {
      let writer = try ModelContainer(for: Author.self, configurations: ModelConfiguration(url: folder.store))
      try writer.close()
    }
    let configuration = ModelConfiguration(url: folder.store, allowsSave: false)
    let reader = try ModelContainer(for: Author.self, configurations: configuration)
    #expect(throws: SwiftDataError.readOnlyStore) {
      try ModelContext(reader).execute(sql: "DELETE FROM \(Book.self)")
    }
    #expect(try reader.withDatabase(.readOnly) { try $0.rows(sql: "SELECT count(*) FROM Book", as: Int.self) } == [0])
  }

  @Test func `statements on the database are one transaction`() throws {
    struct Stop: Error {}
    #expect(throws: Stop.self) {
      try container.withDatabase { database in
        try database.execute(sql: "DELETE FROM \(Book.self)")
        throw Stop()
      }
    }
    #expect(try context.fetchCount(FetchDescriptor<Book>()) == 3)
    let keys = try container.withDatabase { database in
      try database.execute(sql: "UPDATE \(Book.self) SET pages = pages + 1")
      return try database.rows(sql: "DELETE FROM \(Book.self) WHERE title > 'a' RETURNING title", as: String.self)
    }
    #expect(keys.sorted() == ["b", "c"])
    #expect(try context.fetch(FetchDescriptor<Book>()).map(\.pages) == [1])
    #expect(author.books.map(\.title) == ["a"])
  }

  @Test func `a database that is read is as it was at the first statement, and refuses to write`() throws {
    var kept: SQLDatabase?
    try container.withDatabase(.readOnly) { database in
      kept = database
      let titles = try database.rows(sql: "SELECT title FROM Book ORDER BY title", as: String.self)
      let count = try context.fetchCount(FetchDescriptor<Book>())
      #expect(titles == ["a", "b", "c"] && count == 3)
      #expect(throws: SwiftDataError.invalidSQL) { try database.execute(sql: "DELETE FROM Book") }
    }
    #expect(throws: SwiftDataError.invalidSQL) { try kept?.rows(sql: "SELECT 1") }
  }

  @Test func `a context asked within a transaction of its own store's database says so, and does not wait`() throws {
    let all = FetchDescriptor<Book>()
    try container.withDatabase { database in
      try database.execute(sql: "UPDATE Book SET pages = 5")
      for misuse in [
        { _ = try context.fetch(all) }, { try context.execute(sql: "DELETE FROM Book") },
        { try context.update(model: Book.self, set: \.pages += 1) }, { try container.withDatabase { _ in } },
        {
          context.insert(Book(title: "new"))
          try context.save()
        },
      ] as [() throws -> Void] {
        let error = #expect(throws: SwiftDataError.storeBusy) { try misuse() }
        #expect(error?.remedy?.hasPrefix("Within withDatabase") ?? false, "\(String(describing: error))")
      }
    }
    _ = try container.withDatabase(.readOnly) { _ in
      #expect(throws: SwiftDataError.storeBusy) { try context.save() }
    }
    try context.save()
    #expect(try context.fetch(all).map(\.pages).sorted() == [0, 5, 5, 5])
  }

  @Test func `an index, a view and a trigger can be made, and what is known of statements follows`() throws {
    let read: SQL = "SELECT title FROM shelf ORDER BY 1"
    try context.execute(sql: "CREATE VIEW shelf AS SELECT title FROM Book")
    context.insert(Book(title: "new"))
    #expect(try context.rows(sql: read, as: String.self) == ["a", "b", "c"])
    try context.save()
    try container.withDatabase { database in
      try database.execute(sql: "DROP VIEW shelf")
      try database.execute(sql: "CREATE VIEW shelf AS SELECT name AS title FROM Author")
    }
    #expect(try context.rows(sql: read, as: String.self) == ["Ann"])
    #expect(try context.execute(sql: "CREATE INDEX by_pages ON \(Book.self) (\(\Book.pages))") == 0)
    try context.execute(
      sql: "CREATE TRIGGER named AFTER INSERT ON Tag BEGIN UPDATE Book SET pages = 99; END")
    let book = author.books[0]
    try context.execute(sql: "INSERT INTO Tag (name) VALUES ('t')")
    #expect(book.pages == 99)
  }
}
