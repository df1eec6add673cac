import FaultyDisk
import Foundation
import Roost
import RoostCore
import RoostEngine
import RoostMigration
import RoostQuery
import Testing

/// Stores that are shipped with a program: in a folder, or a file, that it may only read.
@Suite struct ReadOnlyFolderTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func configuration(_ change: (inout ModelConfiguration) -> Void = { _ in }) -> ModelConfiguration {
    var configuration = ModelConfiguration(url: folder.store, allowsSave: false)
    change(&configuration)
    return configuration
  }

  private func makeStore() throws -> ModelContext {
    let context = ModelContext(
      try ModelContainer(for: Author.self, configurations: ModelConfiguration(url: folder.store)))
    let author = Author(name: "Lack")
    author.books = ["A", "B"].map { Book(title: $0) }
    context.insert(author)
    try context.save()
    return context
  }

  private func protect(_ path: String, _ permissions: Int) throws {
    try FileManager.default.setAttributes([.posixPermissions: permissions], ofItemAtPath: path)
  }

  private func readAll(_ configuration: ModelConfiguration) throws {
    let container = try ModelContainer(for: Author.self, configurations: configuration)
    let context = ModelContext(container)
    let author = try #require(try context.fetch(FetchDescriptor<Author>()).first)
    #expect(author.books.map(\.title) == ["A", "B"])
    #expect(try context.fetchCount(FetchDescriptor<Book>(predicate: #Predicate { $0.author?.name == "Lack" })) == 2)
    // Unsaved changes are seen by queries; they cannot be saved.
    context.insert(Author(name: "new"))
    #expect(try context.fetchCount(FetchDescriptor<Author>()) == 2)
    #expect(throws: SwiftDataError.readOnlyStore) { try context.save() }
    try container.close()
  }

  @Test(arguments: [(0o555, 0o644), (0o555, 0o444), (0o777, 0o444)])
  func `a store that was closed is read where nothing may be written`(_ folderMode: Int, _ fileMode: Int) throws {
    try makeStore().container.close()
    let before = try FileManager.default.contentsOfDirectory(atPath: folder.url.path)
    try protect(folder.store.path, fileMode)
    try protect(folder.url.path, folderMode)
    defer { try? protect(folder.url.path, 0o755) }
    try asOtherUser {
      for _ in 0..<2 { try readAll(configuration()) }
      // A store without an index of its own is slower, not unreadable.
    }
    if folderMode == 0o555 {
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path) == before)
    }
  }

  @Test func `a disk that makes no file is one that can be read from`() throws {
    try makeStore().container.close()
    let disk = FaultyDisk()
    disk.refuseNewFiles()
    try readAll(configuration { $0.storeOptions.fileSystem = disk.name })
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path) == [folder.store.lastPathComponent])
  }

  @Test func `a missing index does not keep a store from being read`() throws {
    let context = try makeStore()
    try context.execute(sql: "DELETE FROM \(Book.self)")
    try context.container.close()
    let connection = try Connection(ConnectionOptions(location: .file(path: folder.store.path)))
    let statement = try connection.statement("SELECT name FROM sqlite_schema WHERE type = 'index' AND sql IS NOT NULL")
    var names: [String] = []
    while try statement.step() { names.append(statement.string(0)) }
    #expect(!names.isEmpty)
    for name in names { try connection.execute("DROP INDEX \"\(name)\"") }
    try connection.checkpoint(.truncate)
    connection.close()
    let disk = FaultyDisk()
    disk.refuseNewFiles()
    let reader = try ModelContainer(
      for: Author.self, configurations: configuration { $0.storeOptions.fileSystem = disk.name })
    #expect(try ModelContext(reader).fetchCount(FetchDescriptor<Author>()) == 1)
  }

  @Test func `a store with unread changes in its log is refused with what to do, and is not read without them`() throws
  {
    let writer = try makeStore()
    // Cut off, with all in the log.
    let copy = folder.url.appending(path: "cut.store")
    for suffix in ["", "-wal"] {
      try FileManager.default.copyItem(atPath: folder.store.path + suffix, toPath: copy.path + suffix)
    }
    try writer.container.close()
    try protect(folder.url.path, 0o555)
    defer { try? protect(folder.url.path, 0o755) }
    let error = asOtherUser {
      #expect(throws: SwiftDataError.loadIssueModelContainer) {
        try ModelContainer(for: Author.self, configurations: ModelConfiguration(url: copy, allowsSave: false))
      }
    }
    #expect(error?.remedy?.contains("backup(to:)") ?? false)
    #expect(error?.url == copy)
  }

  @Test func `a store that is missing, or needs a migration, says so`() throws {
    let missing = #expect(throws: SwiftDataError.loadIssueModelContainer) {
      try ModelContainer(for: Author.self, configurations: configuration())
    }
    #expect(missing?.remedy?.contains("must be there") ?? false)
    try makeStore().container.close()
    try protect(folder.url.path, 0o555)
    defer { try? protect(folder.url.path, 0o755) }
    let outdated = asOtherUser {
      #expect(throws: SwiftDataError.loadIssueModelContainer) {
        try ModelContainer(for: Person.self, configurations: configuration())
      }
    }
    #expect(outdated?.message.contains("needs a migration") ?? false)
    // One that is to be written to says that it may not be.
    let writing = asOtherUser {
      #expect(throws: SwiftDataError.loadIssueModelContainer) {
        try ModelContainer(for: Author.self, configurations: ModelConfiguration(url: folder.store))
      }
    }
    #expect(writing?.remedy?.contains("Allow writing") ?? false)
  }

  @Test func `where writing is allowed, others' saves are seen`() throws {
    let writer = try makeStore()
    try writer.container.close()
    let reader = ModelContext(try ModelContainer(for: Author.self, configurations: configuration()))
    #expect(try reader.fetchCount(FetchDescriptor<Author>()) == 1)
    let again = ModelContext(
      try ModelContainer(for: Author.self, configurations: ModelConfiguration(url: folder.store)))
    again.insert(Author(name: "second"))
    try again.save()
    #expect(try reader.fetchCount(FetchDescriptor<Author>()) == 2)
    try again.container.close()
    #expect(try reader.fetchCount(FetchDescriptor<Author>()) == 2)
  }
}
