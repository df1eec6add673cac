import Roost

/// Versions of books and their authors.
enum Shelves {
  enum First {
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

      init(title: String) { self.title = title }
    }
  }

  enum Renamed {
    @Model(originalName: "Author") final class Writer {
      var name: String
      @Relationship(originalName: "books", inverse: \Volume.writer) var volumes: [Volume] = []
      @Relationship(originalName: "read", inverse: \Volume.borrowers) var borrowed: [Volume] = []

      init(name: String) { self.name = name }
    }

    @Model(originalName: "Book") final class Volume {
      var title: String
      @Relationship(originalName: "author") var writer: Writer?
      @Relationship(originalName: "readers") var borrowers: [Writer] = []

      init(title: String) { self.title = title }
    }
  }

  enum Shared {
    @Model final class Author {
      var name: String
      @Relationship(inverse: \Book.authors) var books: [Book] = []
      @Relationship(inverse: \Book.readers) var read: [Book] = []

      init(name: String) { self.name = name }
    }

    @Model final class Book {
      var title: String
      @Relationship(originalName: "author") var authors: [Author] = []
      var readers: [Author] = []

      init(title: String) { self.title = title }
    }
  }

  enum Single {
    @Model final class Author {
      var name: String
      @Relationship(inverse: \Book.author) var books: [Book] = []
      @Relationship(inverse: \Book.reader) var read: [Book] = []

      init(name: String) { self.name = name }
    }

    @Model final class Book {
      var title: String
      var author: Author?
      @Relationship(originalName: "readers") var reader: Author?

      init(title: String) { self.title = title }
    }
  }

  enum Owned {
    @Model final class Author {
      var name: String
      @Relationship(deleteRule: .cascade, inverse: \Book.author) var books: [Book] = []
      @Relationship(inverse: \Book.readers) var read: [Book] = []

      init(name: String) { self.name = name }
    }

    @Model final class Book {
      var title: String
      var author: Author?
      var readers: [Author] = []

      init(title: String) { self.title = title }
    }
  }
}
