import Foundation
import Roost

/// Tags are in capitals, and counted; marks are gone.
enum LogV7: VersionedSchema {
  static let models: [any PersistentModel.Type] = [
    Item.self, Entry.self, Report.self, Shelf.self, Person.self, Tag.self, Photo.self, Address.self,
    Tally.self,
  ]
  static let versionIdentifier = Schema.Version(7, 0, 0)

  @Model class Item {
    #Index<Item>([\.headline])
    var since: Int
    var headline: String
    var shelf: Shelf?

    init(since: Int, headline: String) { (self.since, self.headline) = (since, headline) }
  }

  @Model class Entry: Item {
    #Index<Entry>([\.rating], [\.lat, \.lon])
    #FullText<Entry>([\.body])
    var body: String
    var isOpen = true
    var due: Date?
    var token = UUID()
    var alias: String?
    var summary: String = "none"
    var language: String
    var rating: String
    var lat: Double
    var lon: Double
    var words: Int
    var author: Person?
    var tags: [Tag] = []
    @Relationship(deleteRule: .cascade, inverse: \Photo.entry) var photos: [Photo] = []

    init(_ row: LogRows.Note) {
      let old = LogV5.Entry(row)
      (body, alias, summary, language) = (row.body, row.alias, old.summary, old.language)
      (isOpen, due) = (old.isOpen, old.due)
      (rating, lat, lon, words) = (old.rating, old.lat, old.lon, old.words)
      super.init(since: row.since, headline: old.headline)
    }
  }

  @Model final class Report: Entry {
    var pages: Int
    var grade: String

    init(_ row: LogRows.Note, pages: Int, grade: String) {
      (self.pages, self.grade) = (pages, grade)
      super.init(row)
    }
  }

  @Model final class Shelf {
    var since: Int
    var name: String
    @Relationship(inverse: \Item.shelf) var items: [Item] = []

    init(since: Int, name: String) { (self.since, self.name) = (since, name) }
  }

  @Model final class Person {
    var since: Int
    var name: String
    var born: Date
    var fee: Decimal
    var rating: Double
    var big: Int
    var code = UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 255))
    var address: Address?
    @Relationship(inverse: \Entry.author) var entries: [Entry] = []

    init(_ row: LogRows.Person) {
      (since, name) = (row.since, LogV3.Person(row).name)
      (born, fee, rating, big) = (row.born, row.fee, row.rating, row.big)
    }
  }

  @Model final class Address {
    var street: String?
    var city: String?
    var country = "NO"
    @Relationship(deleteRule: .deny, inverse: \Person.address) var people: [Person] = []

    init(_ row: LogRows.Person) { (street, city) = (row.street, row.city) }
  }

  @Model final class Tag {
    var since: Int
    @Attribute(.unique) var name: String
    var parent: Tag?
    @Relationship(deleteRule: .deny, inverse: \Tag.parent) var children: [Tag] = []
    @Relationship(inverse: \Entry.tags) var entries: [Entry] = []

    init(_ row: LogRows.Tag) { (since, name) = (row.since, row.since < 7 ? row.name.uppercased() : row.name) }
  }

  @Model final class Tally {
    var since: Int
    var name: String
    var length: Int

    init(of tag: Tag) { (since, name, length) = (tag.since, tag.name, tag.name.utf8.count) }
  }

  @Model final class Photo {
    var since: Int
    @Attribute(.externalStorage) var bytes: Data
    var scan: Data
    var link = URL(string: "https://example.org/%F0%9F%90%A6?a=b#c")
    var entry: Entry?

    init(_ row: LogRows.Photo) { (since, bytes, scan) = (row.since, row.bytes, row.scan) }
  }
}
