import Foundation
import Roost
import TestSupport

extension SyncEdits {
  /// What a user of the first program does with its models.
  mutating func edit(_ context: ModelContext) throws {
    // Few enough that users meet.
    var few = FetchDescriptor<Book>(sortBy: [SortDescriptor(\.code)])
    few.fetchLimit = 6
    let books = try context.fetch(few)
    held = books
    let authors = try context.fetch(FetchDescriptor<Author>(sortBy: [SortDescriptor(\.name)]))
    let topics = try context.fetch(FetchDescriptor<Topic>(sortBy: [SortDescriptor(\.name)]))
    let copies = try context.fetch(FetchDescriptor<Copy>(sortBy: [SortDescriptor(\.shelf)]))
    switch way(.model, of: 20) {
    case 18, 19: try editCard(LibraryV1.Card.self, context)
    case 14, 15, 16: try editBox(LibraryV1.Box.self, context)
    case 17: try editNote(LibraryV1.Note.self, context)
    case 12: passNamesOn(authors, \.name)
    case 13: replace(oneOf: authors, \.books, \.author, \.passport, context)
    case 0, 1: context.insert(Book("b\(next())", author: authors.isEmpty ? nil : random.pick(authors)))
    case 2:
      let author = Author(authorName())
      context.insert(author)
      if random.once(in: 3) { author.country = nil }
    case 3: context.insert(Topic("n\(next())"))
    case 4:
      if let topic = topics.prefix(mostRows).randomElement(using: &random) { edit(topic, topics, authors, context) }
    case 5:
      if let author = authors.prefix(mostRows).randomElement(using: &random) {
        try edit(author, authors, topics, context)
      }
    case 6:
      guard let copy = copies.randomElement(using: &random) else { return }
      switch random.below(3) {
      case 0: context.delete(copy)
      case 1: if let book = books.randomElement(using: &random) { copy.book = book }
      default: (copy as? LoanedCopy)?.reader = "r\(random.below(9))"
      }
    case 7:
      let pictures = try context.fetch(FetchDescriptor<Picture>(sortBy: [SortDescriptor(\.name)]))
      if let picture = pictures.randomElement(using: &random) { edit(picture, topics, authors, context) }
    case 8:
      let expert = authors.randomElement(using: &random)
      context.insert(contentsOf: (0...random.below(2)).map { topic(with: $0 == 0 ? expert : nil) })
    default:
      if let book = books.prefix(mostRows).randomElement(using: &random) {
        try edit(book, books, authors, topics, context)
      }
    }
  }

  /// Gives some rows the names of others, and the last one another.
  mutating func passNamesOn<Model: PersistentModel>(_ models: [Model], _ name: ReferenceWritableKeyPath<Model, String>)
  {
    guard passesNamesOn else { return }
    let some = models.shuffled(using: &random).prefix(1 + random.below(3))
    let names = some.dropFirst().map { $0[keyPath: name] } + [authorName()]
    for (model, new) in zip(some, names) { model[keyPath: name] = new }
  }

  /// Puts an author in another's place, who goes.
  mutating func replace<Author: PersistentModel, Book: AnyObject, Passport>(
    oneOf authors: [Author], _ books: KeyPath<Author, [Book]>, _ author: ReferenceWritableKeyPath<Book, Author?>,
    _ passport: ReferenceWritableKeyPath<Author, Passport?>, _ context: ModelContext
  ) {
    guard let former = authors.randomElement(using: &random), let new = authors.randomElement(using: &random),
      new !== former
    else { return }
    for book in former[keyPath: books] { book[keyPath: author] = new }
    if random.once(in: 2) { new[keyPath: passport] = former[keyPath: passport] }
    context.delete(former)
  }

  /// Gives an author a badge, or another one, or has another author have it.
  mutating func editBadge<Author: AnyAuthor>(of author: Author, _ authors: [Author], _ context: ModelContext) {
    guard let badge = author.badge else { return context.insert(Author.Own("g\(next())", of: author)) }
    if random.once(in: 2) {
      context.delete(badge)
      if random.once(in: 2) { context.insert(Author.Own("g\(next())", of: author)) }
    } else if let other = authors.randomElement(using: &random), other !== author {
      if let former = other.badge { context.delete(former) }
      badge.holder = other
    }
  }

  /// Makes a topic whose pictures come with it.
  private mutating func topic(with expert: Author?) -> Topic {
    let topic = Topic("n\(next())")
    topic.expert = expert
    topic.pictures = (0..<random.below(3)).map { _ in picture() }
    return topic
  }

  private mutating func picture() -> Picture {
    Picture("p\(next())", PictureSize(width: random.below(9), height: random.once(in: 2) ? nil : 3))
  }

