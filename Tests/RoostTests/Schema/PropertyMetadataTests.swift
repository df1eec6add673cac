import Foundation
import Roost
import Testing

/// Libraries look for a model's key paths in mirrors of its metadata, as SwiftData has no other way.
@Suite struct PropertyMetadataTests {
  private func parts(_ name: String, of model: any PersistentModel.Type) throws -> [String: Any] {
    let mirrors = model.schemaMetadata.map { Mirror(reflecting: $0) }
    let mirror = try #require(mirrors.first { $0.descendant("name") as? String == name })
    return Dictionary(
      mirror.children.map { ($0.label ?? "", $0.value) }, uniquingKeysWith: { first, _ in first })
  }

  @Test func `a mirror has SwiftData's parts`() throws {
    let pages = try parts("pages", of: Book.self)
    #expect(Set(pages.keys) == ["name", "keypath", "defaultValue", "metadata"])
    #expect(pages["keypath"] as? AnyKeyPath == \Book.pages)
    #expect(pages["keypath"] as? KeyPath<Book, Int> == \Book.pages)
    #expect(pages["defaultValue"] as? Int == 0)
    #expect(try parts("author", of: Book.self)["keypath"] as? ReferenceWritableKeyPath<Book, Author?> == \Book.author)
    #expect((try parts("name", of: Tag.self)["metadata"] as? Schema.Attribute)?.isUnique == true)
    #expect((try parts("books", of: Tag.self)["metadata"] as? Schema.Relationship)?.inverseKeyPath == \Book.tags)
    #expect(try parts("title", of: Book.self)["defaultValue"] as? String == nil)
  }

  @Test func `all properties are found, in their order`() {
    let found = Book.schemaMetadata.compactMap { metadata -> String? in
      let mirror = Mirror(reflecting: metadata)
      return mirror.descendant("keypath") is AnyKeyPath ? mirror.descendant("name") as? String : nil
    }
    #expect(found == ["title", "pages", "published", "genre", "author", "tags"])
  }
}
