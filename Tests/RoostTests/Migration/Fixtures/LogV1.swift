import Foundation
import Roost

/// The first release of a logbook.
enum LogV1: VersionedSchema {
  static let models: [any PersistentModel.Type] = [Note.self, Person.self, Tag.self, Photo.self, Draft.self]
  static let versionIdentifier = Schema.Version(1, 0, 0)

  enum Level: Int, Codable { case low = -1, middle = 0, high = 9 }

  enum Mood: String, Codable {
    case calm
    case wild = "🌊 wild"
  }

  struct Place: Codable, Equatable {
    var lat: Double
    var lon: Double
    var hint: String?
  }

  @Model final class Note {
    var since: Int
    var title: String
    var body: String
    var alias: String
    var summary: String?
    var language: String?
    var stars: Int32
    var byte: UInt8
    var ratio: Float
    var steps: Int32
    var level: Level
    var mood: Mood
    var place: Place
    var author: Person?
    var tags: [Tag] = []

    init(_ row: LogRows.Note) {
      (since, title, body, alias, summary) = (row.since, row.title, row.body, row.alias ?? "", row.summary)
      (language, stars, byte) = ("en", Int32(clamping: row.stars), row.byte)
      (ratio, steps, level) = (row.ratio, row.steps, Level(rawValue: row.level) ?? .middle)
      mood = Mood(rawValue: row.mood) ?? .calm
      place = Place(lat: row.lat.isFinite ? row.lat : 0, lon: row.lon, hint: row.title)
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

  @Model final class Draft {
    var since: Int
    var text: String

    init(since: Int, text: String) { (self.since, self.text) = (since, text) }
  }

  static func fill(_ context: ModelContext) throws {
    for rows in LogRows.through(1) {
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
