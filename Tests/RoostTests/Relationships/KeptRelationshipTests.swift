import EncryptionSupport
import Foundation
import Roost
import RoostCore
import RoostTesting
import Testing

/// Which relationships a context keeps as they were read when others write, and which it must not.
@Suite(.rowsTold) struct KeptRelationshipTests {
  private let recorder = StatementRecorder()
  private let container: ModelContainer
  private let context: ModelContext
  private let other: ModelContext

  init() throws {
    container = try ModelContainer(
      for: Author.self, Person.self, Fleet.self,
      configurations: ModelConfiguration(isStoredInMemoryOnly: true).recording(to: recorder))
    context = ModelContext(container)
    other = ModelContext(container)
  }

  /// A book of an author's, with a tag.
  private func insertBook() throws -> Book {
    let book = Book(title: "A", author: Author(name: "B"))
    book.tags = [Tag(name: "t")]
    other.insert(book)
    try other.save()
    return book
  }

  @Test func `what others write to tables of others is no reason to read relationships again`() throws {
    _ = try insertBook()
    let author = try #require(try context.fetch(FetchDescriptor<Author>()).first)
    let book = try #require(author.books.first)
    #expect(book.tags.map(\.name) == ["t"] && book.author === author)
    let worker = Person(name: "C")
    other.insert(worker)
    worker.manager = Person(name: "D")
    try other.save()
    context.noticeOtherSaves()
    let statements = recorder.statements {
      #expect(author.books.count == 1 && book.tags.count == 1 && book.author === author)
    }
    #expect(statements.isEmpty, "\(statements)")
  }

  @Test func `what others write to the table of either side, or between them, is shown`() throws {
    let theirs = try insertBook()
    let author = try #require(try context.fetch(FetchDescriptor<Author>()).first)
    let tag = try #require(try context.fetch(FetchDescriptor<Tag>()).first)
    let book = try #require(author.books.first)
    #expect(tag.books.count == 1 && book.tags.count == 1 && book.author === author)
    let second = Book(title: "B", author: theirs.author)
    other.insert(second)
    try other.save()
    context.noticeOtherSaves()
    #expect(author.books.count == 2 && tag.books.count == 1)
    second.tags = theirs.tags
    try other.save()
    context.noticeOtherSaves()
    #expect(tag.books.count == 2)
    theirs.author = nil
    try other.save()
    context.noticeOtherSaves()
    #expect(author.books.count == 1 && book.author == nil)
    if let theirTag = theirs.tags.first { other.delete(theirTag) }
    try other.save()
    context.noticeOtherSaves()
    #expect(book.tags.isEmpty && tag.isDeleted)
  }

  @Test func `a new row of a subclass is shown in lists of its superclass`() throws {
    let context = try makeTrips()
    let anna = Traveler(name: "Anna")
    context.insert(anna)
    try context.save()
    #expect(anna.trips.isEmpty)
    let other = ModelContext(context.container)
    let trip = BusinessTrip(name: "b", perDiem: 1)
    other.insert(trip)
    trip.traveler = try other.fetch(FetchDescriptor<Traveler>()).first
    try other.save()
    context.noticeOtherSaves()
    #expect(anna.trips.map(\.name) == ["b"])
  }

  @Test func `a model that others keep from being deleted is in all lists again, whatever they wrote`() throws {
    let (first, second) = (Fleet("1"), Fleet("2"))
    let (ship, cabin, label) = (KeptShip(), Cabin(), KeptLabel())
    context.insert(first)
    context.insert(second)
    first.ships = [ship]
    ship.cabins = [cabin]
    cabin.labels = [label]
    try context.save()
    #expect(label.cabins.count == 1)
    context.delete(first)
    #expect(label.cabins.isEmpty && cabin.isDeleted)
    let theirs = try #require(try other.fetch(FetchDescriptor<KeptShip>()).first)
    theirs.fleet = try other.fetch(FetchDescriptor<Fleet>()).first { $0.name == "2" }
    try other.save()
    context.noticeOtherSaves()
    #expect(first.isDeleted && !ship.isDeleted && !cabin.isDeleted)
    #expect(label.cabins.count == 1 && label.cabins.first === cabin && second.ships.first === ship)
  }
}

@Model private final class Fleet {
  var name: String
  @Relationship(deleteRule: .cascade, inverse: \KeptShip.fleet) var ships: [KeptShip] = []

  init(_ name: String) { self.name = name }
}

@Model private final class KeptShip {
  var fleet: Fleet?
  @Relationship(deleteRule: .cascade, inverse: \Cabin.ship) var cabins: [Cabin] = []

  init() {}
}

@Model private final class Cabin {
  var ship: KeptShip?
  var labels: [KeptLabel] = []

  init() {}
}

@Model private final class KeptLabel {
  @Relationship(inverse: \Cabin.labels) var cabins: [Cabin] = []

  init() {}
}
