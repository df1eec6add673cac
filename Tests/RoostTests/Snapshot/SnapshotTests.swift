import Foundation
import Observation
import Roost
import RoostTesting
import Synchronization
import Testing

private actor Editor {
  func shout(_ snapshot: ModelSnapshot<Book>) -> ModelSnapshot<Book> {
    var snapshot = snapshot
    snapshot.title = snapshot.title.uppercased()
    return snapshot
  }
}

@Suite struct SnapshotTests {
  @Test func `attributes are values and relationships are identifiers`() throws {
    let context = try makeLibrary()
    let author = Author(name: "A")
    let book = Book(title: "T", author: author)
    let tags = ["x", "y"].map(Tag.init)
    book.tags = tags
    context.insert(book)
    try context.save()
    let snapshot = book.snapshot()
    let published: Date? = snapshot.published
    #expect((snapshot.title, snapshot.pages, snapshot.genre) == ("T", 0, .fiction))
    #expect(published == nil)
    #expect(snapshot.author == author.persistentModelID)
    #expect(snapshot.tags == tags.map(\.persistentModelID))
    #expect(snapshot.persistentModelID == book.persistentModelID)
    #expect(author.snapshot().books == [book.persistentModelID])
    let (whole, part) = (Device(name: "whole"), Device(name: "part"))
    whole.parts = [part]
    #expect(whole.snapshot().parts == [part.persistentModelID])
    #expect(part.snapshot().whole == whole.persistentModelID)
    #expect(part.snapshot().serial == 1)
  }

  @Test func `a snapshot stays as it is when the model changes`() throws {
    let book = Book(title: "T")
    let snapshot = book.snapshot()
    book.title = "U"
    #expect(snapshot.title == "T")
    #expect(book.snapshot() != snapshot)
    book.title = "T"
    #expect(book.snapshot() == snapshot)
    #expect(Set([snapshot, book.snapshot()]).count == 1)
  }

  @Test func `a snapshot is edited by another actor and applied by the model's`() async throws {
    let book = Book(title: "quiet")
    let edited = await Editor().shout(book.snapshot())
    try book.apply(edited)
    #expect(book.title == "QUIET")
  }

  @Test func `what was not read is read, and no model is made of those that relationships refer to`() throws {
    let container = try makeLibrary().container
    let author = Author(name: "A")
    author.books = (0..<50).map { Book(title: "\($0)") }
    let writing = ModelContext(container)
    writing.insert(author)
    try writing.save()

    let context = ModelContext(container)
    var descriptor = FetchDescriptor<Author>()
    descriptor.propertiesToFetch = []
    let found = try #require(try context.fetch(descriptor).first)
    let snapshot = found.snapshot()
    #expect(snapshot.name == "A")
    #expect(snapshot.books == author.books.map(\.persistentModelID))
    #expect(context.liveModelCount == 1)
    #expect(!context.hasChanges)
  }

  @Test func `models that are to be deleted are in no snapshot`() throws {
    let context = try makePeople()
    let person = Person(name: "A")
    let visits = ["x", "y"].map { Visit(place: $0, person: person) }
    context.insert(person)
    try context.save()
    context.delete(visits[0])
    #expect(person.snapshot().visits == [visits[1].persistentModelID])
  }

  @Test func `a model's own id is an attribute, and any other the identifier`() {
    let (device, book) = (Device(name: "D"), Book(title: "T"))
    #expect(device.snapshot().id == device.id)
    #expect(book.snapshot().id == book.persistentModelID)
  }

  @Test func `a value of a class is another instance each time`() {
    let device = Device(name: "D")
    let snapshot = device.snapshot()
    device.settings.volume = 2
    snapshot.settings.volume = 3
    #expect(snapshot.settings.volume == 1)
    #expect(device.settings.volume == 2)
  }

  @Test func `what a store refuses is in a snapshot`() {
    let device = Device(name: "D")
    device.load = .nan
    device.price = .nan
    #expect(device.snapshot().load.isNaN)
    #expect(device.snapshot().price.isNaN)
    device.load = .infinity
    #expect(device.snapshot().load == .infinity)
  }

  @Test func `a value that its type refuses to encode reads as the default and is applied nowhere`() throws {
    let device = Device(name: "D")
    device.firmware = Firmware(version: "")
    let snapshot = device.snapshot()
    #expect(snapshot.firmware == Firmware(version: "1"))
    let error = #expect(throws: SwiftDataError.modelValidationFailure) { try Device(name: "E").apply(snapshot) }
    #expect(error?.property == "firmware")
    #expect(throws: EncodingError.self) { try JSONEncoder().encode(snapshot) }
  }

  @Test func `whoever observes what takes a snapshot hears of changes`() throws {
    let context = try makeLibrary()
    let author = Author(name: "A")
    context.insert(author)
    let changes = Atomic(0)
    func track() {
      withObservationTracking {
        _ = author.snapshot()
      } onChange: {
        changes.add(1, ordering: .relaxed)
      }
    }
    track()
    author.name = "B"
    #expect(changes.load(ordering: .relaxed) == 1)
    track()
    author.books.append(Book(title: "T"))
    #expect(changes.load(ordering: .relaxed) == 2)
  }

  @Test func `a model whose row is gone has a snapshot of its last values`() throws {
    let container = try makeLibrary().container
    let (context, other) = (ModelContext(container), ModelContext(container))
    let book = Book(title: "T")
    context.insert(book)
    try context.save()
    try other.delete(model: Book.self)
    try other.save()
    #expect(book.snapshot().title == "T")
  }
}
