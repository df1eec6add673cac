import Foundation
import RoostCore
import Testing

@Suite("Schema info")
struct SchemaInfoTests {
  private let library: SchemaInfo

  init() throws { library = try SchemaInfo([Library.Book.self]) }

  private func property(_ entity: String, _ name: String) throws -> PropertyInfo {
    try #require(library.entity(named: entity)?.property(named: name))
  }

  @Test("Types that relationships refer to are in the schema without being named")
  func relatedTypes() {
    #expect(library.entities.map(\.name) == ["Book", "Author", "Tag", "Publisher", "Person"])
    #expect(library.entities.map(\.ordinal) == [0, 1, 2, 3, 4])
  }

  @Test("Entities are found by type and by name")
  func lookup() {
    #expect(library.entity(for: Library.Tag.self) === library.entity(named: "Tag"))
    #expect(library.entity(for: Elsewhere.Tag.self) == nil)
    #expect(library.entity(named: "tag") == nil)
  }

  @Test("Properties keep the order of their declaration, and their columns their names")
  func properties() throws {
    let book = try #require(library.entity(for: Library.Book.self))
    #expect(book.properties.map(\.name) == ["title", "pages", "author", "tags"])
    #expect(book.properties.map(\.column) == ["title", "pages", "author", nil])
    #expect(book.properties.map(\.isOptional) == [false, true, true, false])
    #expect(book.table == "Book")
  }

  @Test("What @Attribute and @Relationship were given is known")
  func options() throws {
    let name = try property("Author", "name")
    #expect(name.isUnique)
    #expect(name.originalName == "fullName")
    #expect(name.defaultValue as? String == "nobody")
    let books = try #require(try property("Author", "books").relationship)
    #expect(books.deleteRule == .cascade)
    #expect(books.minimumCount == 1)
    #expect(books.maximumCount == 9)
    let author = try #require(try property("Book", "author").relationship)
    #expect(author.minimumCount == nil)
    #expect(author.maximumCount == nil)
  }

  @Test("Uniqueness and indexes name properties by their places")
  func constraints() throws {
    #expect(library.entity(named: "Author")?.uniqueness.map { $0.map(\.property) } == [[0]])
    #expect(library.entity(named: "Book")?.uniqueness.map { $0.map(\.property) } == [[0, 2]])
    #expect(library.entity(named: "Book")?.indices.map { $0.map(\.property) } == [[1], [0, 1]])
  }

  @Test("A relationship to many models cannot be unique")
  func uniqueList() throws {
    let error = try #require(#expect(throws: SwiftDataError.self) { try SchemaInfo([UniqueList.self]) })
    #expect(error == .invalidSchema && error.model == "UniqueList" && error.property == "books")
  }

  @Test("To-many relationships with a to-one inverse are kept in the inverse's column")
  func toManyStorage() throws {
    #expect(try property("Book", "author").relationship?.storage == .column("author"))
    #expect(try property("Author", "books").relationship?.storage == .inverseColumn("author"))
  }

  @Test("Both sides of a many-to-many relationship share one table, whatever order the types come in")
  func joinTables() throws {
    for types in [[Library.Book.self, Library.Tag.self], [Library.Tag.self, Library.Book.self]]
      as [[any PersistentModel.Type]]
    {
      let info = try SchemaInfo(types)
      let tags = info.entity(named: "Book")?.property(named: "tags")?.relationship
      let books = info.entity(named: "Tag")?.property(named: "books")?.relationship
      #expect(tags?.storage == .joinTable("Book_tags", own: "Book", other: "tags"))
      #expect(books?.storage == .joinTable("Book_tags", own: "tags", other: "Book"))
      #expect(info.joinTables.map(\.name) == ["Book_tags"])
    }
  }
}
