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

/// Fruit of one table, of which each kind has a list of the other.
enum Fruits {
  enum First {
    @Model class Fruit {
      var name: String

      init(name: String) { self.name = name }
    }

    @Model final class Apple: Fruit {
      @Relationship(inverse: \Pear.apples) var pears: [Pear] = []

      override init(name: String) { super.init(name: name) }
    }

    @Model final class Pear: Fruit {
      var apples: [Apple] = []

      override init(name: String) { super.init(name: name) }
    }
  }

  /// The other kind comes first in the alphabet.
  enum Renamed {
    @Model class Fruit {
      var name: String

      init(name: String) { self.name = name }
    }

    @Model(originalName: "Apple") final class Quince: Fruit {
      @Relationship(inverse: \Pear.apples) var pears: [Pear] = []

      override init(name: String) { super.init(name: name) }
    }

    @Model final class Pear: Fruit {
      var apples: [Quince] = []

      override init(name: String) { super.init(name: name) }
    }
  }
}
