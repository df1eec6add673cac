import Foundation
import Roost

@Model final class Author {
  var name: String
  @Relationship(deleteRule: .cascade, inverse: \Book.author) var books: [Book] = []

  init(name: String) { self.name = name }
}

@Model final class Book {
  var title: String
  var pages = 0
  var published: Date?
  var genre = Genre.fiction
  var author: Author?
  var tags: [Tag] = []

  init(title: String, author: Author? = nil) {
    self.title = title
    self.author = author
  }
}

enum Genre: String, Codable { case fiction, science }

@Model final class Tag {
  @Attribute(.unique) var name: String
  @Relationship(inverse: \Book.tags) var books: [Book] = []

  init(name: String) { self.name = name }
}

func makeLibrary() throws -> ModelContext {
  ModelContext(try ModelContainer(for: Author.self, configurations: ModelConfiguration(isStoredInMemoryOnly: true)))
}
