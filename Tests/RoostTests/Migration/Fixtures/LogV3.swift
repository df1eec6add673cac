import Foundation
import Roost

/// Stars are a text, a place is two numbers, a person has one name, and no two tags have the same.
enum LogV3: VersionedSchema {
  static let models: [any PersistentModel.Type] = [Note.self, Person.self, Tag.self, Photo.self, Draft.self]
  static let versionIdentifier = Schema.Version(3, 0, 0)

  typealias Draft = LogV1.Draft

  @Model final class Note {
    var since: Int
    @Attribute(originalName: "title") var headline: String
    var body: String
    var isOpen = true
    var due: Date?
    var token = UUID()
    var marks: [String] = ["new"]
    var alias: String?
    var summary: String = "none"
    var language: String
    var rating: String
    var byte: Int16
    var ratio: Double
    var steps: Double
    var level: Int
    var mood: LogV2.Feeling
    var lat: Double
    var lon: Double
    var letters: Int
    var author: Person?
    var tags: [Tag] = []

    init(_ row: LogRows.Note) {
      let old = LogV2.Note(row)
      (since, body, alias, language, summary) = (row.since, row.body, row.alias, old.language, old.summary)
      headline = row.title.isEmpty && row.since < 3 ? "Untitled" : row.title
      (isOpen, due, marks) = (old.isOpen, old.due, old.marks)
      (rating, byte, ratio, steps) = ("\(old.stars) of 5", old.byte, old.ratio, old.steps)
      (level, mood, letters) = (old.level, old.mood, row.since < 3 ? row.body.count : -1)
      // What was JSON has no infinity.
      (lat, lon) = (row.since < 3 ? old.place.lat : row.lat, row.lon)
    }
  }

  @Model final class Person {
    var since: Int
    var name: String
    var street: String?
    var city: String?
    var born: Date
    var fee: Decimal
    var rating: Double
    var big: Int
    var code = UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 255))
    @Relationship(inverse: \Note.author) var notes: [Note] = []

    init(_ row: LogRows.Person) {
      (since, street, city) = (row.since, row.street, row.city)
      name = row.since < 3 && row.first + row.last == "" ? "Anonymous" : "\(row.first) \(row.last)"
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
    for rows in LogRows.through(3) {
      let notes = rows.notes.map(Note.init)
      notes.forEach(context.insert)
      let tags = try LogTags.insert(rows, context) { Tag($0.tag($1)) }
      for (note, row) in zip(notes, rows.notes) { note.tags = rows.keptTags(row).map { tags[$0] } }
      for (index, row) in rows.tags.enumerated() where rows.kept(index) == index {
        tags[index].parent = row.parent.map { tags[rows.kept($0)] }
      }
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
