import Foundation
import Roost
import RoostCore
import RoostEngine
import RoostMigration
import Testing

/// Files of Core Data and SwiftData, made here with the tables that theirs have.
@Suite struct AppleStoreTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// Everything that the folder holds, byte by byte.
  private func files() throws -> [String: Data] {
    var files: [String: Data] = [:]
    for name in try FileManager.default.contentsOfDirectory(atPath: folder.url.path) {
      files[name] = try Data(contentsOf: folder.url.appending(path: name))
    }
    return files
  }

  private func make(_ more: String = "", keepsLog: Bool = true) throws {
    let connection = try Connection(
      ConnectionOptions(location: .file(path: folder.store.path), makesWriteAheadLog: keepsLog))
    try connection.execute(
      """
      CREATE TABLE ZNOTE (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZTITLE VARCHAR);
      CREATE TABLE Z_PRIMARYKEY (Z_ENT INTEGER PRIMARY KEY, Z_NAME VARCHAR, Z_SUPER INTEGER, Z_MAX INTEGER);
      CREATE TABLE Z_METADATA (Z_VERSION INTEGER PRIMARY KEY, Z_UUID VARCHAR(255), Z_PLIST BLOB);
      CREATE TABLE Z_MODELCACHE (Z_CONTENT BLOB);
      INSERT INTO ZNOTE VALUES (1, 1, 1, 'Oslo');
      INSERT INTO Z_PRIMARYKEY VALUES (1, 'Note', 0, 1);
      INSERT INTO Z_METADATA VALUES (1, '6D1A', x'00');
      \(more)
      """)
    connection.close()
  }

  private func expectRefusal(by maker: String, _ open: (ModelConfiguration) throws -> Void) throws {
    let before = try files()
    for allowsSave in [true, false] {
      let configuration = ModelConfiguration(url: folder.store, allowsSave: allowsSave)
      let error = #expect(throws: SwiftDataError.loadIssueModelContainer) { try open(configuration) }
      #expect(error?.message.contains("made by Apple's framework \(maker).") ?? false, "\(error?.message ?? "")")
      #expect(error?.remedy?.contains("another url") ?? false)
      #expect(error?.url?.path == folder.store.path)
    }
    #expect(try files() == before)
  }

  private func open(_ configuration: ModelConfiguration) throws {
    try ModelContainer(for: Tag.self, configurations: configuration).close()
  }

  @Test(arguments: [true, false])
  func `a file of Core Data is recognised and left as it is, whatever its journal`(_ keepsLog: Bool) throws {
    try make(keepsLog: keepsLog)
    try expectRefusal(by: "Core Data", open)
  }

  @Test func `a file of SwiftData is recognised by its indexes, and told from Core Data's by its history`() throws {
    try make("CREATE TABLE ATRANSACTION (Z_PK INTEGER PRIMARY KEY);")
    try expectRefusal(by: "SwiftData, or Core Data with a history", open)
    let connection = try Connection(ConnectionOptions(location: .file(path: folder.store.path)))
    try connection.execute("CREATE INDEX Z_Note_SwiftDataIndexOnBinarytitle ON ZNOTE (ZTITLE)")
    connection.close()
    try expectRefusal(by: "SwiftData", open)
  }

  @Test func `a file whose rows are in its log is left as it is, with the log`() throws {
    try make()
    let connection = try Connection(ConnectionOptions(location: .file(path: folder.store.path)))
    try connection.execute("PRAGMA wal_autocheckpoint=0; INSERT INTO ZNOTE VALUES (2, 1, 1, 'Bergen')")
    // As a program leaves it that is killed, for nobody moves the log into the file then.
    let copies = try files()
    connection.close()
    for (name, content) in copies where !name.hasSuffix("-shm") {
      try content.write(to: folder.url.appending(path: name))
    }
    #expect(try files().keys.sorted() == ["test.store", "test.store-wal"])
    try expectRefusal(by: "Core Data", open)
    try expectRefusal(by: "Core Data") { configuration in
      let report = try ModelContainer.dryRun(for: Tag.self, configurations: configuration)
      if let failure = report.failure { throw failure }
    }
    // A log that is empty is what Core Data usually leaves.
    try Data().write(to: folder.url.appending(path: "test.store-wal"))
    try expectRefusal(by: "Core Data", open)
  }

  @Test func `another program's database keeps its journal's mode`() throws {
    let connection = try Connection(
      ConnectionOptions(location: .file(path: folder.store.path), makesWriteAheadLog: false))
    try connection.execute("CREATE TABLE trips (name TEXT); INSERT INTO trips VALUES ('Oslo')")
    connection.close()
    let before = try files()
    let error = #expect(throws: SwiftDataError.loadIssueModelContainer) {
      try open(ModelConfiguration(url: folder.store))
    }
    #expect(error?.message.contains("another program") ?? false)
    #expect(try files() == before)
  }
}
