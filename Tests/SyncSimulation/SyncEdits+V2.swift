import Foundation
import Roost
import TestSupport

extension SyncEdits {
  /// What a user of the later program does with its models.
  mutating func editLater(_ context: ModelContext) throws {
    // Few enough that users meet.
    var few = FetchDescriptor<LibraryV2.Book>(sortBy: [SortDescriptor(\.code)])
    few.fetchLimit = 6
    let books = try context.fetch(few)
    let authors = try context.fetch(FetchDescriptor<LibraryV2.Author>(sortBy: [SortDescriptor(\.name)]))
    let readers = try context.fetch(FetchDescriptor<LibraryV2.Reader>(sortBy: [SortDescriptor(\.name)]))
    switch random.below(9) {
    case 8:
      let topics = try context.fetch(FetchDescriptor<LibraryV2.Topic>(sortBy: [SortDescriptor(\.name)]))
      authors.randomElement(using: &random)?.subject = topics.randomElement(using: &random)
    case 0: context.insert(LibraryV2.Book("b\(next())", author: authors.randomElement(using: &random)))
    case 1: context.insert(LibraryV2.Author("a\(random.below(6))"))
    case 2: context.insert(LibraryV2.Reader("r\(next())", likes: books.randomElement(using: &random)))
    case 3:
      guard let reader = readers.randomElement(using: &random) else { return }
      if random.once(in: 3) { context.delete(reader) } else { reader.favourite = books.randomElement(using: &random) }
    default:
      guard let book = books.randomElement(using: &random) else { return }
      switch random.below(8) {
      case 0: if book.copies.isEmpty { context.delete(book) }
      case 1: book.loans += 1 + random.below(5)
      case 2: edit(&book.marks, "m")
      case 3: book.rating = random.below(10)
      case 4: book.author = authors.randomElement(using: &random)
      case 5: context.insert(LibraryV2.LoanedCopy("c\(random.below(4))", of: book))
      case 6: context.insert(LibraryV2.SoldCopy("c\(random.below(4))", of: book, to: "p\(random.below(9))"))
      default:
        book.title = "t\(next())"
        book.cost = Double(next()) / 4
      }
    }
  }
}
