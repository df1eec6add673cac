import Foundation
import Roost
import Testing

/// Properties that move between a class and those below it.
@Suite struct MovedTests {
  private let store: Migrated

  init() throws { store = try Migrated() }

  private func makeAbove(itemsNote: String?) throws {
    try store.open(Moved.Above.Item.self, Moved.Above.Book.self, Moved.Above.Film.self) { context in
      let owner = Moved.Above.Owner(name: "Ada")
      let items = [
        Moved.Above.Item(title: "item"), Moved.Above.Book(title: "book", pages: 7),
        Moved.Above.Film(title: "film", minutes: 90),
      ]
      items.forEach(context.insert)
      items[0].note = itemsNote
      items[1].note = "of the book"
      items[1].owner = owner
      items[2].note = "of the film"
    }
  }

  private func checkBelow() throws {
    try store.open(Moved.Below.Item.self, Moved.Below.Book.self, Moved.Below.Film.self) { context in
      let book = try #require(try context.fetch(FetchDescriptor<Moved.Below.Book>()).first)
      #expect(book.note == "of the book" && book.owner?.name == "Ada" && book.pages == 7)
      let film = try #require(try context.fetch(FetchDescriptor<Moved.Below.Film>()).first)
      #expect(film.note == "of the film" && film.minutes == 90)
      try #expect(context.fetchCount(FetchDescriptor<Moved.Below.Item>()) == 3)
    }
    try store.checkFile(Moved.Below.Item.self, Moved.Below.Book.self, Moved.Below.Film.self)
  }

  @Test func `a property that moves down, and up again, keeps its values`() throws {
    try makeAbove(itemsNote: nil)
    try checkBelow()
    try store.open(Moved.Above.Item.self, Moved.Above.Book.self, Moved.Above.Film.self) { context in
      let items = try context.fetch(FetchDescriptor<Moved.Above.Item>(sortBy: [SortDescriptor(\.title)]))
      #expect(items.map(\.note) == ["of the book", "of the film", nil])
      #expect(items.map { $0.owner?.name } == ["Ada", nil, nil])
    }
    try store.checkFile(Moved.Above.Item.self, Moved.Above.Book.self, Moved.Above.Film.self)
    #expect(CapturedLog.lines(about: store.url).isEmpty)
  }

  @Test func `lists of several subclasses that move up keep their members and order`() throws {
    try store.open(Toys.Below.Animal.self, Toys.Below.Cat.self, Toys.Below.Dog.self) { context in
      let toys = ["ball", "bone", "mouse"].map { Toys.Below.Toy(name: $0) }
      toys.forEach(context.insert)
      let (cat, dog) = (Toys.Below.Cat(name: "cat", lives: 9), Toys.Below.Dog(name: "dog", legs: 4))
      context.insert(cat)
      context.insert(dog)
      cat.toys = [toys[2], toys[0]]
      dog.toys = [toys[1], toys[0]]
    }
    try store.open(Toys.Above.Animal.self, Toys.Above.Cat.self, Toys.Above.Dog.self) { context in
      let animals = try context.fetch(FetchDescriptor<Toys.Above.Animal>(sortBy: [SortDescriptor(\.name)]))
      #expect(animals.map { $0.toys.map(\.name) } == [["mouse", "ball"], ["bone", "ball"]])
    }
    try store.checkFile(Toys.Above.Animal.self, Toys.Above.Cat.self, Toys.Above.Dog.self)
  }

  @Test(arguments: [false, true])
  func `of properties that move up together each decides what rows may lack`(isTagged: Bool) throws {
    try store.open(Tame.Below.Animal.self, Tame.Below.Cat.self, Tame.Below.Dog.self) { context in
      let keeper = Tame.Below.Keeper(name: "Ada")
      let cats = ["a", "b"].map { Tame.Below.Cat(name: $0, tag: "tag \($0)") }
      let dog = Tame.Below.Dog(name: "dog", tag: isTagged ? "tag dog" : nil)
      cats.forEach { context.insert($0) }
      context.insert(dog)
      keeper.cats = [cats[1], cats[0]]
      dog.owner = keeper
    }
    if !isTagged {
      let obstacles = try store.obstacles(Tame.Above.Animal.self, Tame.Above.Cat.self, Tame.Above.Dog.self)
      #expect(obstacles.map { "\($0.model).\($0.property ?? "") \($0.rowCount)" } == ["Pet.tag 1"])
      return
    }
    try store.open(Tame.Above.Animal.self, Tame.Above.Cat.self, Tame.Above.Dog.self) { context in
      let pets = try context.fetch(FetchDescriptor<Tame.Above.Pet>(sortBy: [SortDescriptor(\.name)]))
      #expect(pets.map(\.tag) == ["tag a", "tag b", "tag dog"])
      #expect(pets.allSatisfy { $0.owner?.name == "Ada" })
      let keeper = try #require(try context.fetch(FetchDescriptor<Tame.Above.Keeper>()).first)
      #expect(keeper.pets.map(\.name).filter { $0 != "dog" } == ["b", "a"] && keeper.pets.count == 3)
    }
    try store.checkFile(Tame.Above.Animal.self, Tame.Above.Cat.self, Tame.Above.Dog.self)
  }

