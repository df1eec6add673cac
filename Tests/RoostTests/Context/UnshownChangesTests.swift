import EncryptionSupport
import Foundation
import Roost
import RoostTesting
import Testing

/// A query among many unsaved changes is shown those that are new since the last.
@Suite struct UnshownChangesTests {
  private let recorder = StatementRecorder()
  private let context: ModelContext

  init() throws {
    context = ModelContext(
      try ModelContainer(
        for: Author.self, configurations: ModelConfiguration(isStoredInMemoryOnly: true).recording(to: recorder)))
  }

  private func tag(_ name: String) throws -> Tag? {
    try context.fetch(FetchDescriptor<Tag>(predicate: #Predicate { $0.name == name })).first
  }

  private func title(_ name: String) throws -> Int {
    try context.fetchCount(FetchDescriptor<Book>(predicate: #Predicate { $0.title == name }))
  }

  @Test func `an import that looks for each tag before it makes one takes the same few statements for each row`() throws
  {
    func row(_ number: Int) throws {
      let name = "\(number % 150)"
      let found = try tag(name)
      let tag = found ?? Tag(name: name)
      #expect((found == nil) == (number < 150))
      let book = Book(title: "\(number)")
      context.insert(book)
      book.tags = [tag]
    }
    for number in 0..<200 { try row(number) }
    let statements = try recorder.statements { try row(200) }
    #expect(statements.count < 20, "\(statements)")
    #expect(try title("200") == 1)
    try context.save()
    #expect(try context.fetchCount(FetchDescriptor<Tag>()) == 150)
    #expect(try context.fetch(FetchDescriptor<Book>()).allSatisfy { $0.tags.count == 1 })
  }

  @Test func `whoever looks up a class of which nothing is pending sees the store`() throws {
    context.insert(Author(name: "Ann"))
    try context.save()
    for number in 0..<50 { context.insert(Book(title: "\(number)")) }
    let statements = try recorder.statements { _ = try context.fetchCount(FetchDescriptor<Author>()) }
    #expect(statements.count == 1)
    context.insert(Author(name: "Ben"))
    #expect(try context.fetchCount(FetchDescriptor<Author>()) == 2)
  }

  @Test func `what is taken back between two queries is shown no more`() throws {
    let (sea, sky) = (Tag(name: "sea"), Tag(name: "sky"))
    let book = Book(title: "A")
    for model in [sea, sky] { context.insert(model) }
    context.insert(book)
    book.tags = [sea]
    let linked = FetchDescriptor<Book>(predicate: #Predicate { book in book.tags.contains { $0.name == "sea" } })
    #expect(try context.fetchCount(linked) == 1)
    book.tags = [sky]
    #expect(try context.fetchCount(linked) == 0)
    book.tags = [sea, sky]
    #expect(try context.fetchCount(linked) == 1)
    context.delete(sea)
    #expect(try context.fetchCount(linked) == 0)
    #expect(try tag("sea") == nil)
    #expect(try tag("sky") === sky)
    context.delete(book)
    #expect(try title("A") == 0)
    context.insert(book)
    #expect(try title("A") == 1)
    context.rollback()
    #expect(try title("A") == 0)
    #expect(try tag("sky") == nil)
  }

  @Test func `a model that leaves by a rollback and comes again is shown`() throws {
    let book = Book(title: "A")
    context.insert(book)
    #expect(try title("A") == 1)
    book.title = "B"
    context.rollback()
    #expect(try title("B") == 0)
    context.insert(book)
    #expect(try title(book.title) == 1)
    try context.save()
    book.title = "C"
    #expect(try title("C") == 1)
    book.title = "D"
    #expect(try title("C") == 0)
    #expect(try title("D") == 1)
  }

  @Test func `so many pending rows that they get indexes are found as before`() throws {
    for number in 0..<100 { context.insert(Tag(name: "\(number)")) }
    for number in 0..<100 { #expect(try tag("\(number)") != nil) }
    #expect(try tag("100") == nil)
    for tag in try context.fetch(FetchDescriptor<Tag>()) { tag.name += "x" }
    for number in 0..<100 { #expect(try tag("\(number)") == nil && tag("\(number)x") != nil) }
    try context.save()
    for number in 0..<100 { context.insert(Tag(name: "\(number)x")) }
    // Until the save decides that they are the same, there are two of each.
    #expect(try context.fetchCount(FetchDescriptor<Tag>(predicate: #Predicate { $0.name == "7x" })) == 2)
    try context.save()
    #expect(try context.fetchCount(FetchDescriptor<Tag>()) == 100)
  }

  @Test(.rowsTold)
  func `an update in bulk reads no models again that refer to rows of its class, whether any of these is alive`()
    throws
  {
    // Gone afterwards, so that only the reader is told of writes.
    try {
      let writer = ModelContext(context.container)
      let author = Author(name: "Ann")
      for number in 0..<10 { writer.insert(Book(title: "\(number)", author: author)) }
      try writer.save()
    }()
    let reader = ModelContext(context.container)
    let books = try reader.fetch(FetchDescriptor<Book>())
    var statements = try recorder.statements { try reader.update(model: Author.self, set: .set(\.name, to: "Ben")) }
    #expect(!statements.contains { $0.hasPrefix("SELECT") && $0.contains("\"title\"") }, "\(statements)")
    #expect(books.allSatisfy { $0.author?.name == "Ben" })
    statements = try recorder.statements { try reader.update(model: Author.self, set: .set(\.name, to: "Cid")) }
    #expect(!statements.contains { $0.hasPrefix("SELECT") && $0.contains("\"title\"") }, "\(statements)")
    #expect(books.allSatisfy { $0.author?.name == "Cid" })
  }
}
