import Foundation
import Roost
import RoostCore
import RoostEngine
import RoostMigration
import RoostQuery
import Testing

/// What SQLite reports comes as an error that a program can catch and read.
@Suite struct DatabaseErrorTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func makeStore(_ options: ModelConfiguration.StoreOptions = .init(), tags: Int = 1) throws -> ModelContext {
    var configuration = ModelConfiguration(url: folder.store)
    configuration.storeOptions = options
    let context = ModelContext(try ModelContainer(for: Tag.self, configurations: configuration))
    for number in 0..<tags { context.insert(Tag(name: "tag \(number)")) }
    try context.save()
    return context
  }

  private func connect() throws -> Connection {
    try Connection(ConnectionOptions(location: .file(path: folder.store.path)))
  }

  @Test func `a lock that another program holds is reported as busy, and the save can be tried again`() throws {
    let context = try makeStore(.init(busyTimeout: .zero))
    let other = try connect()
    try other.begin(.immediate)
    context.insert(Tag(name: "bees"))
    let error = #expect(throws: SwiftDataError.self) { try context.save() }
    #expect(error == .storeBusy)
    #expect(error?.sqliteCode == 5)
    #expect(error?.sql == "BEGIN IMMEDIATE")
    #expect(error?.remedy?.contains("busyTimeout") ?? false)
    let text = error.map { "\($0)" } ?? ""
    #expect(text.contains("SQLite error 5: database is locked"))
    #expect(text.contains("BEGIN IMMEDIATE"))
    #expect(text.components(separatedBy: "SQLite error").count == 2, "\(text)")
    #expect(throws: SwiftDataError.storeBusy) { try context.container.erase() }
    #expect(try context.fetchCount(FetchDescriptor<Tag>()) == 2)
    other.rollback()
    try context.save()
    #expect(!context.hasChanges)
  }

  @Test func `a damaged page is reported by the fetch that reads it`() throws {
    try makeStore(tags: 20_000).container.close()
    let handle = try FileHandle(forUpdating: folder.store)
    let size = try handle.seekToEnd()
    let half = size / 2 / 4096 * 4096
    try handle.seek(toOffset: half)
    try handle.write(contentsOf: Data(repeating: 0xFF, count: Int(size - half)))
    try handle.close()
    let context = ModelContext(
      try ModelContainer(for: Tag.self, configurations: ModelConfiguration(url: folder.store)))
    let error = #expect(throws: SwiftDataError.self) { try context.fetch(FetchDescriptor<Tag>()) }
    #expect(error == .storeDamaged)
    #expect(error?.sqliteCode.map { $0 & 0xFF } == 11)
    #expect(error?.sql?.hasPrefix("SELECT") ?? false)
    #expect(error?.remedy?.contains("backup") ?? false)
  }

  @Test func `a table that another program removed is reported with the statement`() throws {
    let context = try makeStore()
    try connect().execute("DROP TABLE Tag")
    let error = #expect(throws: SwiftDataError.self) { try context.fetch(FetchDescriptor<Tag>()) }
    #expect(error == .storeFailure)
    #expect(error?.sqliteCode == 1)
    #expect(error?.message.contains("no such table") ?? false)
    #expect(error?.sql?.contains("Tag") ?? false)
    #expect(error?.remedy != nil)
    context.insert(Tag(name: "bees"))
    #expect(throws: SwiftDataError.storeFailure) { try context.save() }
  }

  @Test func `a value that a unique constraint refuses tells its code and, when asked to, the values`() throws {
    for reportsArguments in [false, true] {
      let context = try makeStore(.init(reportsArguments: reportsArguments), tags: 2)
      let tags = try context.fetch(FetchDescriptor<Tag>(sortBy: [SortDescriptor(\.name)]))
      tags[0].name = tags[1].name
      let error = #expect(throws: SwiftDataError.self) { try context.save() }
      #expect(error == .modelValidationFailure)
      #expect(error?.sqliteCode == 2067)
      #expect(error?.sql?.hasPrefix("UPDATE") ?? false)
      #expect(error.map { "\($0)".contains("tag 1") } == reportsArguments)
    }
  }

  @Test func `a walk ends with an error when the container is closed on the way`() throws {
    let container = try makeStore(tags: 3).container
    let context = ModelContext(container)
    var count = 0
    #expect(throws: SwiftDataError.storeClosed) {
      try context.enumerate(FetchDescriptor<Tag>(), batchSize: 1) { _ in
        count += 1
        try container.close()
      }
    }
    #expect(count == 1)
  }

  @Test(arguments: [
    (DatabaseError.busy, SwiftDataError.storeBusy), (DatabaseError.busySnapshot, .storeBusy),
    (DatabaseError.locked, .storeBusy), (DatabaseError.full, .storeFull), (DatabaseError.ioError, .storeInputOutput),
    (DatabaseError.cantOpen, .storeInputOutput), (DatabaseError.corrupt, .storeDamaged),
    (DatabaseError.notADatabase, .storeDamaged), (DatabaseError.readOnly, .readOnlyStore),
    (DatabaseError.interrupt, .storeWaitCancelled), (DatabaseError.error, .storeFailure),
    (DatabaseError.tooBig, .storeFailure), (DatabaseError.outOfMemory, .storeFailure),
    (DatabaseError.misuse, .storeFailure),
  ])
  func `every code has a kind and a remedy`(_ code: Int32, _ kind: SwiftDataError) {
    let error = SwiftDataError.reading(DatabaseError(code: code, message: "reason", sql: "SELECT 1"))
    #expect(error == kind)
    #expect(error.sqliteCode == Int(code))
    #expect(error.sql == "SELECT 1")
    #expect(error.message.contains("SQLite error \(code): reason"))
    #expect(error.remedy != nil)
  }

  @Test func `the remedy fits the code, not only its kind`() {
    func remedy(_ code: Int32) -> String { SwiftDataError.reading(DatabaseError(code: code, message: "")).remedy ?? "" }
    #expect(remedy(DatabaseError.readOnly).contains("folder"))
    #expect(remedy(DatabaseError.tooBig).contains("large"))
    #expect(remedy(DatabaseError.outOfMemory).contains("fewer"))
    #expect(remedy(DatabaseError.error) == SwiftDataError.storeFailure.remedy)
  }

  @Test func `an error that SQLite had no part in has no code`() {
    #expect(SwiftDataError.unsupportedPredicate.sqliteCode == nil)
    #expect(SwiftDataError.unsupportedPredicate.sql == nil)
  }
}
