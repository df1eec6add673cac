import EncryptionSupport
import Foundation
import Roost
import RoostCore
import RoostEngine
import Synchronization
import Testing

/// What those who listen to a store are told of each write.
@Suite(.rowsTold, .timeLimit(.minutes(20))) struct WrittenRowsTests {
  private let container: ModelContainer
  private let context: ModelContext
  private let listener = Listener()

  init() throws {
    let schema = Schema([Author.self, Person.self])
    container = try ModelContainer(for: schema, configurations: ModelConfiguration(isStoredInMemoryOnly: true))
    context = ModelContext(container)
    container.store.tell(listener, isObserver: false)
  }

  @Test func `a save tells the rows that it inserted, updated and deleted, and who wrote`() throws {
    let (first, second) = (Book(title: "A"), Book(title: "B"))
    context.insert(first)
    context.insert(second)
    try context.save()
    let inserted = try #require(listener.take().first)
    #expect(inserted.written.rows(of: Book.self, container)?.inserted == [key(first), key(second)])
    #expect(inserted.written.tables == ["Book"] && inserted.written.unknown == [])
    #expect(inserted.writer == ObjectIdentifier(context.core))
    first.pages = 7
    context.delete(second)
    try context.save()
    let changed = try #require(listener.take().first?.written.rows(of: Book.self, container))
    #expect(changed.inserted.isEmpty && changed.deleted == [key(second)])
    #expect(changed.updated.map(\.key) == [key(first)] && names(changed.updated[0].properties) == ["pages"])
  }

  @Test func `a link is told as a change of the lists on both sides`() throws {
    let (book, tag) = (Book(title: "A"), Tag(name: "t"))
    context.insert(book)
    context.insert(tag)
    try context.save()
    _ = listener.take()
    book.tags.append(tag)
    try context.save()
    let written = try #require(listener.take().first?.written)
    #expect(written.unknown == [] && written.tables == ["Book", "Tag"])
    #expect(written.rows(of: Tag.self, container)?.updated.contains { $0.key == key(tag) } ?? false)
    let properties = written.rows(of: Book.self, container)?.updated.filter { $0.key == key(book) } ?? []
    #expect(properties.contains { names($0.properties) == ["tags"] })
  }

  @Test func `rows that foreign keys delete or change are told`() throws {
    let (author, manager, report) = (Author(name: "A"), Person(name: "B"), Person(name: "C"))
    let book = Book(title: "A", author: author)
    report.manager = manager
    context.insert(book)
    context.insert(report)
    try context.save()
    _ = listener.take()
    try context.execute(sql: "DELETE FROM \(Author.self)")
    try context.execute(sql: "DELETE FROM \(Person.self) WHERE name = 'B'")
    let told = listener.take().map(\.written)
    #expect(told.map(\.tables) == [["Author", "Book"], ["Person"]] && told.allSatisfy { $0.unknown == [] })
    #expect(told.first?.rows(of: Book.self, container)?.deleted == [key(book)])
    #expect(told.last?.rows(of: Person.self, container)?.updated.map(\.key) == [key(report)])
  }

  @Test func `a new model that became the update of a row is told as an update of what differs`() throws {
    let tag = Tag(name: "t")
    context.insert(tag)
    try context.save()
    _ = listener.take()
    let other = ModelContext(container)
    other.insert(Tag(name: "t"))
    try other.save()
    #expect(listener.take().first?.written.count == 0)
    let linked = Tag(name: "t")
    linked.books = [Book(title: "A")]
    other.insert(linked)
    try other.save()
    let rows = try #require(listener.take().first?.written.rows(of: Tag.self, container))
    #expect(rows.inserted.isEmpty && Set(rows.updated.map(\.key)) == [key(tag)])
  }

  @Test func `rows that updates in bulk and SQL change are told`() throws {
    let book = Book(title: "A")
    context.insert(book)
    try context.save()
    _ = listener.take()
    try context.update(model: Book.self, set: \.pages += 1)
    try context.execute(sql: "INSERT INTO \(Author.self) (name) VALUES ('a')")
    let told = listener.take()
    #expect(told.map(\.written.tables) == [["Book"], ["Author"]] && told.allSatisfy { $0.written.unknown == [] })
    let books = try #require(told.first?.written.rows(of: Book.self, container))
    #expect(books.updated.map(\.key) == [key(book)] && books.updated.map { names($0.properties) } == [["pages"]])
    #expect(told.last?.written.rows(of: Author.self, container)?.inserted.count == 1)
    #expect(told.allSatisfy { $0.writer == nil })
  }

  @Test func `of many rows the table is told`() throws {
    for number in 0..<5_000 { context.insert(Book(title: "\(number)")) }
    try context.save()
    #expect(listener.take().map(\.written.unknown) == [["Book"]])
  }

  @Test func `after a change of the schema anything may have changed`() throws {
    try context.execute(sql: "CREATE INDEX books_by_title ON \(Book.self) (title)")
    #expect(listener.take().map(\.written.tables) == [nil])
  }

  @Test func `rows that another program's trigger changes are told, and the context that saved reads them`() throws {
    let author = Author(name: "A")
    context.insert(author)
    try context.save()
    try context.execute(
      sql: "CREATE TRIGGER shout AFTER INSERT ON \(Book.self) BEGIN UPDATE Author SET name = 'x'; END")
    let observer = try ResultsObserver<Author, Never>(sortBy: [SortDescriptor(\.name)], modelContext: context)
    _ = listener.take()
    context.insert(Book(title: "A"))
    try context.save()
    let rows = try #require(listener.take().last?.written.rows(of: Author.self, container))
    #expect(rows.updated.map(\.key) == [key(author)])
    #expect(observer.results.first?.name == "x")
  }

  @Test func `what another program's trigger sets behind an update is told`() throws {
    let (author, book) = (Author(name: "A"), Book(title: "A"))
    context.insert(author)
    context.insert(book)
    try context.save()
    try context.execute(
      sql: """
        CREATE TRIGGER shout AFTER UPDATE OF pages ON \(Book.self) BEGIN UPDATE Author SET name = 'x'; END
        """)
    let other = ModelContext(container)
    let seen = try #require(try other.fetch(FetchDescriptor<Author>()).first)
    let observer = try ResultsObserver<Author, Never>(sortBy: [SortDescriptor(\.name)], modelContext: context)
    book.pages = 7
    try context.save()
    #expect(observer.results.map(\.name) == ["x"])
    other.noticeOtherSaves()
    #expect(seen.name == "x")
  }

  @Test func `rows are told where no history is recorded`() throws {
    var configuration = ModelConfiguration(isStoredInMemoryOnly: true)
    configuration.storeOptions.history = .off
    let container = try ModelContainer(for: Author.self, configurations: configuration)
    let context = ModelContext(container)
    container.store.tell(listener, isObserver: false)
    context.insert(Book(title: "A"))
    try context.save()
    try context.execute(sql: "UPDATE \(Book.self) SET pages = 3")
    let told = listener.take().map(\.written)
    #expect(told.map(\.count) == [1, 1] && told.allSatisfy { $0.tables == ["Book"] && $0.unknown == [] })
  }

  @Test func `who listens and does not observe has nobody look for other programs' writes`() {
    #expect(container._observerCount == 0 && !container._isPolling)
    container.store.observers.remove(listener)
    #expect(throws: Never.self) {
      context.insert(Book(title: "A"))
      try context.save()
    }
    #expect(listener.take().isEmpty)
  }

  @Test func `each row and property that a save changes is told, in 400 random saves`() throws {
    let seed = SeededRandom.seed
    print("ROOST_SEED=\(seed) written rows")
    var random = SeededRandom(seed: seed)
    let contexts = [context, ModelContext(container)]
    var (rows, known) = (0, 0)
    for turn in 0..<400 {
      let context = random.pick(contexts)
      for _ in 0...random.below(4) { try edit(context, &random) }
      let before = try contents()
      _ = listener.take()
      do { try context.save() } catch is SwiftDataError { context.rollback() }
      let after = try contents()
      let told = listener.take().map(\.written)
      for (row, values) in after.merging(before, uniquingKeysWith: { new, _ in new }) {
        let former = before[row]
        if former == values, after[row] != nil { continue }
        rows += 1
        if told.contains(where: { $0.unknown?.contains(row.table) ?? true }) { continue }
        known += 1
        let isTold = told.contains { $0.tells(row.table, row.key, from: former, to: after[row], container) }
        guard isTold else {
          Issue.record("ROOST_SEED=\(seed), turn \(turn): \(row) \(former ?? []) to \(after[row] ?? []) not told")
          return
        }
      }
    }
    #expect(rows > 400 && known == rows, "\(known) of \(rows)")
  }

  private struct Row: Hashable {
    let table: String
    let key: Int64
  }

  /// The values of all rows as SQL literals, in the order of their classes' columns.
  private func contents() throws -> [Row: [String]] {
    try container.store.pool.read { connection in
      var rows: [Row: [String]] = [:]
      for entity in container.store.schema.entities {
        let columns = entity.properties.compactMap(\.column).map { "quote(\"\($0)\")" }.joined(separator: ", ")
        let statement = try connection.statement("SELECT _pk, \(columns) FROM \"\(entity.table)\"")
        defer { statement.reset() }
        while try statement.step() {
          rows[Row(table: entity.table, key: statement.int64(0))] = (1..<statement.columnCount).map {
            statement.string(Int32($0))
          }
        }
      }
      return rows
    }
  }

  private func edit(_ context: ModelContext, _ random: inout SeededRandom) throws {
    let books = try context.fetch(FetchDescriptor<Book>(sortBy: [SortDescriptor(\.persistentModelID)]))
    let authors = try context.fetch(FetchDescriptor<Author>(sortBy: [SortDescriptor(\.persistentModelID)]))
    let people = try context.fetch(FetchDescriptor<Person>(sortBy: [SortDescriptor(\.persistentModelID)]))
    let number = random.below(5)
    switch random.below(14) {
    case 0, 1: context.insert(Book(title: "\(number)", author: authors.isEmpty ? nil : random.pick(authors)))
    case 2: context.insert(Author(name: "\(number)"))
    case 3, 4: if !books.isEmpty { random.pick(books).title = "\(number)" }
    case 5: if !books.isEmpty, !authors.isEmpty { random.pick(books).author = random.pick(authors) }
    case 6: if !books.isEmpty { context.delete(random.pick(books)) }
    case 7: if !authors.isEmpty, number == 0 { context.delete(random.pick(authors)) }
    case 8: if !books.isEmpty { random.pick(books).tags = [Tag(name: "\(number)")] }
    case 9: if !authors.isEmpty { random.pick(authors).books.shuffle(using: &random) }
    case 10: context.insert(Person(name: "\(number)"))
    case 11:
      guard people.count > 1 else { return }
      let passport = random.pick(people).passport ?? Passport(number: "\(number)")
      random.pick(people).passport = passport
    case 12: if people.count > 1 { random.pick(people).manager = random.pick(people) }
    default: if people.count > 4 { context.delete(random.pick(people)) }
    }
  }

  private func key(_ model: some PersistentModel) -> Int64 { model._$state.key }

  private func names(_ properties: PropertySet) -> [String] {
    let entity = container.store.schema.entity(for: Book.self)
    return (entity?.properties ?? []).filter { properties.contains($0.index) }.map(\.name)
  }
}

