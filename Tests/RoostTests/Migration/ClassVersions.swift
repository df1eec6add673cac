import Roost

/// Books with a subclass.
extension Shelves {
  enum Classed {
    @Model final class Author {
      var name: String
      @Relationship(inverse: \Book.author) var books: [Book] = []
      @Relationship(inverse: \Book.readers) var read: [Book] = []

      init(name: String) { self.name = name }
    }

    @Model class Book {
      var title: String
      var author: Author?
      var readers: [Author] = []

      init(title: String) { self.title = title }
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
