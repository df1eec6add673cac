import Roost

/// Books with a superclass.
extension Shelves {
  enum Based {
    @Model final class Author {
      var name: String
      @Relationship(inverse: \Book.author) var books: [Book] = []
      @Relationship(inverse: \Book.readers) var read: [Book] = []

      init(name: String) { self.name = name }
    }

    @Model class Item {
      var title: String

      init(title: String) { self.title = title }
    }

    @Model class Book: Item {
      var author: Author?
      var readers: [Author] = []

      override init(title: String) { super.init(title: title) }
    }

    @Model final class Comic: Book {
      var panels: Int

      init(title: String, panels: Int) {
        self.panels = panels
        super.init(title: title)
      }
    }
  }
}