/// Keeps what it is told.
private final class Listener: WriteListener {
  private let told = Mutex<[(written: WrittenRows, writer: ObjectIdentifier?)]>([])

  func note(_ written: WrittenRows, by writer: ObjectIdentifier?) { told.withLock { $0.append((written, writer)) } }

  func take() -> [(written: WrittenRows, writer: ObjectIdentifier?)] {
    told.withLock { told in
      defer { told = [] }
      return told
    }
  }
}

extension WrittenRows {
  fileprivate func rows(of type: any PersistentModel.Type, _ container: ModelContainer) -> Rows? {
    container.store.schema.entity(for: type).flatMap { rows[$0.ordinal] }
  }

  /// Whether a row's becoming another is among the rows.
  fileprivate func tells(
    _ table: String, _ key: Int64, from old: [String]?, to new: [String]?, _ container: ModelContainer
  ) -> Bool {
    guard let entity = container.store.schema.entities.first(where: { $0.table == table }),
      let rows = rows[entity.ordinal]
    else { return false }
    guard let old else { return rows.inserted.contains(key) }
    guard let new else { return rows.deleted.contains(key) }
    let columns = entity.properties.filter { $0.column != nil }
    let changed = zip(columns, zip(old, new)).filter { $1.0 != $1.1 }.map(\.0.index)
    return changed.allSatisfy { index in rows.updated.contains { $0.key == key && $0.properties.contains(index) } }
  }
}
