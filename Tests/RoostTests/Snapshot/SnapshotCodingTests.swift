import Foundation
import Roost
import Testing

@Suite struct SnapshotCodingTests {
  private func json(_ snapshot: ModelSnapshot<Book>) throws -> [String: Any] {
    let encoder = JSONEncoder()
    encoder.dateEncodingStrategy = .iso8601
    return try #require(try JSONSerialization.jsonObject(with: encoder.encode(snapshot)) as? [String: Any])
  }

  private func decode(_ object: [String: Any]) throws -> ModelSnapshot<Book> {
    let decoder = JSONDecoder()
    decoder.dateDecodingStrategy = .iso8601
    return try decoder.decode(ModelSnapshot.self, from: JSONSerialization.data(withJSONObject: object))
  }

  @Test func `each property is encoded under its name, in its type's own way`() throws {
    let book = Book(title: "T", author: Author(name: "A"))
    book.published = Date(timeIntervalSince1970: 0)
    let object = try json(book.snapshot())
    #expect(object.keys.sorted() == ["author", "genre", "pages", "persistentModelID", "published", "tags", "title"])
    #expect(object["title"] as? String == "T")
    #expect(object["genre"] as? String == "fiction")
    #expect(object["published"] as? String == "1970-01-01T00:00:00Z")
    #expect(try decode(object) == book.snapshot())
  }

  @Test func `what is optional may be missing, and what is unknown is passed over`() throws {
    var object = try json(Book(title: "T").snapshot())
    #expect(object["published"] == nil)
    object["color"] = "red"
    #expect(try decode(object).published == nil)
    #expect(try decode(object).author == nil)
  }

  @Test(arguments: ["title", "tags", "persistentModelID"])
  func `a missing property is named`(_ name: String) throws {
    var object = try json(Book(title: "T").snapshot())
    object[name] = nil
    let error = #expect(throws: DecodingError.self) { try decode(object) }
    guard case .keyNotFound(let key, _) = error else { throw error ?? CancellationError() }
    #expect(key.stringValue == name)
  }

  @Test(arguments: ["title", "published", "author", "tags"])
  func `a value of another type is named`(_ name: String) throws {
    var object = try json(Book(title: "T").snapshot())
    object[name] = true
    let error = #expect(throws: DecodingError.self) { try decode(object) }
    let path: [any CodingKey]? =
      switch error {
      case .typeMismatch(_, let context), .dataCorrupted(let context): context.codingPath
      default: nil
      }
    #expect(path?.first?.stringValue == name)
  }
}
