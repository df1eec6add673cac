import Observation
import Roost
import Synchronization
import Testing

@Suite struct ObservationTests {
  @Test(arguments: [false, true])
  func `a change of a property that was read is noticed, another is not`(isInserted: Bool) throws {
    let context = try makeLibrary()
    let (book, other) = (Book(title: "A"), Book(title: "B"))
    if isInserted {
      context.insert(book)
      context.insert(other)
      try context.save()
    }
    let changes = Atomic<Int>(0)
    func track() {
      withObservationTracking {
        _ = book.title
      } onChange: {
        changes.add(1, ordering: .relaxed)
      }
    }
    track()
    other.title = "not this one"
    book.pages = 3
    #expect(changes.load(ordering: .relaxed) == 0)
    book.title = "A2"
    #expect(changes.load(ordering: .relaxed) == 1)
    track()
    book.title = "A3"
    #expect(changes.load(ordering: .relaxed) == 2)
  }

  @Test func `linking one side is noticed on the other`() throws {
    let context = try makeLibrary()
    let (author, book) = (Author(name: "Lack"), Book(title: "A"))
    context.insert(author)
    context.insert(book)
    let changes = Atomic<Int>(0)
    withObservationTracking {
      _ = author.books
    } onChange: {
      changes.add(1, ordering: .relaxed)
    }
    book.author = author
    #expect(changes.load(ordering: .relaxed) == 1)
  }
}
