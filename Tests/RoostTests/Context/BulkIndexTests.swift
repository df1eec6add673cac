import Foundation
import Roost
import RoostCore
import RoostEngine
import RoostMigration
import RoostQuery
import Testing

@Suite struct BulkIndexTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  @Test func `a small save keeps the indexes`() throws {
    try withContext { context in
      insertBooks(10, into: context)
      try context.save()
      #expect(try plainIndexes() == ["Book_author_index"])
    }
  }

  @Test func `the indexes of a table that a save fills are made for the first query that may use them`() throws {
    try withContext { context in
      insertBooks(1_500, into: context)
      try context.save()
      #expect(try plainIndexes() == [])
      #expect(try context.fetch(FetchDescriptor<Author>()).count == 1)
      #expect(try plainIndexes() == [])
      #expect(try context.fetchCount(FetchDescriptor<Book>()) == 1_500)
      #expect(try plainIndexes() == ["Book_author_index"])
    }
  }

  @Test func `a second load keeps the indexes that a query has had made`() throws {
    try withContext { context in
      insertBooks(1_500, into: context)
      try context.save()
      _ = try context.fetchCount(FetchDescriptor<Book>())
      insertBooks(1_500, into: context)
      try context.save()
      #expect(try plainIndexes() == ["Book_author_index"])
    }
  }

  @Test func `a deletion finds what refers to the row by an index`() throws {
    try withContext { context in
      insertBooks(1_500, into: context)
      try context.save()
      let author = try #require(try context.fetch(FetchDescriptor<Author>()).first)
      context.delete(author)
      try context.save()
      #expect(try plainIndexes() == ["Book_author_index"])
      #expect(try context.fetchCount(FetchDescriptor<Book>()) == 0)
    }
  }

  @Test func `the end of the container makes the missing indexes`() throws {
    try withContext { context in
      insertBooks(1_500, into: context)
      try context.save()
    }
    #expect(try plainIndexes() == ["Book_author_index"])
  }

  @Test func `closing the container makes the missing indexes`() throws {
    try withContext { context in
      insertBooks(1_500, into: context)
      try context.save()
      try context.container.close()
      #expect(try plainIndexes() == ["Book_author_index"])
    }
  }

  @Test func `indexes that are missing when a file is opened are made by the next query`() throws {
    try withContext {
      insertBooks(1, into: $0); try $0.save()
    }
    try Connection(ConnectionOptions(location: .file(path: folder.store.path))).execute("DROP INDEX Book_author_index")
    try withContext { context in
      #expect(try plainIndexes() == [])
      _ = try context.fetchCount(FetchDescriptor<Book>())
      #expect(try plainIndexes() == ["Book_author_index"])
    }
  }

  @Test func `a save that fails leaves the indexes in place`() throws {
    try withContext { context in
      insertBooks(1_500, into: context)
      context.insert(Tag(name: "a"))
      try context.save()
    }
    try withContext { context in
      let tags = try context.fetch(FetchDescriptor<Tag>())
      insertBooks(1_500, into: context)
      let twin = Tag(name: "b")
      context.insert(twin)
      try context.save()
      twin.name = tags[0].name
      #expect(throws: SwiftDataError.self) { try context.save() }
      #expect(try plainIndexes() == ["Book_author_index"])
    }
  }

  private func withContext(_ body: (ModelContext) throws -> Void) throws {
    let container = try ModelContainer(for: Author.self, configurations: ModelConfiguration(url: folder.store))
    try body(ModelContext(container))
  }

  private func insertBooks(_ count: Int, into context: ModelContext) {
    let author = Author(name: "Lack")
    context.insert(author)
    for number in 0..<count { context.insert(Book(title: "\(number)", author: author)) }
  }

  private func plainIndexes() throws -> [String] {
    let connection = try Connection(ConnectionOptions(location: .file(path: folder.store.path), mode: .readOnly))
    let statement = try connection.statement(
      "SELECT name FROM sqlite_schema WHERE type = 'index' AND tbl_name = 'Book' AND sql NOT LIKE '% WHERE %'")
    var names: [String] = []
    while try statement.step() { names.append(statement.string(0)) }
    return names
  }
}
