import Roost

/// Books with more models, or stricter ones.
extension Shelves {
  enum Grown {
    @Model final class Author {
      var name: String
      @Relationship(inverse: \Book.author) var books: [Book] = []
      @Relationship(inverse: \Book.readers) var read: [Book] = []

      init(name: String) { self.name = name }
    }

    @Model final class Book {
      var title: String
      var author: Author?
      var readers: [Author] = []
      var shelf: Rack?

      init(title: String) { self.title = title }
    }

    @Model final class Rack {
      var name: String
      var books: [Book] = []

      init(name: String) { self.name = name }
    }
  }

  enum Strict {
    @Model final class Author {
      var name: String
      @Relationship(inverse: \Book.author) var books: [Book] = []
      @Relationship(inverse: \Book.readers) var read: [Book] = []

      init(name: String) { self.name = name }
    }

    @Model final class Book {
      var title: String
      var author: Author
      var readers: [Author] = []

      init(title: String, author: Author) { (self.title, self.author) = (title, author) }
    }
  }

  /// Who reads what, and what is read by whom, are no two sides of one thing any more.
  enum Parted {
    @Model final class Author {
      var name: String
      @Relationship(inverse: \Book.author) var books: [Book] = []
      @Relationship(inverse: nil) var read: [Book] = []

      init(name: String) { self.name = name }
    }

    @Model final class Book {
      var title: String
      var author: Author?
      @Relationship(inverse: nil) var readers: [Author] = []

      init(title: String) { self.title = title }
    }
  }

  enum Turned {
    @Model final class Author {
      var name: String
      @Relationship(inverse: \Book.author) var books: [Book] = []
      @Relationship(inverse: \Book.readers) var read: [Book] = []

      init(name: String) { self.name = name }
    }

    @Model final class Book {
      var title: Title?
      var author: Author?
      var readers: [Author] = []

      init(title: Title?) { self.title = title }
    }

    @Model final class Title {
      var text: String

      init(text: String) { self.text = text }
    }
  }
}
