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
    held = books
    let authors = try context.fetch(FetchDescriptor<LibraryV2.Author>(sortBy: [SortDescriptor(\.name)]))
    let readers = try context.fetch(FetchDescriptor<LibraryV2.Reader>(sortBy: [SortDescriptor(\.name)]))
    let topics = try context.fetch(FetchDescriptor<LibraryV2.Topic>(sortBy: [SortDescriptor(\.name)]))
    let isThird = context.container.schema.version == LibraryV3.versionIdentifier
    switch way(.laterModel, of: 22) {
    case 15, 16, 17: try editBox(LibraryV2.Box.self, context)
    case 18:
      if isThird { try editNote(LibraryV3.Note.self, context) } else { try editNote(LibraryV2.Note.self, context) }
    case 19, 20, 21:
      if isThird { try editCard(LibraryV3.Card.self, context) } else { try editCard(LibraryV2.Card.self, context) }
    case 13: passNamesOn(authors, \.name)
    case 14: replace(oneOf: authors, \.books, \.author, \.passport, context)
    case 0: context.insert(LibraryV2.Book("b\(next())", author: authors.randomElement(using: &random)))
    case 1: context.insert(LibraryV2.Author(authorName()))
    case 2: context.insert(LibraryV2.Reader("r\(next())", likes: books.randomElement(using: &random)))
    case 3:
      guard let reader = readers.randomElement(using: &random) else { return }
      if random.once(in: 3) { context.delete(reader) } else { reader.favourite = books.randomElement(using: &random) }
    case 4, 5:
      if let topic = topics.prefix(mostRows).randomElement(using: &random) { edit(topic, topics, authors, context) }
    case 6:
      let copies = try context.fetch(FetchDescriptor<LibraryV2.Copy>(sortBy: [SortDescriptor(\.shelf)]))
      guard let copy = copies.randomElement(using: &random) else { return }
      if random.once(in: 2) { context.delete(copy) } else if let book = books.first { copy.book = book }
    case 7:
      if let author = authors.prefix(mostRows).randomElement(using: &random) { edit(author, authors, topics, context) }
    default: if let book = books.prefix(mostRows).randomElement(using: &random) { edit(book, authors, topics, context) }
    }
  }

  private mutating func edit(
    _ topic: LibraryV2.Topic, _ topics: [LibraryV2.Topic], _ authors: [LibraryV2.Author], _ context: ModelContext
  ) {
    switch random.below(12) {
    case 10, 11: topic.label = "e\(next())"
    case 8: context.insert(LibraryV2.Review("v\(next())", of: topic))
    case 9: if let review = topic.reviews.first { context.delete(review) }
    case 0: context.delete(topic)
    case 1: topic.expert = authors.randomElement(using: &random)
    case 2: topic.notes += "\(random.below(10))"
    case 3: topic.wider = random.once(in: 4) ? nil : topics.randomElement(using: &random)
    case 4: if topic.narrower.count > 1 { topic.narrower.insert(topic.narrower.removeLast(), at: 0) }
    case 5: if let picture = topic.pictures.first { context.delete(picture) }
    default: topic.pictures.append(LibraryV2.Picture("p\(next())", PictureSize(width: 1)))
    }
  }

  private mutating func edit(
    _ author: LibraryV2.Author, _ authors: [LibraryV2.Author], _ topics: [LibraryV2.Topic], _ context: ModelContext
  ) {
    switch random.below(8) {
    case 6, 7: editBadge(of: author, authors, context)
    case 5: author.passport = random.once(in: 3) ? nil : LibraryV2.Passport("w\(next())")
    case 0: if author.books.allSatisfy(\.copies.isEmpty) { context.delete(author) }
    case 1: author.name = authorName()
    case 2: author.subject = topics.randomElement(using: &random)
    case 3: author.portrait = random.once(in: 3) ? nil : LibraryV2.Picture("p\(next())", PictureSize(width: 2))
    default: if author.books.count > 1 { author.books.insert(author.books.removeLast(), at: 0) }
    }
  }

  private mutating func edit(
    _ book: LibraryV2.Book, _ authors: [LibraryV2.Author], _ topics: [LibraryV2.Topic], _ context: ModelContext
  ) {
    switch random.below(14) {
    case 13: book.isOpen.toggle()
    case 11: context.insert(LibraryV2.Chapter("h\(next())", of: book))
    case 12: if let chapter = book.chapters.first { context.delete(chapter) }
    case 0: if book.copies.isEmpty { context.delete(book) }
    case 1: book.loans += 1 + random.below(5)
    case 2: edit(&book.marks, "m")
    case 3:
      switch random.below(3) {
      case 0: book.rating = random.below(10)
      case 1: book.token = "k\(next())"
      default: book.stars = random.once(in: 2) ? nil : random.below(4)
      }
    case 4: book.author = authors.randomElement(using: &random)
    case 5: context.insert(LibraryV2.LoanedCopy("c\(random.below(4))", of: book))
    case 6: context.insert(LibraryV2.SoldCopy("c\(random.below(4))", of: book, to: "p\(random.below(9))"))
    case 7:
      if let topic = topics.randomElement(using: &random), !book.topics.contains(topic) { book.topics.append(topic) }
    case 8: if !book.topics.isEmpty { book.topics.removeFirst() }
    case 9: book.scan = random.once(in: 4) ? nil : data("scan", random.below(400))
    default:
      book.title = "t\(next())"
      book.cost = Double(next()) / 4
    }
  }
}