  private mutating func edit(_ picture: Picture, _ topics: [Topic], _ authors: [Author], _ context: ModelContext) {
    switch random.below(7) {
    case 0: context.delete(picture)
    case 1: authors.randomElement(using: &random)?.portrait = picture
    case 2:
      if let topic = topics.randomElement(using: &random), !topic.pictures.contains(picture) {
        topic.pictures.append(picture)
      }
    case 3: picture.tags["t\(random.below(4))"] = random.once(in: 3) ? nil : random.below(9)
    case 4: picture.size.width = random.below(99)
    case 5: picture.lowest -= random.below(9)
    default: picture.kind = random.pick(PictureKind.allCases)
    }
  }

  private mutating func edit(_ topic: Topic, _ topics: [Topic], _ authors: [Author], _ context: ModelContext) {
    switch way(.topic, of: 19) {
    case 17, 18: topic.label = "e\(next())"
    case 13, 14: context.insert(Review("v\(next())", of: topic))
    case 15: if let review = topic.reviews.first { context.delete(review) }
    case 16: if let other = topics.randomElement(using: &random) { topic.reviews.last?.topic = other }
    case 11:
      if let other = topics.randomElement(using: &random), !topic.cites.contains(other) { topic.cites.append(other) }
    case 12: if !topic.citedBy.isEmpty { topic.citedBy.removeLast() }
    case 8, 9: topic.pictures.append(picture())
    case 10: if !topic.pictures.isEmpty { topic.pictures.remove(at: random.below(topic.pictures.count)) }
    case 6: topic.wider = random.once(in: 4) ? nil : topics.randomElement(using: &random)
    case 7: if topic.narrower.count > 1 { topic.narrower.insert(topic.narrower.removeLast(), at: 0) }
    case 0: context.delete(topic)
    case 1, 2: topic.expert = random.once(in: 4) ? nil : authors.randomElement(using: &random)
    case 3: topic.notes += "\(random.below(10))"
    default: topic.motto = random.once(in: 3) ? nil : "o\(random.below(20))"
    }
  }

  private mutating func edit(
    _ author: Author, _ authors: [Author], _ topics: [Topic], _ context: ModelContext
  ) throws {
    switch way(.author, of: 12) {
    case 9, 10, 11: editBadge(of: author, authors, context)
    case 6: author.portrait = random.once(in: 3) ? nil : picture()
    case 7: author.passport = random.once(in: 4) ? nil : Passport("w\(next())")
    case 8:
      let passports = try context.fetch(FetchDescriptor<Passport>(sortBy: [SortDescriptor(\.number)]))
      author.passport = passports.randomElement(using: &random)
    case 0: if author.books.allSatisfy(\.copies.isEmpty) { context.delete(author) }
    case 1: author.name = authorName()
    case 2: (author.born, author.country) = (random.below(2_000), random.once(in: 2) ? nil : "there")
    case 3, 4: author.subject = random.once(in: 4) ? nil : topics.randomElement(using: &random)
    default: if author.books.count > 1 { author.books.insert(author.books.removeLast(), at: 0) }
    }
  }

  private mutating func edit(
    _ book: Book, _ books: [Book], _ authors: [Author], _ topics: [Topic], _ context: ModelContext
  ) throws {
    switch way(.book, of: 20) {
    case 17: book.isOpen.toggle()
    case 12, 13: context.insert(Chapter("h\(next())", of: book))
    case 14: if book.chapters.count > 1 { book.chapters.insert(book.chapters.removeLast(), at: 0) }
    case 15:
      guard let chapter = book.chapters.randomElement(using: &random) else { return }
      if random.once(in: 2) { context.delete(chapter) } else if let other = books.last { chapter.book = other }
    case 0: if book.copies.isEmpty { context.delete(book) }
    case 1, 2: book.loans += 1 + random.below(5)
    case 3: edit(&book.marks, "m")
    case 4: edit(&book.lines, "l")
    case 5: book.best += random.below(9)
    case 6:
      if let topic = topics.randomElement(using: &random), !book.topics.contains(topic) { book.topics.append(topic) }
    case 7: if !book.topics.isEmpty { book.topics.removeFirst() }
    case 8: book.author = random.once(in: 3) ? nil : authors.randomElement(using: &random)
    case 9:
      let shelf = "c\(random.below(4))"
      context.insert(random.once(in: 2) ? LoanedCopy(shelf, of: book) : Copy(shelf, of: book))
    case 10:
      book.scan = random.once(in: 4) ? nil : data("scan", 50 + random.below(400))
    case 16: book.cover = random.once(in: 4) ? nil : data("cover", random.below(9))
    default:
      book.title = "t\(next())"
      book.price = random.once(in: 4) ? nil : Double(next()) / 4
      if random.once(in: 4) { book.stars = random.below(4) }
    }
  }

  /// Bytes that are nobody else's.
  mutating func data(_ name: String, _ rest: Int) -> Data {
    Data("\(name)\(next()) ".utf8) + Data(repeating: 0x20, count: rest)
  }

  mutating func edit(_ elements: inout [String], _ letter: String) {
    if elements.isEmpty || random.once(in: 2) {
      elements.insert("\(letter)\(next())", at: random.below(elements.count + 1))
    } else {
      elements.remove(at: random.below(elements.count))
    }
  }
}
