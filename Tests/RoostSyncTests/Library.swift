import Foundation
import Roost

@Model final class Author {
  @Attribute(.unique) var name: String
  var born: Int?
  @Relationship(deleteRule: .cascade, inverse: \Book.author) var books: [Book] = []

  init(_ name: String) { self.name = name }
}

@Model final class Book {
  var title: String
  /// Which book it is, whatever it is called later.
  var code: String
  @Attribute(.merge(.counter)) var loans = 0
  @Attribute(.merge(.set)) var marks: [String] = []
  @Attribute(.localOnly) var isOpen = false
  var price: Double?
  var cover: Data?
  var author: Author?
  @Relationship(inverse: \Topic.books) var topics: [Topic] = []
  @Relationship(deleteRule: .deny, inverse: \Copy.book) var copies: [Copy] = []

  init(_ title: String, author: Author? = nil) {
    self.title = title
    code = title
    self.author = author
  }
}

@Model final class Topic {
  var name: String
  @Attribute(.merge(.custom)) var notes = ""
  @Attribute(.merge(.keepBoth)) var motto: String?
  var books: [Book] = []

  init(_ name: String) { self.name = name }
}

@Model final class Copy {
  var shelf: String
  var book: Book

  init(_ shelf: String, of book: Book) {
    self.shelf = shelf
    self.book = book
  }
}
