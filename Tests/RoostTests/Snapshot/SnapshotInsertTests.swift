import Foundation
import Roost
import Testing

@Suite struct SnapshotInsertTests {
  @Test func `a new model has the values, and refers to the same models`() throws {
    let container = try makeLibrary().container
    let context = ModelContext(container)
    let book = Book(title: "T", author: Author(name: "A"))
    book.tags = [Tag(name: "x")]
    context.insert(book)
    try context.save()

    let other = ModelContext(container)
    let copy = try other.insert(book.snapshot())
    #expect(copy.persistentModelID != book.persistentModelID)
    #expect(copy.modelContext === other)
    try other.save()
    #expect(copy.snapshot().tags == book.snapshot().tags)
    #expect(copy.author?.name == "A")
    #expect(copy.author?.books.count == 2)
    #expect(copy.tags.first?.books.count == 2)
    #expect(try context.fetchCount(FetchDescriptor<Book>()) == 2)
  }

  @Test func `a deleted model comes back with its relationships`() throws {
    let context = try makeLibrary()
    let author = Author(name: "A")
    let book = Book(title: "T", author: author)
    context.insert(author)
    try context.save()
    let snapshot = book.snapshot()
    context.delete(book)
    try context.save()
    let restored = try context.insert(snapshot)
    try context.save()
    #expect(restored.title == "T")
    #expect(author.books == [restored])
  }

  @Test func `relationships to another store's models are refused before anything is inserted`() throws {
    let (source, destination) = (try makeLibrary(), try makeLibrary())
    let book = Book(title: "T", author: Author(name: "A"))
    source.insert(book)
    try source.save()
    var snapshot = book.snapshot()
    let error = #expect(throws: SwiftDataError.modelValidationFailure) { try destination.insert(snapshot) }
    #expect(error?.property == "author")
    #expect(error?.remedy == "Take the identifier out of the snapshot's author.")
    #expect(!destination.hasChanges)

    snapshot.author = nil
    try destination.insert(snapshot)
    try destination.save()
    #expect(try destination.fetch(FetchDescriptor<Book>()).map(\.title) == ["T"])
  }

  @Test func `a required relationship must lead somewhere`() throws {
    let context = try makePeople()
    let person = Person(name: "A")
    let loan = Loan(amount: 3, borrower: person)
    context.insert(person)
    try context.save()
    var snapshot = loan.snapshot()
    #expect(snapshot.borrower == person.persistentModelID)
    let copy = try context.insert(snapshot)
    #expect(copy.borrower === person)
    snapshot.borrower = Person(name: "nobody").persistentModelID
    let error = #expect(throws: SwiftDataError.modelValidationFailure) { try context.insert(snapshot) }
    #expect(error?.property == "borrower")
  }

  @Test func `a type that the schema does not have is refused`() throws {
    let context = try makeLibrary()
    #expect(throws: SwiftDataError.modelNotInSchema) { try context.insert(Device(name: "D").snapshot()) }
  }

  @Test func `what a snapshot holds is what its copies hold, however it travels`() throws {
    let seed = SeededRandom.seed
    var random = SeededRandom(seed: seed)
    let context = ModelContext(
      try ModelContainer(for: Subject.self, configurations: ModelConfiguration(isStoredInMemoryOnly: true)))
    let (encoder, decoder) = (JSONEncoder(), JSONDecoder())
    encoder.nonConformingFloatEncodingStrategy = .convertToString(positiveInfinity: "+", negativeInfinity: "-", nan: "")
    decoder.nonConformingFloatDecodingStrategy = .convertFromString(
      positiveInfinity: "+", negativeInfinity: "-", nan: "")
    for _ in 0..<100 {
      let snapshot = Subject(random: &random).snapshot()
      let received = try decoder.decode(ModelSnapshot<Subject>.self, from: encoder.encode(snapshot))
      #expect(received == snapshot, "ROOST_SEED=\(seed)")
      let copy = try context.insert(received)
      try context.save()
      let other = ModelContext(context.container)
      let stored = try #require(other.model(for: copy.persistentModelID) as? Subject)
      try stored.apply(snapshot)
      #expect(!other.hasChanges, "ROOST_SEED=\(seed)")
    }
  }
}
