import Foundation
import SwiftData

@Model
final class Author {
  @Attribute(.unique) var name: String
  @Relationship(deleteRule: .cascade, inverse: \Book.author) var books: [Book] = []

  init(name: String) {
    self.name = name
  }
}

@Model
final class Book {
  @Attribute(.unique) var title: String
  var published: Int
  var author: Author?

  init(title: String, published: Int, author: Author) {
    self.title = title
    self.published = published
    self.author = author
  }
}

@main
struct Library {
  static func main() throws {
    let container = try ModelContainer(for: Author.self)
    let context = ModelContext(container)

    let carson = Author(name: "Rachel Carson")
    context.insert(carson)
    context.insert(Book(title: "Silent Spring", published: 1962, author: carson))
    context.insert(Book(title: "The Sea Around Us", published: 1951, author: carson))
    context.insert(Book(title: "The Edge of the Sea", published: 1955, author: carson))
    try context.save()

    let early = FetchDescriptor<Book>(
      predicate: #Predicate { $0.published < 1960 && $0.author?.name == "Rachel Carson" },
      sortBy: [SortDescriptor(\.published)])
    for book in try context.fetch(early) {
      print(book.published, book.title)
    }
  }
}
