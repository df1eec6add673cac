import Foundation
import Roost
import RoostEngine
import RoostTesting
import Testing

@Suite struct OrderTests {
  private let folder: TemporaryFolder
  private let container: ModelContainer
  private let context: ModelContext

  init() throws {
    folder = try TemporaryFolder()
    container = try ModelContainer(for: Author.self, configurations: ModelConfiguration(url: folder.store))
    context = ModelContext(container)
  }

  @Test func `an array that is assigned keeps its order`() throws {
    let author = Author(name: "")
    let books = ["A", "B", "C", "D"].map { Book(title: $0) }
    books.forEach { context.insert($0) }
    author.books = [books[2], books[0], books[3], books[1]]
    context.insert(author)
    try context.save()
    #expect(try titlesElsewhere() == ["C", "A", "D", "B"])
    author.books.reverse()
    #expect(context.hasChanges)
    try context.save()
    #expect(author.books.map(\.title) == ["B", "D", "A", "C"])
    #expect(try titlesElsewhere() == ["B", "D", "A", "C"])
  }

  @Test func `moving one of many models writes one row`() throws {
    let recorder = StatementRecorder()
    let context = ModelContext(
      try ModelContainer(
        for: Author.self, configurations: ModelConfiguration(url: folder.store).recording(to: recorder)))
    let author = Author(name: "")
    author.books = (0..<10_000).map { Book(title: "\($0)") }
    context.insert(author)
    try context.save()
    #expect(try placeCount() == 0)
    let moved = author.books.remove(at: 9_000)
    author.books.insert(moved, at: 17)
    let statements = try recorder.statements { try context.save() }
    // Once for the owner that it left and joined, once for its place.
    #expect(statements.filter { $0.hasPrefix("UPDATE \"Book\"") }.count <= 2, "\(statements)")
    #expect(try placeCount() == 1)
    #expect(try titlesElsewhere()[16...18] == ["16", "9000", "17"])
  }

  @Test func `moving one of many models of a many-to-many relationship writes one row`() throws {
    let recorder = StatementRecorder()
    let context = ModelContext(
      try ModelContainer(
        for: Author.self, configurations: ModelConfiguration(url: folder.store).recording(to: recorder)))
    let tag = Tag(name: "birds")
    tag.books = (0..<1_000).map { Book(title: "\($0)") }
    context.insert(tag)
    try context.save()
    tag.books.insert(tag.books.remove(at: 900), at: 17)
    let statements = try recorder.statements { try context.save() }
    #expect(statements.filter { $0.hasPrefix("UPDATE \"Book_tags\"") }.count == 1, "\(statements)")
    let found = try #require(try ModelContext(context.container).fetch(FetchDescriptor<Tag>()).first)
    #expect(found.books[16...18].map(\.title) == ["16", "900", "17"])
  }

  @Test func `a place between two others is found however often it is used`() throws {
    let author = Author(name: "")
    author.books = (0..<5).map { Book(title: "\($0)") }
    context.insert(author)
    try context.save()
    for _ in 0..<120 {
      let last = author.books.removeLast()
      author.books.insert(last, at: 1)
      try context.save()
    }
    // 120 turns of the last four.
    #expect(try titlesElsewhere() == ["0", "1", "2", "3", "4"])
  }

  @Test func `a new model comes behind those that were moved to the end`() throws {
    let author = Author(name: "")
    author.books = ["A", "B", "C"].map { Book(title: $0) }
    context.insert(author)
    try context.save()
    for _ in 0..<2 {
      author.books.append(author.books.removeFirst())
      try context.save()
    }
    // By the other side, and in a context that has not read the list.
    let other = ModelContext(container)
    let same = try #require(try other.fetch(FetchDescriptor<Author>()).first)
    other.insert(Book(title: "D", author: same))
    try other.save()
    #expect(try titlesElsewhere() == ["C", "A", "B", "D"])
  }

