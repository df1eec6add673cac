import Roost
import RoostCore
import Testing

/// Which models a context's observers are told to have changed, and how long these are kept for that.
struct ContextChangesTests {
  private let context: ModelContext
  private let changes: ContextChanges

  init() throws {
    context = try makeLibrary()
    changes = try #require(context.core.observedChanges().first)
  }

  private func signal() -> ChangeSignal { ChangeSignal(actor: nil, own: context.core) }

  private func titles(_ reader: ContextChanges.Reader) -> Set<String>? {
    changes.takeTouches(for: reader).map { touches in Set(touches.compactMap { ($0.model as? Book)?.title }) }
  }

  /// A book that nobody but the changes keeps.
  private func rolledBack() -> Book {
    let book = Book(title: "A")
    context.insert(book)
    context.rollback()
    return book
  }

  @Test func `each reader is told once of each model that changes while it is there`() {
    let signals = [signal(), signal()]
    let first = changes.add(signals[0], readsTouches: true)
    context.insert(Book(title: "A"))
    let second = changes.add(signals[1], readsTouches: true)
    context.insert(Book(title: "B"))
    #expect(titles(first) == ["A", "B"])
    #expect(titles(first) == [])
    context.insert(Book(title: "C"))
    #expect(titles(second) == ["B", "C"])
    #expect(titles(first) == ["C"])
    #expect(titles(second) == [])
    withExtendedLifetime(signals) {}
  }

  @Test func `a changed model is kept until the last reader has been told`() {
    let signals = [signal(), signal(), signal()]
    let readers = signals.map { changes.add($0, readsTouches: true) }
    weak var book: Book?
    book = rolledBack()
    for reader in readers {
      #expect(book != nil)
      _ = changes.takeTouches(for: reader)
    }
    #expect(book == nil)
    withExtendedLifetime(signals) {}
  }

  @Test func `for an observer that is gone, or reads no models, none is kept`() {
    let signals = [signal(), signal()]
    let reader = changes.add(signals[0], readsTouches: true)
    changes.add(signals[1])
    changes.add(signal(), readsTouches: true)
    weak var book: Book?
    book = rolledBack()
    changes.observersLook()
    #expect(book != nil)
    _ = changes.takeTouches(for: reader)
    #expect(book == nil)
    withExtendedLifetime(signals) {}
  }

  @Test func `of more models than are kept none is told, and later ones to those who have asked since`() {
    let signals = [signal(), signal()]
    let readers = signals.map { changes.add($0, readsTouches: true) }
    for number in 0..<1_030 { context.insert(Book(title: "\(number)")) }
    #expect(titles(readers[0]) == nil)
    context.insert(Book(title: "A"))
    #expect(titles(readers[0]) == ["A"])
    #expect(titles(readers[1]) == nil)
    #expect(titles(readers[1]) == [])
    withExtendedLifetime(signals) {}
  }
}
