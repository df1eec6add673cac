import Foundation
import Roost
import RoostEngine
import Testing

@Suite struct BadInputTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func open(_ url: URL, allowsSave: Bool = true) throws -> ModelContainer {
    try ModelContainer(for: Tag.self, configurations: ModelConfiguration(url: url, allowsSave: allowsSave))
  }

  private func expectLoadIssue(_ url: URL, allowsSave: Bool = true, mentioning text: String) {
    let error = #expect(throws: SwiftDataError.self) { try open(url, allowsSave: allowsSave) }
    #expect(error == .loadIssueModelContainer)
    #expect(error.map { "\($0)".contains(text) } ?? false, "\(String(describing: error))")
    #expect(error?.remedy != nil)
  }

  @Test(arguments: [8_192, 5_000])
  func `a file that is no database is refused and left as it is`(size: Int) throws {
    let letter = Data("This is a letter, not a database. ".utf8)
    let text = letter + Data(repeating: 65, count: size - letter.count)
    try text.write(to: folder.store)
    if RoostEngine.Library.encrypts, size % 512 == 0 {
      // Nobody can tell it from an encrypted one.
      let error: SwiftDataError = DatabaseKey.standard == nil ? .storeEncrypted : .wrongStoreKey
      #expect(throws: error) { try open(folder.store) }
    } else {
      expectLoadIssue(folder.store, mentioning: folder.store.path)
    }
    #expect(try Data(contentsOf: folder.store) == text)
  }

  @Test func `another program's database is refused and left as it is`() throws {
    let connection = try Connection(ConnectionOptions(location: .file(path: folder.store.path)))
    try connection.execute("CREATE TABLE trips (name TEXT); INSERT INTO trips VALUES ('Oslo')")
    connection.close()
    let before = try Data(contentsOf: folder.store)
    expectLoadIssue(folder.store, mentioning: "another program")
    #expect(try Data(contentsOf: folder.store) == before)
  }

  @Test func `a truncated store is refused`() throws {
    do {
      let context = ModelContext(try open(folder.store))
      for index in 0..<2000 { context.insert(Tag(name: "tag \(index)")) }
      try context.save()
      try context.container.close()
    }
    let handle = try FileHandle(forWritingTo: folder.store)
    try handle.truncate(atOffset: 5000)
    try handle.close()
    let before = try Data(contentsOf: folder.store)
    let error = #expect(throws: SwiftDataError.self) { try open(folder.store) }
    #expect(error == .loadIssueModelContainer)
    #expect(error?.url?.path == folder.store.path)
    #expect(error?.remedy?.contains("backup") ?? false)
    #expect(try Data(contentsOf: folder.store) == before)
  }

  @Test func `a folder in place of the file is refused`() throws {
    expectLoadIssue(folder.url, mentioning: folder.url.path)
  }

  @Test func `a missing folder is made, and not for a store that is only read`() throws {
    let url = folder.url.appending(path: "no/such/folder/test.store")
    expectLoadIssue(url, allowsSave: false, mentioning: "folder")
    #expect(!FileManager.default.fileExists(atPath: folder.url.appending(path: "no").path))
    #expect(try ModelContext(open(url)).fetchCount(FetchDescriptor<Tag>()) == 0)
  }

  @Test func `a path below a file is refused`() throws {
    let file = folder.url.appending(path: "letter.txt")
    try Data("Dear reader".utf8).write(to: file)
    expectLoadIssue(file.appending(path: "test.store"), mentioning: "not a directory")
  }

  #if !os(Windows)
    @Test func `a folder that may not be written to is refused`() throws {
      let locked = try lockedFolder()
      defer { try? FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: folder.url.path) }
      let url = locked.appending(path: "test.store")
      let error = #expect(throws: SwiftDataError.self) { try open(url) }
      #expect(error == .loadIssueModelContainer)
      #expect(error?.url?.path == url.path)
      #expect(error?.message.contains("takes no new file") ?? false, "\(String(describing: error))")
      #expect(error?.remedy?.contains("write") ?? false)
    }

    /// A folder that is there and takes no file.
    private func lockedFolder() throws -> URL {
      // Permissions do not bind root, but these folders take files from nobody.
      if geteuid() == 0 { return URL(filePath: FileManager.default.fileExists(atPath: "/sys") ? "/sys" : "/System") }
      try FileManager.default.setAttributes([.posixPermissions: 0o500], ofItemAtPath: folder.url.path)
      return folder.url
    }
  #endif

  @Test func `a read-only configuration refuses to save and to create`() throws {
    expectLoadIssue(folder.store, allowsSave: false, mentioning: folder.store.path)
    do {
      let context = ModelContext(try open(folder.store))
      context.insert(Tag(name: "birds"))
      try context.save()
    }
    let context = ModelContext(try open(folder.store, allowsSave: false))
    #expect(try context.fetch(FetchDescriptor<Tag>()).map(\.name) == ["birds"])
    context.insert(Tag(name: "bees"))
    #expect(throws: SwiftDataError.readOnlyStore) { try context.save() }
    #expect(context.hasChanges)
    let error = #expect(throws: SwiftDataError.self) { try context.container.erase() }
    #expect(error == .readOnlyStore && error?.message.contains("allowsSave") ?? false)
  }

  @Test func `a model that is not in the schema is refused by fetch and by save`() throws {
    let context = ModelContext(try ModelContainer(for: Visit.self, configurations: .init(isStoredInMemoryOnly: true)))
    #expect(throws: SwiftDataError.modelNotInSchema) { try context.fetch(FetchDescriptor<Tag>()) }
    context.insert(Tag(name: "birds"))
    let error = #expect(throws: SwiftDataError.self) { try context.save() }
    #expect(error == .modelNotInSchema)
    #expect(error?.model == "Tag")
  }

  @Test func `a store with another schema is refused where nothing may be dropped, and says how it differs`() throws {
    let context = ModelContext(try ModelContainer(for: Book.self, configurations: .init(url: folder.store)))
    context.insert(Book(title: "A"))
    try context.save()
    try context.container.close()
    var configuration = ModelConfiguration(url: folder.store)
    configuration.storeOptions.migration.drops = .refuse
    let error = #expect(throws: SwiftDataError.self) {
      try ModelContainer(for: Visit.self, configurations: configuration)
    }
    #expect(error == .loadIssueModelContainer)
    #expect(error?.obstacles.map(\.model) == ["Book"])
  }

  @Test func `a column with the wrong type throws model, property and row`() throws {
    let context = ModelContext(try ModelContainer(for: Book.self, configurations: .init(url: folder.store)))
    context.insert(Book(title: "A"))
    context.insert(Book(title: "B"))
    try context.save()
    let connection = try Connection(ConnectionOptions(location: .file(path: folder.store.path)))
    try connection.execute("UPDATE Book SET genre = 'cookery' WHERE title = 'B'")
    let other = ModelContext(context.container)
    let error = #expect(throws: SwiftDataError.self) { try other.fetch(FetchDescriptor<Book>()) }
    #expect(error == .corruptValue)
    #expect(error?.model == "Book")
    #expect(error?.property == "genre")
    #expect(error?.row != nil)
    #expect(try other.fetch(FetchDescriptor<Book>(predicate: #Predicate { $0.title == "A" })).count == 1)
  }

  private func makeBooksWithABadGenre() throws -> ModelContext {
    let container = try ModelContainer(for: Book.self, configurations: .init(url: folder.store))
    let context = ModelContext(container)
    for title in ["A", "B", "C"] {
      let book = Book(title: title)
      book.genre = .science
      context.insert(book)
    }
    try context.save()
    let connection = try Connection(ConnectionOptions(location: .file(path: folder.store.path)))
    try connection.execute("UPDATE Book SET genre = 'cookery' WHERE title = 'B'")
    return ModelContext(container)
  }

  @Test func `a column with the wrong type that is read late reads as the property's default`() throws {
    let context = try makeBooksWithABadGenre()
    var descriptor = FetchDescriptor<Book>(sortBy: [SortDescriptor(\.title)])
    descriptor.propertiesToFetch = [\.title]
    let books = try context.fetch(descriptor)
    #expect(books.map(\.title) == ["A", "B", "C"])
    #expect(books.map(\.genre) == [.science, .fiction, .science])
    #expect(!context.hasChanges)
  }

  @Test func `a row that cannot be read keeps no other from being read`() throws {
    let context = try makeBooksWithABadGenre()
    let books = try context.fetchIdentifiers(FetchDescriptor<Book>(sortBy: [SortDescriptor(\.title)]))
      .compactMap { context.model(for: $0) as? Book }
    // The last one first: the rows of all three are read with it.
    #expect(books.reversed().map(\.genre) == [.science, .fiction, .science])
    #expect(books.map(\.title) == ["A", "B", "C"])
  }

  @Test func `a fetch gives the rows that can be read, and names each that cannot`() throws {
    let context = try makeBooksWithABadGenre()
    context.insert(Book(title: "D"))
    let descriptor = FetchDescriptor<Book>(sortBy: [SortDescriptor(\.title)])
    #expect(throws: SwiftDataError.corruptValue) { try context.fetch(descriptor) }
    var errors: [SwiftDataError] = []
    let books = try context.fetch(descriptor) { errors.append($0) }
    #expect(books.map(\.title) == ["A", "C", "D"])
    #expect(errors.map(\.property) == ["genre"] && errors.first?.row != nil)
    #expect(try context.fetch(descriptor) { _ in }.elementsEqual(books, by: ===))
    #expect(throws: SwiftDataError.corruptValue) { try context.fetch(descriptor) { throw $0 } }
  }

  @Test func `a relationship refers to its model although a sibling's cannot be read`() throws {
    let container = try ModelContainer(for: Ticket.self, configurations: .init(url: folder.store))
    let context = ModelContext(container)
    for row in ["A", "B", "C"] { context.insert(Ticket(seat: Seat(row: row))) }
    try context.save()
    let connection = try Connection(ConnectionOptions(location: .file(path: folder.store.path)))
    try connection.execute("UPDATE Seat SET side = 'roof' WHERE row = 'A'")
    let tickets = try ModelContext(container).fetch(
      FetchDescriptor<Ticket>(sortBy: [SortDescriptor(\.persistentModelID)]))
    #expect(tickets.last?.seat?.row == "C")
  }

  @Test func `enumerate throws at a column with the wrong type`() throws {
    let context = try makeBooksWithABadGenre()
    var titles: [String] = []
    let error = #expect(throws: SwiftDataError.self) {
      try context.enumerate(FetchDescriptor<Book>(sortBy: [SortDescriptor(\.title)])) { titles.append($0.title) }
    }
    #expect(error == .corruptValue)
    #expect(error?.model == "Book")
    #expect(error?.property == "genre")
    #expect(error?.row != nil)
    #expect(titles == [])
  }

  @Test func `a closed container throws instead of trapping`() throws {
    let container = try open(folder.store)
    let context = ModelContext(container)
    let tag = Tag(name: "birds")
    context.insert(tag)
    try context.save()
    try container.close()
    #expect(throws: SwiftDataError.storeClosed) { try context.fetch(FetchDescriptor<Tag>()) }
    tag.name = "bees"
    #expect(throws: SwiftDataError.storeClosed) { try context.save() }
    #expect(tag.name == "bees")
    #expect(!FileManager.default.fileExists(atPath: folder.store.path + "-wal"))
  }

  @Test func `a closed container throws for a context with unsaved changes, and leaves no companion files`() throws {
    let container = try open(folder.store)
    let context = ModelContext(container)
    context.insert(Tag(name: "birds"))
    try context.save()
    context.insert(Tag(name: "bees"))
    #expect(try context.fetchCount(FetchDescriptor<Tag>()) == 2)
    try container.close()
    #expect(throws: SwiftDataError.storeClosed) { try context.fetchCount(FetchDescriptor<Tag>()) }
    #expect(throws: SwiftDataError.storeClosed) { try context.fetch(FetchDescriptor<Tag>()) }
    #expect(throws: SwiftDataError.storeClosed) { try context.enumerate(FetchDescriptor<Tag>()) { _ in } }
    #expect(throws: SwiftDataError.storeClosed) { try context.save() }
    #expect(context.insertedModelsArray.count == 1)
    for suffix in ["-wal", "-shm"] {
      #expect(!FileManager.default.fileExists(atPath: folder.store.path + suffix))
    }
    context.rollback()
    #expect(!context.hasChanges)
  }

  @Test func `a model that was never loaded reads as its defaults once the container is closed`() throws {
    let container = try ModelContainer(for: Book.self, configurations: .init(url: folder.store))
    let context = ModelContext(container)
    let book = Book(title: "A")
    book.genre = .science
    context.insert(book)
    try context.save()
    let other = ModelContext(container)
    let shell = try #require(other.model(for: book.persistentModelID) as? Book)
    try container.close()
    #expect(shell.title == "")
    #expect(shell.genre == .fiction)
    #expect(shell.author == nil)
    #expect(shell.tags.isEmpty)
    // It was not read, which is not the same as not being there.
    #expect(!shell.isDeleted)
    shell.title = "B"
    #expect(throws: SwiftDataError.storeClosed) { try other.save() }
    #expect(shell.title == "B")
  }

  @Test func `a second model with a unique value is rejected, or stands for the row that stays as it is`() throws {
    let configuration = ModelConfiguration(isStoredInMemoryOnly: true)
    let context = ModelContext(try ModelContainer(for: Shelf.self, configurations: configuration))
    let first = Shelf(code: "A", label: "first", room: "1")
    context.insert(first)
    try context.save()
    let twin = Shelf(code: "A", label: "twin", room: "2")
    context.insert(twin)
    let error = #expect(throws: SwiftDataError.self) { try context.save() }
    #expect(error == .modelValidationFailure)
    #expect(error?.model == "Shelf")
    #expect(error?.property == "code")
    #expect(error?.row == twin.persistentModelID)
    #expect(error?.message.contains("The row 1 of Shelf") ?? false)
    #expect(context.insertedModelsArray.count == 1)
    context.rollback()
    let same = Shelf(code: "B", label: "same room", room: "1")
    context.insert(same)
    try context.save()
    #expect(try context.fetch(FetchDescriptor<Shelf>()).map(\.label) == ["first"])
    #expect(same.persistentModelID == first.persistentModelID && same.label == "first")
  }

  @Test func `a compound constraint rejects a second model, or keeps the first as it is`() throws {
    let configuration = ModelConfiguration(isStoredInMemoryOnly: true)
    let context = ModelContext(try ModelContainer(for: Locker.self, configurations: configuration))
    context.insert(Locker(hall: "A", number: 1, key: "x"))
    try context.save()
    let twin = Locker(hall: "A", number: 1, key: "y")
    context.insert(twin)
    let error = #expect(throws: SwiftDataError.self) { try context.save() }
    #expect(error == .modelValidationFailure && error?.property == "hall, number")
    #expect(error?.row == twin.persistentModelID && error?.message.contains("The row 1 of Locker") ?? false)
    context.rollback()
    context.insert(Locker(hall: "B", number: 2, key: "x"))
    try context.save()
    let found = try ModelContext(context.container).fetch(FetchDescriptor<Locker>())
    #expect(found.map(\.hall) == ["A"] && found.map(\.key) == ["x"])
  }

  @Test func `an edit that breaks a unique constraint fails the save and leaves everything as it was`() throws {
    let context = ModelContext(try open(folder.store))
    let (birds, bees) = (Tag(name: "birds"), Tag(name: "bees"))
    context.insert(birds)
    context.insert(bees)
    try context.save()
    bees.name = "birds"
    let error = #expect(throws: SwiftDataError.self) { try context.save() }
    #expect(error == .modelValidationFailure)
    #expect(error?.model == "Tag")
    #expect(error?.property == "name")
    #expect(error?.row == bees.persistentModelID && error?.message.contains("row 1 of Tag") ?? false)
    #expect(bees.name == "birds")
    #expect(context.hasChanges)
    let stored = try ModelContext(context.container).fetch(FetchDescriptor<Tag>(sortBy: [SortDescriptor(\.name)]))
    #expect(stored.map(\.name) == ["bees", "birds"])
    context.rollback()
    #expect(bees.name == "bees")
  }
}

private enum Side: String, Codable { case aisle, window }

@Model private final class Ticket {
  var seat: Seat?

  init(seat: Seat?) { self.seat = seat }
}

@Model private final class Seat {
  var row: String
  var side = Side.aisle

  init(row: String) { self.row = row }
}

@Model private final class Shelf {
  @Attribute(.unique(onConflict: .reject)) var code: String
  var label: String
  @Attribute(.unique(onConflict: .keepExisting)) var room: String

  init(code: String, label: String, room: String) {
    self.code = code
    self.label = label
    self.room = room
  }
}

@Model final class Locker {
  #Unique<Locker>([\.hall, \.number], onConflict: .reject)
  #Unique<Locker>([\.key], onConflict: .keepExisting)
  var hall: String
  var number: Int
  var key: String

  init(hall: String, number: Int, key: String) { (self.hall, self.number, self.key) = (hall, number, key) }
}
