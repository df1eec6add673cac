import Foundation
import Roost
import RoostCore
import RoostEngine
import RoostMigration
import RoostQuery
import Testing

/// Changes of relationships and classes that follow from both schemas.
@Suite struct InferredRelationshipTests {
  private let store: Migrated

  init() throws { store = try Migrated() }

  /// Two authors; the first has three books in an order of their own, of which one has two readers.
  private func makeLibrary() throws {
    try store.open(Shelves.First.Book.self) { context in
      let (ada, bob) = (Shelves.First.Author(name: "Ada"), Shelves.First.Author(name: "Bob"))
      context.insert(ada)
      context.insert(bob)
      let books = ["one", "two", "three"].map { Shelves.First.Book(title: $0) }
      ada.books = [books[2], books[0], books[1]]
      books[1].readers = [bob, ada]
    }
  }

  @Test func `a renamed relationship keeps its pairs and their order`() throws {
    try makeLibrary()
    try store.open(Shelves.Renamed.Volume.self) { context in
      let writers = try context.fetch(FetchDescriptor<Shelves.Renamed.Writer>(sortBy: [SortDescriptor(\.name)]))
      #expect(writers.map(\.name) == ["Ada", "Bob"])
      #expect(writers[0].volumes.map(\.title) == ["three", "one", "two"])
      #expect(writers[0].volumes[2].borrowers.map(\.name) == ["Bob", "Ada"])
      #expect(writers[1].borrowed.map(\.title) == ["two"])
    }
    try store.checkFile(Shelves.Renamed.Volume.self)
  }

  @Test func `lists of a class of itself keep their sides, whichever is declared first`() throws {
    try store.open(Circles.First.Person.self) { context in
      let people = ["a", "b", "c"].map { Circles.First.Person(name: $0) }
      people.forEach { context.insert($0) }
      people[0].follows = [people[2], people[1]]
    }
    for _ in 0..<2 {
      try store.open(Circles.Second.Person.self) { context in
        let people = try context.fetch(FetchDescriptor<Circles.Second.Person>(sortBy: [SortDescriptor(\.name)]))
        #expect(people.map { $0.follows.map(\.name) } == [["c", "b"], [], []])
        #expect(people.map { $0.followers.map(\.name) } == [[], ["a"], ["a"]])
      }
    }
    try store.checkFile(Circles.Second.Person.self)
  }

  @Test func `one related model may become many, on either side`() throws {
    try makeLibrary()
    try store.open(Shelves.Shared.Book.self) { context in
      let books = try context.fetch(FetchDescriptor<Shelves.Shared.Book>(sortBy: [SortDescriptor(\.title)]))
      #expect(books.map { $0.authors.map(\.name) } == [["Ada"], ["Ada"], ["Ada"]])
      let ada = try #require(books.first?.authors.first)
      #expect(ada.books.map(\.title) == ["three", "one", "two"])
      #expect(books[2].readers.map(\.name) == ["Bob", "Ada"])
    }
    try store.checkFile(Shelves.Shared.Book.self)
  }

  @Test func `two sides may become two relationships`() throws {
    try makeLibrary()
    try store.open(Shelves.Parted.Book.self) { context in
      let authors = try context.fetch(FetchDescriptor<Shelves.Parted.Author>(sortBy: [SortDescriptor(\.name)]))
      #expect(authors.map { $0.read.map(\.title) } == [["two"], ["two"]])
      let books = try context.fetch(FetchDescriptor<Shelves.Parted.Book>(sortBy: [SortDescriptor(\.title)]))
      #expect(books.map { $0.readers.map(\.name) } == [[], [], ["Bob", "Ada"]])
    }
    try store.checkFile(Shelves.Parted.Book.self)
  }

