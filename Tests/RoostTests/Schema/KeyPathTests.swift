import RoostCore
import Testing

@Suite("Key paths of a schema")
struct KeyPathTests {
  /// Kept because an entity does not keep those that it refers to.
  private let info: SchemaInfo
  private let book: EntityInfo

  init() throws {
    info = try SchemaInfo([Library.Book.self])
    book = try #require(info.entity(for: Library.Book.self))
  }

  private func names(_ keyPath: AnyKeyPath) -> [String]? { book.path(for: keyPath)?.map(\.name) }

  @Test("A property's own key path is found")
  func own() {
    #expect(names(\Library.Book.title) == ["title"])
    #expect(book.property(for: \Library.Book.author)?.index == 2)
  }

  @Test("A key path through relationships is found, and found again")
  func deep() {
    for _ in 0..<2 {
      #expect(names(\Library.Book.author?.name) == ["author", "name"])
      #expect(names(\Library.Book.author?.publisher) == ["author", "publisher"])
      #expect(names(\Library.Book.author?.publisher?.city) == ["author", "publisher", "city"])
    }
  }

  @Test("A key path through a required relationship is found")
  func required() throws {
    let publisher = try #require(info.entity(for: Library.Publisher.self))
    #expect(publisher.path(for: \Library.Publisher.founder.name)?.map(\.name) == ["founder", "name"])
  }

  @Test("Computed properties and other models' key paths are not found")
  func unknown() {
    #expect(names(\Library.Book.title.count) == nil)
    #expect(names(\Library.Book.author?.publisher?.founder.name.count) == nil)
    #expect(names(\Library.Tag.name) == nil)
    #expect(names(\Library.Book.author?.name.count) == nil)
  }
}
