package import Foundation
package import Roost

/// The models of a later program: a property is renamed, one is new, one is gone, some are not
/// synced, and there are more classes.
package enum LibraryV2: VersionedSchema {
  package static let versionIdentifier = Schema.Version(2, 0, 0)
  package static let models: [any PersistentModel.Type] = [
    Author.self, Book.self, Topic.self, Copy.self, LoanedCopy.self, SoldCopy.self, Reader.self,
    Picture.self, Chapter.self, Passport.self, Review.self, Box.self, Note.self, Badge.self, Card.self,
  ]

  @Model package final class Author {
    @Attribute(.unique) package var name: String
    package var born: Int?
    package var country: String? = "here"
    @Relationship(deleteRule: .cascade, inverse: \Book.author) package var books: [Book] = []
    @Relationship(inverse: \Topic.expert) package var subject: Topic?
    @Relationship(deleteRule: .cascade) package var portrait: Picture?
    @Relationship(deleteRule: .cascade, inverse: \Passport.owner) package var passport: Passport?
    @Relationship(deleteRule: .cascade, inverse: \Badge.holder) package var badge: Badge?

    package init(_ name: String) { self.name = name }
  }

  @Model package final class Book {
    package var title: String
    package var code: String
    @Attribute(.merge(.counter)) package var loans = 0
    @Attribute(.merge(.set)) package var marks: [String] = []
    @Attribute(.merge(.orderedList)) package var lines: [String] = []
    @Attribute(.merge(.max)) package var best = 0
    @Attribute(.localOnly) package var isOpen = false
    @Attribute(originalName: "price") package var cost: Double?
    package var cover: Data?
    @Attribute(.externalStorage) package var scan: Data?
    package var rating: Int?
    /// Which a book had to have before.
    package var stars: Int? = 1
    /// Which each device's migration computes otherwise.
    package var token = UUID().uuidString
    package var author: Author?
    @Relationship(inverse: \Topic.books) package var topics: [Topic] = []
    @Relationship(deleteRule: .deny, inverse: \Copy.book) package var copies: [Copy] = []
    @Relationship(deleteRule: .cascade, inverse: \Chapter.book) package var chapters: [Chapter] = []
    @Relationship(inverse: \Reader.favourite) package var readers: [Reader] = []

    package init(_ title: String, author: Author? = nil) {
      self.title = title
      code = title
      self.author = author
    }
  }

  /// One that is edited stays, whoever deletes it.
  @Model package final class Topic {
    package var name: String
    package var label: String?
    @Attribute(.merge(.custom)) package var notes = ""
    package var books: [Book] = []
    package var expert: Author?
    package var wider: Topic?
    @Relationship(inverse: \Topic.wider) package var narrower: [Topic] = []
    @Relationship(deleteRule: .cascade) package var pictures: [Picture] = []
    @Relationship(inverse: \Topic.citedBy) package var cites: [Topic] = []
    package var citedBy: [Topic] = []
    @Relationship(inverse: \Review.topic) package var reviews: [Review] = []

    package init(_ name: String) { self.name = name }
  }

  @Model package class Copy {
    #Unique<Copy>([\.book, \.shelf])
    package var shelf: String
    package var book: Book

    package init(_ shelf: String, of book: Book) {
      self.shelf = shelf
      self.book = book
    }
  }

  @Model package final class LoanedCopy: Copy {
    package var reader: String?

    package init(_ shelf: String, of book: Book, reader: String? = nil) {
      self.reader = reader
      super.init(shelf, of: book)
    }
  }

  @Model package final class SoldCopy: Copy {
    package var buyer: String

    package init(_ shelf: String, of book: Book, to buyer: String) {
      self.buyer = buyer
      super.init(shelf, of: book)
    }
  }

  @Model package final class Reader {
    package var name: String
    package var favourite: Book?

    package init(_ name: String, likes book: Book?) {
      self.name = name
      favourite = book
    }
  }

  @Model package final class Chapter {
    package var title: String
    package var book: Book

    package init(_ title: String, of book: Book) {
      self.title = title
      self.book = book
    }
  }

  /// Keeps its topic from being deleted, as it must have one.
  @Model package final class Review {
    package var text: String
    package var topic: Topic

    package init(_ text: String, of topic: Topic) {
      self.text = text
      self.topic = topic
    }
  }

  /// Keeps the box that it is in from being deleted, and goes with the one that it stands on.
  @Model package final class Box {
    package var name: String
    package var within: Box?
    @Relationship(deleteRule: .deny, inverse: \Box.within) package var contents: [Box] = []
    package var below: Box?
    @Relationship(deleteRule: .cascade, inverse: \Box.below) package var above: [Box] = []
    @Relationship(deleteRule: .deny) package var seals: [Picture] = []

    package init(_ name: String) { self.name = name }
  }

  /// Two of one name and number are the same one.
  @Model package final class Note {
    #Unique<Note>([\.heading, \.number])
    @Attribute(originalName: "title") package var heading: String
    package var number: Int
    @Attribute(.merge(.counter)) package var count = 0
    package var title: String?

    package init(_ heading: String, _ number: Int) { (self.heading, self.number) = (heading, number) }
  }

  @Model package final class Passport {
    package var number: String
    package var owner: Author?

    package init(_ number: String) { self.number = number }
  }

  /// Some of which is not synced before the next program.
  @Model package final class Card {
    package var name: String
    @Attribute(.localOnly) package var text: String?
    @Attribute(.localOnly, .merge(.counter)) package var visits = 0

    package init(_ name: String) { self.name = name }
  }

  /// An author has one at most, and it must have an author.
  @Model package final class Badge {
    package var name: String
    package var holder: Author

    package init(_ name: String, of holder: Author) { (self.name, self.holder) = (name, holder) }
  }

  /// Goes with the row that refers to it, and refers to none itself.
  @Model package final class Picture {
    package var name: String
    package var size: PictureSize
    package var tags: [String: Int] = [:]
    package var kind = PictureKind.photo
    @Attribute(.merge(.min)) package var lowest = 1_000

    package init(_ name: String, _ size: PictureSize) {
      self.name = name
      self.size = size
    }
  }
}
