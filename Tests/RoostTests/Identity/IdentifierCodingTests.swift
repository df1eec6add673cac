import Foundation
import Roost
import Testing

/// Identifiers are encoded as SwiftData's are, which libraries read.
@Suite struct IdentifierCodingTests {
  private func encode(_ identifier: PersistentIdentifier) throws -> [String: Any] {
    let json = try JSONSerialization.jsonObject(with: JSONEncoder().encode(identifier)) as? [String: Any]
    #expect(json?.count == 1)
    return try #require(json?["implementation"] as? [String: Any])
  }

  private func again(_ identifier: PersistentIdentifier) throws -> PersistentIdentifier {
    try JSONDecoder().decode(PersistentIdentifier.self, from: JSONEncoder().encode(identifier))
  }

  private func decode(_ text: String) throws -> PersistentIdentifier {
    try JSONDecoder().decode(PersistentIdentifier.self, from: Data(text.utf8))
  }

  @Test func `a row's identifier has its parts under SwiftData's names`() throws {
    let context = try makeLibrary()
    let tag = Tag(name: "birds")
    context.insert(tag)
    try context.save()
    let identifier = tag.persistentModelID
    let store = try #require(identifier.storeIdentifier)
    let parts = try encode(identifier)
    #expect(parts["primaryKey"] as? String == "p1")
    #expect(parts["uriRepresentation"] as? String == "x-coredata://\(store)/Tag/p1")
    #expect(parts["isTemporary"] as? Bool == false)
    #expect(parts["storeIdentifier"] as? String == store)
    #expect(parts["entityName"] as? String == "Tag")
    #expect(parts.count == 5)
    let copy = try again(identifier)
    #expect(copy == identifier && copy.hashValue == identifier.hashValue)
    #expect(context.model(for: copy) === tag)
    let list = try PropertyListDecoder().decode(
      [PersistentIdentifier].self, from: PropertyListEncoder().encode([identifier]))
    #expect(list == [identifier])
  }

  @Test func `a temporary identifier says so, and comes back`() throws {
    let context = try makeLibrary()
    let tag = Tag(name: "birds")
    context.insert(tag)
    let identifier = tag.persistentModelID
    let parts = try encode(identifier)
    let key = try #require(parts["primaryKey"] as? String)
    #expect(key.first == "t" && Int64(key.dropFirst()) != nil)
    #expect(parts["uriRepresentation"] as? String == "x-coredata:///Tag/\(key)")
    #expect(parts["isTemporary"] as? Bool == true && parts["storeIdentifier"] == nil)
    let copy = try again(identifier)
    #expect(copy == identifier && copy.isTemporary)
    #expect(context.model(for: copy) === tag)
  }

