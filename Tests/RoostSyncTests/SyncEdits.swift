import Foundation
import Roost
import RoostCore
import RoostEngine
import RoostSync
import TestSupport

/// What the users of a device do, by all ways that there are.
enum SyncEdits {
  static func edit(_ machine: Machine, _ random: inout SeededRandom, _ nextCode: inout Int) throws {
    switch random.below(20) {
    case 0: try sql(machine, &random)
    case 1: try shell(machine, &random, &nextCode)
    case 2:
      let limit = random.below(5)
      try machine.context.update(model: Book.self, where: #Predicate { $0.loans > limit }, set: \.loans += 2)
    case 3: try models(ModelContext(machine.container), &random, &nextCode)
    case 4:
      // Another program.
      let container = try ModelContainer(
        for: Schema([Author.self, Book.self, Topic.self, Copy.self]),
        configurations: ModelConfiguration(url: machine.url))
      try models(ModelContext(container), &random, &nextCode)
    default: try models(machine.context, &random, &nextCode)
    }
  }

  private static func models(_ context: ModelContext, _ random: inout SeededRandom, _ nextCode: inout Int) throws {
    context.autosaveEnabled = false
    for _ in 0..<1 + random.below(3) {
      let books = try context.fetch(FetchDescriptor<Book>(sortBy: [SortDescriptor(\.code)]))
      let authors = try context.fetch(FetchDescriptor<Author>(sortBy: [SortDescriptor(\.name)]))
      let topics = try context.fetch(FetchDescriptor<Topic>(sortBy: [SortDescriptor(\.name)]))
      let copies = try context.fetch(FetchDescriptor<Copy>(sortBy: [SortDescriptor(\.shelf)]))
      func code() -> String {
        nextCode += 1
        return "b\(nextCode)"
      }
      switch random.below(20) {
      case 0, 1, 2: context.insert(Book(code(), author: authors.isEmpty ? nil : random.pick(authors)))
      case 3, 4: context.insert(Author("a\(random.below(6))"))
      case 5: context.insert(Topic(code()))
      case 6: if let book = books.randomElement(using: &random) { context.insert(Copy(code(), of: book)) }
      case 7: if let book = books.randomElement(using: &random), book.copies.isEmpty { context.delete(book) }
      case 8:
        if let author = authors.randomElement(using: &random), author.books.allSatisfy(\.copies.isEmpty) {
          context.delete(author)
        }
      case 9: if let topic = topics.randomElement(using: &random) { context.delete(topic) }
      case 10: if let copy = copies.randomElement(using: &random) { context.delete(copy) }
      case 11, 12: if let book = books.randomElement(using: &random) { book.loans += 1 + random.below(5) }
      case 13:
        if let book = books.randomElement(using: &random) {
          if book.marks.isEmpty || random.once(in: 2) {
            book.marks.append("m\(random.below(9))")
          } else {
            book.marks.removeFirst()
          }
        }
      case 14:
        if let book = books.randomElement(using: &random) {
          if let topic = topics.randomElement(using: &random), !book.topics.contains(topic) {
            book.topics.append(topic)
          }
        }
      case 15: if let book = books.randomElement(using: &random), !book.topics.isEmpty { book.topics.removeFirst() }
      case 16:
        if let book = books.randomElement(using: &random) {
          book.author = random.once(in: 3) ? nil : authors.randomElement(using: &random)
        }
      case 17:
        if let author = authors.randomElement(using: &random), author.books.count > 1 {
          author.books.insert(author.books.removeLast(), at: 0)
        }
      case 18:
        if let copy = copies.randomElement(using: &random), let book = books.randomElement(using: &random) {
          copy.book = book
        }
      default:
        if let book = books.randomElement(using: &random) {
          book.title = "t\(random.below(100))"
          book.price = random.once(in: 4) ? nil : Double(random.below(100)) / 4
        }
      }
    }
    do {
      try context.save()
    } catch {
      // Such as a deletion that a copy forbids.
      context.rollback()
    }
  }

  /// SQL by the program itself.
  private static func sql(_ machine: Machine, _ random: inout SeededRandom) throws {
    let title = "s\(random.below(50))"
    try machine.context.execute(sql: "UPDATE Book SET title = \(title), loans = loans + 1 WHERE _pk % 3 = 1")
  }

  /// The sqlite3 shell.
  private static func shell(_ machine: Machine, _ random: inout SeededRandom, _ nextCode: inout Int) throws {
    let connection = try Connection(ConnectionOptions(location: .file(path: machine.url.path)))
    defer { connection.close() }
    try connection.execute("PRAGMA foreign_keys = ON")
    nextCode += 1
    switch random.below(4) {
    case 0: try connection.execute("INSERT INTO Topic (name) VALUES ('b\(nextCode)')")
    case 1: try connection.execute("UPDATE Book SET loans = loans + 3 WHERE _pk = (SELECT max(_pk) FROM Book)")
    case 2: try connection.execute("DELETE FROM Copy WHERE _pk = (SELECT max(_pk) FROM Copy)")
    // A copy may forbid that a book goes with its author.
    default:
      try? connection.execute(
        "INSERT OR REPLACE INTO Author (name, born) VALUES ('a\(random.below(6))', \(random.below(2_000)))")
    }
  }
}
