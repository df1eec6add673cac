import Roost

/// Inverses to infer, in every shape.
enum Library {
  @Model final class Author {
    @Attribute(.unique, originalName: "fullName") var name: String = "nobody"
    var publisher: Publisher?
    @Relationship(deleteRule: .cascade, minimumModelCount: 1, maximumModelCount: 9) var books: [Book] = []
    init() {}
  }

  @Model final class Book {
    #Unique<Book>([\.title, \.author])
    #Index<Book>([\.pages], [\.title, \.pages])
    var title: String = ""
    var pages: Int?
    var author: Author?
    var tags: [Tag] = []
    init() {}
  }

  @Model final class Tag {
    var name: String = ""
    var books: [Book]?
    init() {}
  }

  @Model final class Publisher {
    var city: String = ""
    var founder: Person
    init(founder: Person) { self.founder = founder }
  }

  @Model final class Person {
    var name: String = ""
    init() {}
  }
}

/// A model that refers to its own kind, once as a tree and once as a family.
enum Own {
  @Model final class Folder {
    var parent: Folder?
    var children: [Folder] = []
    init() {}
  }

  @Model final class Child {
    var mother: Child?
    var father: Child?
    init() {}
  }
}

/// Two ways there, one back: undeclared and declared.
enum Ambiguous {
  @Model final class City {
    var trips: [Trip] = []
    init() {}
  }

  @Model final class Trip {
    var origin: City?
    var destination: City?
    init() {}
  }
}

enum Declared {
  @Model final class City {
    @Relationship(inverse: \Trip.origin) var departures: [Trip] = []
    @Relationship(inverse: \Trip.destination) var arrivals: [Trip] = []
    @Relationship(inverse: nil) var favourites: [Trip] = []
    init() {}
  }

  @Model final class Trip {
    var origin: City?
    var destination: City?
    init() {}
  }
}

/// One-way: the other side has what could be an inverse, but is told not to.
enum OneWay {
  @Model final class Shelf {
    @Relationship(inverse: nil) var items: [Item] = []
    init() {}
  }

  @Model final class Item {
    var shelf: Shelf?
    init() {}
  }
}

enum WrongInverse {
  @Model final class Owner {
    @Relationship(inverse: \Stranger.friend) var pets: [Pet] = []
    init() {}
  }

  @Model final class Pet {
    var name: String = ""
    init() {}
  }

  @Model final class Stranger {
    var friend: Stranger?
    init() {}
  }
}

/// The same name as `Library.Tag`.
enum Elsewhere {
  @Model final class Tag {
    var colour: String = ""
    init() {}
  }
}

/// Names that SQL cannot tell apart.
enum Names {
  @Model final class Twins {
    var title: String = ""
    var Title: String = ""
    init() {}
  }
}

@Model final class UniqueList {
  #Unique<UniqueList>([\.books])
  var books: [Library.Book] = []
  init() {}
}

@Model final class Optioned {
  @Attribute(.spotlight, .allowsCloudEncryption, .preserveValueOnDeletion, hashModifier: "2") var name: String = ""
  init() {}
}