  @Test func `many may become one where no model refers to several`() throws {
    try makeLibrary()
    let obstacles = try store.obstacles(Shelves.Single.Book.self)
    #expect(obstacles.map(\.property) == ["reader"])
    #expect(obstacles.first?.rowCount == 1)
    try store.open(Shelves.First.Book.self) { context in
      let two = try #require(
        try context.fetch(FetchDescriptor<Shelves.First.Book>()).first { $0.title == "two" })
      two.readers.removeLast()
    }
    try store.open(Shelves.Single.Book.self) { context in
      let books = try context.fetch(FetchDescriptor<Shelves.Single.Book>(sortBy: [SortDescriptor(\.title)]))
      #expect(books.map { $0.reader?.name } == [nil, nil, "Bob"])
      #expect(books[2].reader?.read.map(\.title) == ["two"])
    }
    try store.checkFile(Shelves.Single.Book.self)
  }

  @Test func `a delete rule and an inverse are changed`() throws {
    try makeLibrary()
    try store.open(Shelves.Owned.Book.self) { context in
      let authors = try context.fetch(FetchDescriptor<Shelves.Owned.Author>(sortBy: [SortDescriptor(\.name)]))
      #expect(authors[0].books.map(\.title) == ["three", "one", "two"])
      context.delete(authors[0])
    }
    #expect(try store.strings("SELECT count(*) FROM Book") == ["0"])
    try store.checkFile(Shelves.Owned.Book.self)
  }

  @Test func `models are added with relationships to those that are there`() throws {
    try makeLibrary()
    try store.open(Shelves.Grown.Book.self) { context in
      let books = try context.fetch(FetchDescriptor<Shelves.Grown.Book>(sortBy: [SortDescriptor(\.title)]))
      books[0].shelf = Shelves.Grown.Rack(name: "A")
      #expect(books[0].author?.name == "Ada")
    }
    try store.checkFile(Shelves.Grown.Book.self)
    // The store had these models before.
    #expect(throws: SwiftDataError.backwardMigration) { try store.open(Shelves.First.Book.self) { _ in } }
    #expect(try store.obstacles(Shelves.First.Book.self).map(\.model) == ["Book", "Rack"])
    try store.open(Shelves.First.Book.self, mayDrop: ["Book.shelf", "Rack"]) { context in
      try #expect(context.fetchCount(FetchDescriptor<Shelves.First.Book>()) == 3)
    }
    try store.checkFile(Shelves.First.Book.self)
  }

  @Test func `a model gets subclasses, and a superclass`() throws {
    try makeLibrary()
    try store.open(Shelves.Classed.Book.self, Shelves.Classed.Comic.self) { context in
      let comic = Shelves.Classed.Comic(title: "four", panels: 12)
      context.insert(comic)
      let books = try context.fetch(FetchDescriptor<Shelves.Classed.Book>(sortBy: [SortDescriptor(\.title)]))
      #expect(books.map(\.title) == ["four", "one", "three", "two"])
      #expect(books.map { $0 is Shelves.Classed.Comic } == [true, false, false, false])
      comic.author = books[1].author
    }
    try store.checkFile(Shelves.Classed.Book.self, Shelves.Classed.Comic.self)
    try store.open(Shelves.Based.Book.self, Shelves.Based.Comic.self) { context in
      let items = try context.fetch(FetchDescriptor<Shelves.Based.Item>(sortBy: [SortDescriptor(\.title)]))
      #expect(items.map(\.title) == ["four", "one", "three", "two"])
      #expect((items[0] as? Shelves.Based.Comic)?.panels == 12)
      #expect((items[1] as? Shelves.Based.Book)?.author?.books.count == 4)
    }
    try store.checkFile(Shelves.Based.Book.self, Shelves.Based.Comic.self)
  }

  @Test func `models of a class that is gone go with a warning, and nothing refers to them`() throws {
    try store.open(Shelves.Classed.Book.self, Shelves.Classed.Comic.self) { context in
      let comic = Shelves.Classed.Comic(title: "four", panels: 12)
      context.insert(comic)
      comic.readers = [Shelves.Classed.Author(name: "Bob")]
      context.insert(Shelves.Classed.Book(title: "five"))
    }
    #expect(try store.obstacles(Shelves.First.Book.self, drops: .refuse).map(\.model) == ["Comic"])
    try store.open(Shelves.First.Book.self) { context in
      try #expect(context.fetch(FetchDescriptor<Shelves.First.Book>()).map(\.title) == ["five"])
      try #expect(context.fetch(FetchDescriptor<Shelves.First.Author>()).map(\.read.count) == [0])
    }
    try store.checkFile(Shelves.First.Book.self)
    let backup = try store.checkDropped(["Comic 1"])
    #expect(try Migrated.strings(backup, "SELECT title FROM Book WHERE _type = 'Comic'") == ["four"])
  }

  @Test func `a required relationship that rows lack, and an attribute that becomes one, are obstacles`() throws {
    try makeLibrary()
    try store.open(Shelves.First.Book.self) { $0.insert(Shelves.First.Book(title: "orphan")) }
    #expect(
      try store.obstacles(Shelves.Strict.Book.self).map { "\($0.property ?? ""): \($0.exampleRow ?? "")" } == [
        "author: 4"
      ])
    let obstacles = try store.obstacles(Shelves.Turned.Book.self)
    #expect(obstacles.contains { $0.property == "title" && $0.message.hasPrefix("It was String, and is") })
    try store.checkFile(Shelves.First.Book.self)
  }

  @Test func `links are found from either side once the other one names their table`() throws {
    try store.open(Fruits.First.Apple.self, Fruits.First.Pear.self) { context in
      let apple = Fruits.First.Apple(name: "Gala")
      context.insert(apple)
      apple.pears = [Fruits.First.Pear(name: "Conference"), Fruits.First.Pear(name: "Abate")]
    }
    try store.open(Fruits.Renamed.Quince.self, Fruits.Renamed.Pear.self) { context in
      let quince = try #require(try context.fetch(FetchDescriptor<Fruits.Renamed.Quince>()).first)
      #expect(quince.pears.map(\.name) == ["Conference", "Abate"])
      #expect(quince.pears.first?.apples.map(\.name) == ["Gala"])
    }
    try store.checkFile(Fruits.Renamed.Quince.self, Fruits.Renamed.Pear.self)
    let keys = try store.strings("SELECT name FROM pragma_table_info('Pear_apples') WHERE pk > 0 ORDER BY pk")
    #expect(keys == ["Pear", "apples"])
  }

  @Test func `keys go on after those that were handed out`() throws {
    try makeLibrary()
    try store.open(Shelves.First.Book.self) { context in
      try context.fetch(FetchDescriptor<Shelves.First.Book>()).forEach(context.delete)
    }
    try store.open(Shelves.Renamed.Volume.self) { $0.insert(Shelves.Renamed.Volume(title: "new")) }
    #expect(try store.strings("SELECT _pk FROM Volume") == ["4"])
  }

  @Test func `another program's schema takes the place of all there is, which the backup keeps`() throws {
    try makeLibrary()
    let obstacles = try store.obstacles(Versions.Pair.Name.self, drops: .refuse)
    #expect(Set(obstacles.map(\.model)) == ["Author", "Book"])
    try store.checkFile(Shelves.First.Book.self)
    try store.open(Versions.Pair.Name.self) { context in
      try #expect(context.fetchCount(FetchDescriptor<Versions.Pair.Name>()) == 0)
    }
    try store.checkFile(Versions.Pair.Name.self)
    let backup = try store.checkDropped(["Author 2", "Book 3"])
    // The program whose models they are finds its store as it was.
    try ModelContainer.restore(store.configuration(), from: backup)
    try store.open(Shelves.First.Book.self) { context in
      let ada = try #require(
        try context.fetch(FetchDescriptor<Shelves.First.Author>(sortBy: [SortDescriptor(\.name)])).first)
      #expect(ada.books.map(\.title) == ["three", "one", "two"] && ada.read.map(\.title) == ["two"])
    }
    try store.checkFile(Shelves.First.Book.self)
  }
}