  @Test func `rows that are older than the first subclass are in history when they are deleted`() throws {
    try store.open(Shelves.First.Book.self) { context in context.insert(Shelves.First.Book(title: "old")) }
    try store.open(Shelves.Classed.Book.self, Shelves.Classed.Comic.self) { context in
      let book = try #require(try context.fetch(FetchDescriptor<Shelves.Classed.Book>()).first)
      let observer = ModelContext(context.container)
      let seen = try #require(try observer.fetch(FetchDescriptor<Shelves.Classed.Book>()).first)
      context.delete(book)
      try context.save()
      let transactions = try context.fetchHistory(HistoryDescriptor<DefaultHistoryTransaction>())
      guard case .delete(let deletion)? = transactions.last?.changes.last else {
        Issue.record("history ends with \(transactions.last?.changes as Any)")
        return
      }
      #expect(deletion.changedPersistentIdentifier == book.persistentModelID)
      #expect(try observer.fetchCount(FetchDescriptor<Shelves.Classed.Book>()) == 0 && seen.isDeleted)
    }
  }

  @Test func `rows that are older than a superclass are deleted as what they are`() throws {
    try store.open(Shelves.First.Book.self) { context in context.insert(Shelves.First.Book(title: "old")) }
    try store.open(Shelves.Based.Item.self, Shelves.Based.Book.self, Shelves.Based.Comic.self) { context in
      context.delete(try #require(try context.fetch(FetchDescriptor<Shelves.Based.Book>()).first))
      try context.save()
      let transactions = try context.fetchHistory(HistoryDescriptor<DefaultHistoryTransaction>())
      guard case .delete(let deletion)? = transactions.last?.changes.last else {
        Issue.record("history ends with \(transactions.last?.changes as Any)")
        return
      }
      #expect(deletion.changedPersistentIdentifier.entityName == "Book")
    }
  }

  @Test func `values of classes that a property leaves are in the way of its moving down`() throws {
    try makeAbove(itemsNote: "of the item")
    let obstacles = try store.obstacles(Moved.Below.Item.self, Moved.Below.Book.self, Moved.Below.Film.self)
    #expect(obstacles.map { "\($0.model).\($0.property ?? "")" } == ["Item.note"])
    #expect(obstacles.first?.message == "It moved down to Book and Film, and rows of other classes have values.")
    #expect(obstacles.first?.rowCount == 1 && obstacles.first?.exampleRow == "1 ('of the item')")
    try store.checkFile(Moved.Above.Item.self, Moved.Above.Book.self, Moved.Above.Film.self)
    try store.open(
      Moved.Below.Item.self, Moved.Below.Book.self, Moved.Below.Film.self, mayDrop: ["Item.note"]
    ) { _ in }
    try checkBelow()
    #expect(
      try store.strings("SELECT count(note) || ' ' || count(Film_note) || ' ' || count(owner) FROM Item") == ["1 1 1"])
  }

  @Test func `rows that lack what moved up and is required there are named as such`() throws {
    try store.open(Moved.Below.Item.self, Moved.Below.Book.self, Moved.Below.Film.self) { context in
      context.insert(Moved.Below.Item(title: "item"))
      let book = Moved.Below.Book(title: "book", pages: 7)
      context.insert(book)
      book.note = "of the book"
    }
    let obstacles = try store.obstacles(
      Moved.Demanding.Item.self, Moved.Demanding.Book.self, Moved.Demanding.Film.self)
    #expect(obstacles.map { "\($0.model).\($0.property ?? "")" } == ["Item.note"])
    #expect(obstacles.first?.message.hasPrefix("It moved up from Book and Film, may not be nil") ?? false)
    #expect(obstacles.first?.rowCount == 1 && obstacles.first?.exampleRow == "1")
    try store.checkFile(Moved.Below.Item.self, Moved.Below.Book.self, Moved.Below.Film.self)
  }

  @Test func `a class keeps its rows and what it inherited when its superclass is gone`() throws {
    try store.open(Moved.Above.Item.self, Moved.Above.Book.self, Moved.Above.Film.self) { context in
      for title in ["a", "b"] {
        let book = Moved.Above.Book(title: title, pages: 7)
        context.insert(book)
        book.note = "of \(title)"
      }
      context.insert(Moved.Above.Film(title: "film", minutes: 90))
    }
    try store.open(Moved.Alone.Book.self) { context in
      let books = try context.fetch(FetchDescriptor<Moved.Alone.Book>(sortBy: [SortDescriptor(\.title)]))
      #expect(books.map(\.title) == ["a", "b"] && books.map(\.note) == ["of a", "of b"])
      #expect(books.allSatisfy { $0.pages == 7 })
    }
    try store.checkFile(Moved.Alone.Book.self)
    try store.checkDropped(["Film 1"])
  }
}