  @Test func `a temporary identifier with a row's key is of nobody`() throws {
    let context = try makeLibrary()
    let tag = Tag(name: "birds")
    context.insert(tag)
    try context.save()
    let odd = try decode(#"{"implementation": {"primaryKey": "t-1", "isTemporary": true, "entityName": "Tag"}}"#)
    let found: Tag? = context.registeredModel(for: odd)
    #expect(found == nil && context.model(for: odd) !== tag && odd != tag.persistentModelID)
    let same = #Predicate<Tag> { $0.persistentModelID == odd }
    #expect(try context.fetchCount(FetchDescriptor(predicate: same)) == 0 && !same.evaluate(tag))
  }

  @Test func `a custom store's key is read by others as it was given`() throws {
    func custom<Key: Comparable & CustomStringConvertible & Codable & Hashable>(_ key: Key) throws -> Any? {
      let identifier = try PersistentIdentifier.identifier(for: "a store/1", entityName: "Note", primaryKey: key)
      #expect(try again(identifier) == identifier)
      let parts = try encode(identifier)
      #expect(URL(string: parts["uriRepresentation"] as? String ?? "") != nil)
      return parts["primaryKey"]
    }
    #expect(try custom("abc-123") as? String == "abc-123")
    // As a row's key would be, and still another identifier.
    #expect(try custom("p12") as? String == "p12")
    #expect(
      try PersistentIdentifier.identifier(for: "s", entityName: "Note", primaryKey: "p12")
        != .identifier(for: "s", entityName: "Note", primaryKey: Int64(12)))
    #expect(try custom(12) as? Int == 12)
    #expect(try custom(1.5) as? Double == 1.5)
    let uuid = UUID()
    #expect(try custom(uuid) as? String == uuid.uuidString)
    for key in [0, 12, -12, Int64.min, .max] { #expect(try custom(key) as? String == "p\(key)") }
  }

  @Test func `what Roost encoded at first is still read`() throws {
    let row = try PersistentIdentifier.identifier(for: "S", entityName: "Tag", primaryKey: Int64(7))
    #expect(try decode(#"{"entityName": "Tag", "storeIdentifier": "S", "key": 7}"#) == row)
    let custom = try PersistentIdentifier.identifier(for: "S", entityName: "Tag", primaryKey: "x")
    #expect(
      try decode(#"{"entityName": "Tag", "storeIdentifier": "S", "key": 0, "customKey": "[\"x\"]"}"#) == custom)
    #expect(try decode(#"{"entityName": "Tag", "key": -7}"#).isTemporary)
  }

  @Test func `what others wrote in SwiftData's form is read`() throws {
    let row = try PersistentIdentifier.identifier(for: "S", entityName: "Tag", primaryKey: Int64(7))
    #expect(
      try decode(
        """
        {"implementation": {"primaryKey": "p7", "uriRepresentation": "x-coredata:\\/\\/S\\/Tag\\/p7",
          "isTemporary": false, "storeIdentifier": "S", "entityName": "Tag", "typedPrimaryKey": "more"}}
        """) == row)
  }

  @Test(arguments: [
    ("{}", "implementation"), ("[]", "Dictionary"), (#"{"implementation": 1}"#, "implementation"),
    (#"{"implementation": {}}"#, "isTemporary"),
    (#"{"implementation": {"isTemporary": false}}"#, "primaryKey"),
    (#"{"implementation": {"isTemporary": false, "primaryKey": 7}}"#, "primaryKey"),
    (#"{"implementation": {"isTemporary": false, "primaryKey": "7"}}"#, "such as p12"),
    (#"{"implementation": {"isTemporary": false, "primaryKey": ""}}"#, "such as p12"),
    (#"{"implementation": {"isTemporary": false, "primaryKey": "p99999999999999999999"}}"#, "such as p12"),
    (#"{"implementation": {"isTemporary": true, "primaryKey": "p12", "entityName": "Tag"}}"#, "such as t12"),
    (#"{"implementation": {"isTemporary": true, "primaryKey": "t9223372036854775809"}}"#, "such as t12"),
    (#"{"implementation": {"isTemporary": false, "primaryKey": "p1", "entityName": "Tag"}}"#, "storeIdentifier"),
    (#"{"implementation": {"isTemporary": false, "primaryKey": "p1", "storeIdentifier": "S"}}"#, "entityName"),
    (#"{"implementation": {"isTemporary": false, "customKey": 1}}"#, "customKey"),
    (#"{"key": 1}"#, "entityName"), (#"{"key": "1", "entityName": "Tag"}"#, "key"),
  ])
  func `what is no identifier is an error that says what is wrong`(text: String, part: String) throws {
    let error = try #require(throws: DecodingError.self) { try decode(text) }
    #expect("\(error)".contains(part))
  }

  @Test func `the keys at both ends come back`() throws {
    for key in ["t9223372036854775808", "t1", "t-5"] {
      let identifier = try decode(
        #"{"implementation": {"isTemporary": true, "primaryKey": "\#(key)", "entityName": "Tag"}}"#)
      #expect(try encode(identifier)["primaryKey"] as? String == key)
      #expect(try again(identifier) == identifier)
    }
  }
}
