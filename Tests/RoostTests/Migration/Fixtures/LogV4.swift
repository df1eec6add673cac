import Foundation
import Roost

/// Notes are called entries and may have several authors; what refers to what is declared otherwise.
enum LogV4: VersionedSchema {
  static let models: [any PersistentModel.Type] = [Entry.self, Person.self, Tag.self, Photo.self, Draft.self]
  static let versionIdentifier = Schema.Version(4, 0, 0)

  typealias Draft = LogV1.Draft

  @Model(originalName: "Note") final class Entry {
    #Index<Entry>([\.rating], [\.lat, \.lon])
    #FullText<Entry>([\.headline, \.body])
    var since: Int
    var headline: String
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
    @Relationship(originalName: "author") var authors: [Person] = []
    var tags: [Tag] = []
    @Relationship(deleteRule: .cascade, inverse: \Photo.entry) var photos: [Photo] = []

    init(_ row: LogRows.Note) {
      let old = LogV3.Note(row)
      (since, headline, body, alias) = (row.since, old.headline, row.body, row.alias)
      (summary, language) = (old.summary, old.language)
      (isOpen, due, marks) = (old.isOpen, old.due, old.marks)
      (rating, byte, ratio, steps) = (old.rating, old.byte, old.ratio, old.steps)
      (level, mood, lat, lon, letters) = (old.level, old.mood, old.lat, old.lon, old.letters)
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
    @Relationship(originalName: "notes", inverse: \Entry.authors) var entries: [Entry] = []

    init(_ row: LogRows.Person) {
      (since, name, street, city) = (row.since, LogV3.Person(row).name, row.street, row.city)
      (born, fee, rating, big) = (row.born, row.fee, row.rating, row.big)
    }
  }

  @Model final class Tag {
    var since: Int
    @Attribute(.unique) var name: String
    var parent: Tag?
    @Relationship(deleteRule: .deny, inverse: \Tag.parent) var children: [Tag] = []
    @Relationship(originalName: "notes", inverse: \Entry.tags) var entries: [Entry] = []

    init(_ row: LogRows.Tag) { (since, name) = (row.since, row.name) }
  }

  @Model final class Photo {
    var since: Int
    @Attribute(.externalStorage) var bytes: Data
    var scan: Data
    var link = URL(string: "https://example.org/%F0%9F%90%A6?a=b#c")
    @Relationship(originalName: "note") var entry: Entry?

    init(_ row: LogRows.Photo) { (since, bytes, scan) = (row.since, row.bytes, row.scan) }
  }

  static func fill(_ context: ModelContext) throws {
    for rows in LogRows.through(4) {
      let entries = rows.notes.map(Entry.init)
      entries.forEach(context.insert)
      let tags = try LogTags.insert(rows, context) { Tag($0.tag($1)) }
      for (entry, row) in zip(entries, rows.notes) { entry.tags = rows.keptTags(row).map { tags[$0] } }
      for (index, row) in rows.tags.enumerated() where rows.kept(index) == index {
        tags[index].parent = row.parent.map { tags[rows.kept($0)] }
      }
      for row in rows.people {
        let person = Person(row)
        context.insert(person)
        person.entries = row.notes.map { entries[$0] }
      }
      for row in rows.photos {
        let photo = Photo(row)
        context.insert(photo)
        photo.entry = row.note.map { entries[$0] }
      }
      for text in rows.drafts { context.insert(Draft(since: rows.since, text: text)) }
    }
  }
}