  @Test func `a model that comes from another list stands at the end of one that was not read`() throws {
    let (first, second) = (Author(name: "1"), Author(name: "2"))
    first.books = ["A", "B", "C"].map { Book(title: $0) }
    second.books = ["D", "E"].map { Book(title: $0) }
    context.insert(first)
    context.insert(second)
    try context.save()
    let other = ModelContext(container)
    let authors = try other.fetch(FetchDescriptor<Author>(sortBy: [SortDescriptor(\.name)]))
    let book = try #require(try other.fetch(FetchDescriptor<Book>(predicate: #Predicate { $0.title == "A" })).first)
    book.author = authors[1]
    try other.save()
    #expect(authors[1].books.map(\.title) == ["D", "E", "A"])
    #expect(try titlesElsewhere("2") == ["D", "E", "A"])
    // Back again: the place in the former list is forgotten.
    book.author = authors[0]
    try other.save()
    #expect(try titlesElsewhere("1") == ["B", "C", "A"])
  }

  @Test func `a model whose deletion is taken back stands at the end of the lists that it came to`() throws {
    let (author, tag, old) = (Author(name: ""), Tag(name: ""), Book(title: "old"))
    context.insert(old)
    try context.save()
    author.books = [Book(title: "A")]
    context.insert(author)
    tag.books = author.books
    try context.save()
    author.books.append(old)
    tag.books.append(old)
    context.delete(old)
    // The lists are read again.
    let other = ModelContext(container)
    other.insert(Tag(name: "other"))
    try other.save()
    context.insert(old)
    #expect(author.books.map(\.title) == ["A", "old"])
    #expect(tag.books.map(\.title) == ["A", "old"])
    try context.save()
    #expect(try titlesElsewhere() == ["A", "old"])
    let found = try ModelContext(container).fetch(FetchDescriptor<Tag>(predicate: #Predicate { $0.name == "" }))
    #expect(try #require(found.first).books.map(\.title) == ["A", "old"])
  }

  @Test func `a row that another program inserts is in the list`() throws {
    let author = Author(name: "")
    author.books = ["A", "B"].map { Book(title: $0) }
    context.insert(author)
    try context.save()
    let connection = try Connection(ConnectionOptions(location: .file(path: folder.store.path)))
    try connection.execute(
      "INSERT INTO Book (title, pages, genre, author) SELECT 'C', 0, 'fiction', _pk FROM Author")
    #expect(try titlesElsewhere() == ["A", "B", "C"])
  }

  @Test func `links are written in the order in which their table has them, and first those that go`() throws {
    let recorder = StatementRecorder()
    var configuration = ModelConfiguration(isStoredInMemoryOnly: true).recording(to: recorder)
    configuration.storeOptions.reportsArguments = true
    let context = ModelContext(try ModelContainer(for: Author.self, configurations: configuration))
    let tags = (0..<6).map { Tag(name: "\($0)") }
    let books = (0..<20).map { Book(title: "\($0)") }
    tags.forEach { context.insert($0) }
    books.forEach { context.insert($0) }
    try context.save()
    func links(_ verb: String, _ statements: [String]) -> [[Int]] {
      statements.filter { $0.hasPrefix("\(verb) \"Book_tags\"") }
        .map { $0.split { !$0.isNumber }.compactMap { Int($0) } }
    }
    for tag in tags { tag.books = books.reversed() }
    var written = try recorder.statements { try context.save() }
    var added = links("INSERT INTO", written)
    #expect(added.count == 120)
    #expect(added == added.sorted { $0.lexicographicallyPrecedes($1) })
    for book in books.prefix(10) { book.tags.removeAll { $0.name < "3" } }
    books[15].tags.removeAll()
    let tag = Tag(name: "new")
    for book in books.reversed() { book.tags.append(tag) }
    written = try recorder.statements { try context.save() }
    added = links("INSERT INTO", written)
    let removed = links("DELETE FROM", written)
    #expect(added.count == 20 && removed.count == 36)
    #expect(added == added.sorted { $0.lexicographicallyPrecedes($1) })
    #expect(removed == removed.sorted { $0.lexicographicallyPrecedes($1) })
    let lastRemoval = written.lastIndex { $0.hasPrefix("DELETE FROM \"Book_tags\"") } ?? .max
    #expect(lastRemoval < written.firstIndex { $0.hasPrefix("INSERT INTO \"Book_tags\"") } ?? -1)
    let found = try ModelContext(context.container).fetch(FetchDescriptor<Book>(sortBy: [SortDescriptor(\.title)]))
    for book in found {
      let number = Int(book.title) ?? 0
      let kept = number == 15 ? [] : (0..<6).filter { number >= 10 || $0 >= 3 }.map { "\($0)" }
      #expect(Set(book.tags.map(\.name)) == Set(kept + ["new"]), "\(book.title)")
    }
  }

  @Test func `a link is there that goes with one row and comes with a new model that becomes it`() throws {
    let book = Book(title: "A")
    book.tags = [Tag(name: "birds")]
    context.insert(book)
    try context.save()
    for _ in 0..<8 {
      book.tags = [Tag(name: "birds")]
      try context.save()
      let found = try #require(try ModelContext(container).fetch(FetchDescriptor<Book>()).first)
      #expect(found.tags.map(\.name) == ["birds"])
    }
  }

  @Test func `a model that comes to a list from another has the ends of two indexes read`() throws {
    let recorder = StatementRecorder()
    let container = try ModelContainer(
      for: Author.self, configurations: ModelConfiguration(url: folder.store).recording(to: recorder))
    let writer = ModelContext(container)
    let (first, second) = (Author(name: "1"), Author(name: "2"))
    first.books = (0..<20).map { Book(title: "\($0)") }
    second.books = (20..<40).map { Book(title: "\($0)") }
    writer.insert(first)
    writer.insert(second)
    try writer.save()
    second.books.insert(second.books.remove(at: 3), at: 15)
    try writer.save()
    let context = ModelContext(container)
    let target = try #require(
      try context.fetch(FetchDescriptor<Author>(predicate: #Predicate { $0.name == "2" })).first)
    let book = try #require(try context.fetch(FetchDescriptor<Book>(predicate: #Predicate { $0.title == "7" })).first)
    book.author = target
    let reads = try recorder.statements { try context.save() }
      .filter { $0.hasPrefix("SELECT") && $0.contains("_author_position") }
    #expect(reads.count == 2, "\(reads)")
    let connection = try Connection(ConnectionOptions(location: .file(path: folder.store.path), mode: .readOnly))
    for read in reads {
      let plan = try connection.statement("EXPLAIN QUERY PLAN " + read)
      defer { plan.reset() }
      while try plan.step() {
        let line = plan.string(3)
        #expect(line.hasPrefix("SEARCH") && line.contains("INDEX") && !line.contains("TEMP"), "\(read): \(line)")
      }
    }
    #expect(try titlesElsewhere("2").suffix(2) == ["39", "7"])
  }

  @Test func `models that come to lists that were not read stand behind all others, wherever these stand`() throws {
    let seed = SeededRandom.seed
    var random = SeededRandom(seed: seed)
    for number in 0..<3 { context.insert(Author(name: "\(number)")) }
    for number in 0..<14 { context.insert(Book(title: "\(number)")) }
    try context.save()
    var owned = [[Int]](repeating: [], count: 3)
    var count = 14
    for step in 0..<200 {
      let context = ModelContext(container)
      let authors = try context.fetch(FetchDescriptor<Author>(sortBy: [SortDescriptor(\.name)]))
      let books = try context.fetch(FetchDescriptor<Book>(sortBy: [SortDescriptor(\.persistentModelID)]))
      let byNumber = Dictionary(uniqueKeysWithValues: books.map { (Int($0.title) ?? -1, $0) })
      let target = random.below(3)
      switch random.below(4) {
      case 0:
        owned[target].shuffle(using: &random)
        authors[target].books = owned[target].compactMap { byNumber[$0] }
      case 1:
        context.insert(Book(title: "\(count)", author: authors[target]))
        owned[target].append(count)
        count += 1
      default:
        for number in (0..<count).shuffled(using: &random).prefix(1 + random.below(4)) {
          guard let book = byNumber[number], !owned[target].contains(number) else { continue }
          for index in owned.indices { owned[index].removeAll { $0 == number } }
          owned[target].append(number)
          book.author = authors[target]
        }
        // A new one among them.
        if random.once(in: 4) {
          context.insert(Book(title: "\(count)", author: authors[target]))
          owned[target].append(count)
          count += 1
        }
      }
      try context.save()
      for (author, numbers) in owned.enumerated() {
        try #require(try titlesElsewhere("\(author)") == numbers.map { "\($0)" }, "seed \(seed), step \(step)")
      }
    }
  }

  /// Lists of both kinds against plain arrays.
  @Test func `lists are as arrays after any edits`() throws {
    let seed = SeededRandom.seed
    var random = SeededRandom(seed: seed)
    let context = ModelContext(container)
    let authors = (0..<3).map { Author(name: "\($0)") }
    let books = (0..<12).map { Book(title: "\($0)") }
    let tags = (0..<4).map { Tag(name: "\($0)") }
    authors.forEach { context.insert($0) }
    books.shuffled(using: &random).forEach { context.insert($0) }
    tags.forEach { context.insert($0) }
    var owned = [[Int]](repeating: [], count: authors.count)
    var tagged = [[Int]](repeating: [], count: tags.count)
    for step in 0..<600 {
      let book = random.below(books.count)
      let author = random.below(authors.count)
      let tag = random.below(tags.count)
      switch random.below(7) {
      case 0:
        if owned[author].contains(book) { break }
        for index in owned.indices { owned[index].removeAll { $0 == book } }
        owned[author].append(book)
        if random.once(in: 2) {
          books[book].author = authors[author]
        } else {
          authors[author].books.append(books[book])
        }
      case 1:
        for index in owned.indices { owned[index].removeAll { $0 == book } }
        books[book].author = nil
      case 2:
        owned[author].shuffle(using: &random)
        authors[author].books = owned[author].map { books[$0] }
      case 3:
        if tagged[tag].contains(book) { break }
        let place = random.below(tagged[tag].count + 1)
        tagged[tag].insert(book, at: place)
        tags[tag].books.insert(books[book], at: place)
      case 4:
        tagged[tag].removeAll { $0 == book }
        tags[tag].books.removeAll { $0 === books[book] }
      case 5:
        tagged[tag].shuffle(using: &random)
        tags[tag].books = tagged[tag].map { books[$0] }
      default:
        try context.save()
        let other = ModelContext(container)
        let found = try other.fetch(FetchDescriptor<Author>(sortBy: [SortDescriptor(\.name)]))
        let foundTags = try other.fetch(FetchDescriptor<Tag>(sortBy: [SortDescriptor(\.name)]))
        try #require(found.map { $0.books.map { Int($0.title) } } == owned, "seed \(seed), step \(step)")
        try #require(foundTags.map { $0.books.map { Int($0.title) } } == tagged, "seed \(seed), step \(step)")
      }
      try #require(authors.map { $0.books.map { Int($0.title) } } == owned, "seed \(seed), step \(step)")
      try #require(tags.map { $0.books.map { Int($0.title) } } == tagged, "seed \(seed), step \(step)")
    }
  }

  private func titlesElsewhere(_ name: String = "") throws -> [String] {
    let authors = try ModelContext(container).fetch(
      FetchDescriptor<Author>(predicate: #Predicate { $0.name == name }))
    return authors.flatMap { $0.books.map(\.title) }
  }

  /// How many books have a place of their own.
  private func placeCount() throws -> Int64 {
    let connection = try Connection(ConnectionOptions(location: .file(path: folder.store.path), mode: .readOnly))
    let statement = try connection.statement("SELECT count(_author_position) FROM Book")
    defer { statement.reset() }
    return try statement.step() ? statement.int64(0) : -1
  }
}
