import Foundation
import Roost

/// Notes are declared otherwise: whatever an attribute may become by itself.
enum LogV2: VersionedSchema {
  static let models: [any PersistentModel.Type] = [Note.self, Person.self, Tag.self, Photo.self, Draft.self]
  static let versionIdentifier = Schema.Version(2, 0, 0)

  typealias Draft = LogV1.Draft

  enum Feeling: String, Codable {
    case still = "calm"
    case stormy = "🌊 wild"
    case none
  }

  struct Spot: Codable, Equatable {
    var height: Double?
    var lon: Double
    var lat: Double
  }

  @Model final class Note {
    var isOpen = true
    var due: Date?
    var hint: String? = "ask"
    var token = UUID()
    var marks: [String] = ["new"]
    var body: String
    @Attribute(originalName: "title") var headline: String
    var since: Int
    var alias: String?
    var summary: String = "none"
    var language: String
    var stars: Int
    var byte: Int16
    var ratio: Double
    var steps: Double
    var level: Int
    var mood: Feeling
    var place: Spot
    var author: Person?
    var tags: [Tag] = []

    init(_ row: LogRows.Note) {
      (since, headline, body, alias, language) = (row.since, row.title, row.body, row.alias, "en")
      summary = row.summary ?? "none"
      (stars, byte) = (row.since < 2 ? Int(Int32(clamping: row.stars)) : row.stars, Int16(row.byte))
      (ratio, steps, level) = (Double(row.ratio), Double(row.steps), row.level)
      mood = Feeling(rawValue: row.mood) ?? .none
      place = Spot(height: row.since < 2 ? nil : 1.25, lon: row.lon, lat: row.lat.isFinite ? row.lat : 0)
      if row.since < 2 { return }
      (isOpen, due, hint) = (false, Date(timeIntervalSince1970: -1_234_567_890.125), "tell")
      marks = ["🪺", "", "\"\u{0}"]
    }
  }

  @Model final class Person {
    var since: Int
    var first: String
    var last: String
    var street: String?
    var city: String?
    var born: Date
    var fee: Decimal
    var rating: Double
    var big: Int
    var code = UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 255))
    @Relationship(inverse: \Note.author) var notes: [Note] = []

    init(_ row: LogRows.Person) {
      (since, first, last, street, city) = (row.since, row.first, row.last, row.street, row.city)
      (born, fee, rating, big) = (row.born, row.fee, row.rating, row.big)
    }
  }

  @Model final class Tag {
    var since: Int
    var name: String
    var parent: Tag?
    @Relationship(inverse: \Note.tags) var notes: [Note] = []

    init(_ row: LogRows.Tag) { (since, name) = (row.since, row.name) }
  }

  @Model final class Photo {
    var since: Int
    var bytes: Data
    @Attribute(.externalStorage) var scan: Data
    var link = URL(string: "https://example.org/%F0%9F%90%A6?a=b#c")
    var note: Note?

    init(_ row: LogRows.Photo) { (since, bytes, scan) = (row.since, row.bytes, row.scan) }
  }

  static func fill(_ context: ModelContext) throws {
    for rows in LogRows.through(2) {
      let notes = rows.notes.map(Note.init), tags = rows.tags.map(Tag.init)
      notes.forEach(context.insert)
      tags.forEach(context.insert)
      for (note, row) in zip(notes, rows.notes) { note.tags = row.tags.map { tags[$0] } }
      for (tag, row) in zip(tags, rows.tags) { tag.parent = row.parent.map { tags[$0] } }
      for row in rows.people {
        let person = Person(row)
        context.insert(person)
        person.notes = row.notes.map { notes[$0] }
      }
      for row in rows.photos {
        let photo = Photo(row)
        context.insert(photo)
        photo.note = row.note.map { notes[$0] }
      }
      for text in rows.drafts { context.insert(Draft(since: rows.since, text: text)) }
    }
  }
}
