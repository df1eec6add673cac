import EncryptionSupport
import Foundation
import Roost
import RoostCore
import Testing

@testable import RoostCommand

@Suite(.plainFiles) struct SchemaCommandTests {
  private let fixture: Fixture

  init() throws { fixture = try Fixture() }

  @Test func `schema prints models as source might have them`() throws {
    try fixture.make(Wide.Note.self, Wide.Car.self) { context in
      context.insert(Wide.Note("a"))
      context.insert(Wide.Car(plate: "x"))
      context.insert(Wide.Vehicle(wheels: 2))
    }
    #expect(
      Run("schema", fixture.store.path, "--counts").output == #"""
        // notes.store: 5 models, version 1.0.0

        @Model class Car: Vehicle {  // 1 row
          @Attribute(.unique) var plate: String
        }

        @Model class Note {  // 1 row
          #Unique<Note>([\.title, \.date])
          #Index<Note>([\.date], [\.state, \.minutes])
          @Attribute(.unique) var key: UUID
          @Attribute(.fullText, originalName: "headline") var title: String
          var date: Date
          var minutes: Int = …
          var small: UInt8?
          var state: String  // raw values
          var place: JSON?  // city: String, zip: Int?
          var price: Decimal = …
          @Attribute(.externalStorage) var image: Data?
          @Relationship(deleteRule: .cascade, inverse: \Part.note) var parts: [Part]
          @Relationship(inverse: \Tag.notes) var tags: [Tag]  // table Note_tags
          var cover: Part?
          var id: UUID = …
        }

        @Model class Part {  // 0 rows
          var name: String
          @Relationship(inverse: \Note.parts) var note: Note?
        }

        @Model class Tag {  // 0 rows
          #Unique<Tag>([\.place.city])
          var place: JSON  // city: String, zip: Int?
          @Relationship(inverse: \Note.tags) var notes: [Note]  // table Note_tags
        }

        @Model class Vehicle {  // 2 rows
          var wheels: Int
        }
        """#)
  }

  @Test func `what schema prints as JSON is a schema that the store has`() throws {
    try fixture.make(Wide.Note.self, Wide.Car.self)
    let run = Run("schema", fixture.store.path, "--json")
    let json = fixture.file("schema.json")
    try Data(run.output.utf8).write(to: json)
    #expect(Run("diff", fixture.store.path, json.path) == Run("diff", json.path, fixture.store.path))
    #expect(Run("diff", fixture.store.path, json.path).code == 0)
    #expect(
      Run("check", fixture.store.path, "--against", json.path).output.hasPrefix("A program with this schema opens"))
    let schema = try Schema.load(from: json)
    let title = try #require(schema.entitiesByName["Note"]?.attributesByName["title"])
    #expect(title.valueType == String.self && title.originalName == "headline")
    #expect(schema.entitiesByName["Car"]?.superentity?.name == "Vehicle")
    #expect(schema.entitiesByName["Note"]?.relationshipsByName["tags"]?.inverseName == "notes")
  }

  @Test func `a schema that a program saves is that of its stores`() throws {
    try fixture.make(Wide.Note.self, Wide.Car.self)
    let json = try fixture.save(Wide.Note.self, Wide.Car.self, as: "schema.json")
    #expect(Run("diff", fixture.store.path, json) == Run("diff", json, fixture.store.path))
    #expect(Run("diff", fixture.store.path, json).code == 0)
    // Loaded and saved, it stays so.
    try Schema.load(from: URL(filePath: json)).save(to: fixture.file("again.json"))
    #expect(try Data(contentsOf: fixture.file("again.json")) == Data(contentsOf: URL(filePath: json)))
  }

  @Test func `a schema of the form before 1.1 is read, and check says what it lacks`() throws {
    try fixture.make(V1.Task.self)
    let json = try fixture.save(V1.Task.self, as: "old.json")
    let data = try Data(contentsOf: URL(filePath: json))
    var object = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
    object["store"] = nil
    object["encodingVersion"] = ["major": 1, "minor": 0, "patch": 0]
    try JSONSerialization.data(withJSONObject: object).write(to: URL(filePath: json))
    let schema = try Schema.load(from: URL(filePath: json))
    #expect(schema.entities.map(\.name).sorted() == ["Tag", "Task"])
    let run = Run("check", fixture.store.path, "--against", json)
    #expect(run.code == 2 && run.complaint.contains("an older Roost wrote it"))
  }

  @Test func `diff prints a line a difference`() throws {
    try fixture.make(V1.Task.self)
    let json = try fixture.save(Smaller.Task.self, Inferred.Draft.self, as: "new.json")
    let run = Run("diff", fixture.store.path, json)
    #expect(run == Run("diff", fixture.store.path, json))
    #expect(run.code == 1)
    #expect(run.output == "Draft: added\nTask.note: removed")
    #expect(Run("diff", json, fixture.store.path).output == "Draft: removed\nTask.note: added")
  }
}
