import Foundation
import Roost
import RoostCore
import RoostTesting
import Testing

/// Lists that are read while much is pending.
@Suite struct PendingListTests {
  private let context: ModelContext
  private let other: ModelContext

  init() throws {
    context = try makeLibrary()
    other = ModelContext(context.container)
  }

  @Test func `an import that reads each author's books looks at each pending model a few times`() throws {
    for number in 0..<300 { other.insert(Book(title: "old", author: Author(name: "\(number)"))) }
    try other.save()
    for number in 0..<300 {
      let name = "\(number)"
      let found = try context.fetch(FetchDescriptor<Author>(predicate: #Predicate { $0.name == name }))
      let author = try #require(found.first)
      context.insert(Book(title: "new", author: author))
      #expect(author.books.map(\.title) == ["old", "new"])
    }
    #expect(context._linksSeen < 10 * 300)
    try context.save()
    #expect(try context.fetchCount(FetchDescriptor<Book>()) == 600)
  }

  @Test func `an import that reads each tag's books looks at each pending link a few times`() throws {
    for number in 0..<300 {
      let book = Book(title: "old")
      other.insert(book)
      book.tags = [Tag(name: "\(number)")]
    }
    try other.save()
    for number in 0..<300 {
      let name = "\(number)"
      let found = try context.fetch(FetchDescriptor<Tag>(predicate: #Predicate { $0.name == name }))
      let tag = try #require(found.first)
      let book = Book(title: "new")
      context.insert(book)
      book.tags = [tag]
      #expect(Set(tag.books.map(\.title)) == ["old", "new"])
    }
    #expect(context._linksSeen < 10 * 300)
  }

  @Test(arguments: [false, true])
  func `a list that is read again and again has those that refer to its owner`(_ isDraft: Bool) throws {
    let seed = SeededRandom.seed
    print("ROOST_SEED=\(seed) pending lists")
    var random = SeededRandom(seed: seed)
    for number in 0..<12 { self.context.insert(Author(name: "\(number)")) }
    for number in 0..<8 { self.context.insert(Tag(name: "\(number)")) }
    for number in 0..<40 { self.context.insert(Book(title: "\(number)")) }
    try self.context.save()
    let context = isDraft ? ModelContext(draftOf: self.context) : self.context
    let undo = UndoManager()
    if !isDraft { context.undoManager = undo }
    let authors = try context.fetch(FetchDescriptor<Author>())
    let tags = try context.fetch(FetchDescriptor<Tag>())
    var books = try context.fetch(FetchDescriptor<Book>())
    for step in 0..<600 {
      let book = random.pick(books)
      switch random.below(24) {
      case 0..<6: book.author = random.once(in: 4) ? nil : random.pick(authors)
      case 6..<10: book.tags = tags.filter { _ in random.once(in: 3) }
      case 10..<13: random.pick(authors).books.append(book)
      case 13..<15: random.pick(tags).books.removeAll { $0 === book }
      case 15..<18:
        books.append(Book(title: "\(step)", author: random.pick(authors)))
        context.insert(books[books.count - 1])
      case 18: context.delete(book)
      case 19..<21: context.insert(book)
      case 21:
        undo.undo()
        if random.once(in: 2) { undo.redo() }
      case 22:
        if random.once(in: 3) {
          try context.save()
          undo.removeAllActions()
        }
      default: if random.once(in: 6) { context.rollback() }
      }
      context.processPendingChanges()
      guard random.once(in: 3) else { continue }
      // Has all lists read again.
      other.insert(Book(title: "another context's", author: Author(name: "another context's")))
      try other.save()
      context.noticeOtherSaves()
      let present = books.filter { $0.modelContext != nil && !$0.isDeleted }
      let place: Comment = "ROOST_SEED=\(seed), step \(step)"
      for author in authors {
        #expect(Set(author.books) == Set(present.filter { $0.author === author }), place)
        #expect(Set(author.books).count == author.books.count, place)
      }
      for tag in tags { #expect(Set(tag.books) == Set(present.filter { $0.tags.contains(tag) }), place) }
    }
  }
}
