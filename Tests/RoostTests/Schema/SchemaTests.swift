import Foundation
import RoostCore
import Testing

@Suite("Schema")
struct SchemaTests {
  @Test("A schema made of types describes them")
  func description() throws {
    let schema = Schema([Library.Book.self], version: Schema.Version(2, 1, 0))
    #expect(schema.version == Schema.Version(2, 1, 0))
    let author = try #require(schema.entity(for: Library.Author.self))
    #expect(author.name == "Author")
    #expect(author.attributesByName["name"]?.isUnique == true)
    #expect(author.attributesByName["name"]?.originalName == "fullName")
    #expect(author.attributesByName["name"]?.defaultValue as? String == "nobody")
    let books = try #require(author.relationshipsByName["books"])
    #expect(books.destination == "Book")
    #expect(books.inverseName == "author")
    #expect(books.inverseKeyPath == \Library.Book.author)
    #expect(books.deleteRule == .cascade)
    #expect(!books.isToOneRelationship)
    let book = try #require(schema.entitiesByName["Book"])
    #expect(book.uniquenessConstraints == [["title", "author"]])
    #expect(book.indices == [["pages"], ["title", "pages"]])
    #expect(book.attributesByName["pages"]?.isOptional == true)
    #expect(book.storedProperties.map(\.name) == ["title", "pages", "author", "tags"])
  }

  @Test("Options that say nothing about the file are kept in the schema")
  func options() throws {
    let name = try #require(Schema(Optioned.self).entitiesByName["Optioned"]?.attributesByName["name"])
    #expect(name.options == [.spotlight, .allowsCloudEncryption, .preserveValueOnDeletion] && name.hashModifier == "2")
  }

  @Test("A schema keeps all it describes when it is saved to a file and loaded")
  func file() throws {
    let url = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID().uuidString).json")
    defer { try? FileManager.default.removeItem(at: url) }
    for types in [[Library.Book.self], [Own.Folder.self, OneWay.Item.self], [Optioned.self]]
      as [[any PersistentModel.Type]]
    {
      let schema = Schema(types)
      try schema.save(to: url)
      let loaded = try Schema.load(from: url)
      #expect(loaded == schema)
      #expect(loaded.hashValue == schema.hashValue)
      #expect(loaded.debugDescription == schema.debugDescription)
    }
    try Schema(Library.Author.self).save(to: url)
    let author = try Schema.load(from: url).entitiesByName["Author"]
    #expect(author?.attributesByName["name"]?.valueType == String.self)
    #expect(author?.attributesByName["name"]?.defaultValue as? String == "nobody")
  }

  /// A type of the program that no schema has.
  private struct Unnamed {}

  @Test("A file that holds no type's name, or one of no schema's type, gives an attribute of unknown type, not a crash")
  func foreignTypes() throws {
    let unnamed = try #require(_mangledTypeName(Unnamed.self))
    for name in ["4Gone4TypeV", "\u{1}\u{2}\u{3}\u{4}\u{5}", "", "é", unnamed] {
      let schema = Schema(Schema.Entity("Note", properties: Schema.Attribute(name: "a", valueType: Int.self)))
      let text = String(decoding: try JSONEncoder().encode(schema), as: UTF8.self)
      let escaped = String(decoding: try JSONEncoder().encode(name), as: UTF8.self)
      let changed = text.replacingOccurrences(of: "\"mangled\":\"Si\"", with: "\"mangled\":\(escaped)")
      #expect(changed != text)
      let decoded = try JSONDecoder().decode(Schema.self, from: Data(changed.utf8))
      #expect(decoded == schema)
      #expect(decoded.entities[0].attributesByName["a"]?.valueType == Any.self)
    }
  }

  @Test("Schemas differ when a version, a property or an option does")
  func equality() {
    let schema = Schema(Library.Book.self)
    #expect(schema == Schema([Library.Tag.self, Library.Book.self]))
    #expect(schema != Schema([Library.Book.self], version: Schema.Version(1, 0, 1)))
    let note = { (options: [Schema.Attribute.Option]) in
      let title = Schema.Attribute(name: "title", options: options, valueType: String.self)
      return Schema(Schema.Entity("Note", properties: title))
    }
    #expect(note([]) == note([]))
    #expect(note([]) != note([.unique]))
  }

  @Test("Types that contradict each other are reported when the schema is used, not by a crash")
  func contradiction() {
    let schema = Schema(Ambiguous.City.self)
    #expect(schema.entities.count == 2)
    #expect(throws: SwiftDataError.invalidSchema) { try schema.info() }
    #expect(throws: SwiftDataError.invalidSchema) { try Schema(Schema.Entity("Note")).info() }
  }

  @Test("Versions are ordered by number")
  func versions() throws {
    #expect(Schema.Version(1, 10, 0) > Schema.Version(1, 9, 9))
    #expect(Schema.Version(2, 0, 0) > Schema.Version(1, 99, 99))
    #expect(Schema.Version(1, 2, 3).description == "1.2.3")
    let data = try JSONEncoder().encode(Schema.Version(1, 2, 3))
    #expect(try JSONDecoder().decode(Schema.Version.self, from: data) == Schema.Version(1, 2, 3))
  }

  @Test("Constraints and indexes are written by property name and read back")
  func constraints() throws {
    let unique = Schema.Unique<Library.Book>([\.title, \.author], [\.pages])
    let index = Schema.Index<Library.Book>(.binary([\.title]), .rtree([\.pages]))
    #expect(unique.debugDescription == "#Unique<Book>([\\.title, \\.author], [\\.pages])")
    #expect(index.debugDescription == "#Index<Book>([\\.title], .rtree([\\.pages]))")
    #expect(try roundTrip(unique) == unique)
    #expect(try roundTrip(index) == index)
    #expect(throws: EncodingError.self) { try roundTrip(Schema.Unique<Library.Book>([\.title.count])) }
  }

  @Test("A relationship without inverse is told from one whose inverse is to be inferred")
  func explicitNil() {
    #expect(!Schema.Relationship(deleteRule: .cascade).isUnidirectional)
    #expect(Schema.Relationship(deleteRule: .cascade, inverse: nil).isUnidirectional)
    #expect(!Schema.Relationship(inverse: \Library.Book.author).isUnidirectional)
  }

  @Test("An entity's properties may be replaced by kind")
  func editing() {
    let entity = Schema.Entity("Note", properties: Schema.Attribute(name: "a", valueType: Int.self))
    entity.relationships = [Schema.Relationship()]
    entity.attributes = [
      Schema.Attribute(name: "b", valueType: Int.self), Schema.Attribute(name: "a", valueType: Int?.self),
    ]
    #expect(entity.storedProperties.map(\.name) == ["a", "", "b"])
    #expect(entity.attributesByName["a"]?.isOptional == true)
  }

  private func roundTrip<Value: Codable>(_ value: Value) throws -> Value {
    try JSONDecoder().decode(Value.self, from: JSONEncoder().encode(value))
  }
}
