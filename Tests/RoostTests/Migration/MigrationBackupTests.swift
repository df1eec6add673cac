import EncryptionSupport
import FaultyDisk
import Foundation
import Logging
import Roost
import RoostCore
import RoostEngine
import RoostMigration
import Testing

/// The copy of a store that precedes its migration.
@Suite struct MigrationBackupTests {
  private var fixture: BackupFixture

  init() throws {
    fixture = try BackupFixture()
    try fixture.save()
  }

  @Test(.plainFiles) func `a backup is a store with its files, in one file that opens wherever it can be read`() throws
  {
    // What is only in the log is copied as well.
    let container = try fixture.gallery.open()
    try ModelContext(container).savePhoto("b", bytes(6_000))
    let backup = try #require(try fixture.backup())
    try container.erase()
    try container.close()
    let header = try Data(contentsOf: backup.url).prefix(20)
    #expect(header.suffix(2) == Data([1, 1]))
    #expect(try fixture.photos(backup.url, allowsSave: false) == ["a": bytes(5_000), "b": bytes(6_000)])
    #expect(try !fixture.entries().contains { $0.contains("partial") || $0.hasSuffix("Z-wal") })
    #expect(try fixture.listed() == [backup])
    #expect(backup.size > 11_000 && abs(backup.date.timeIntervalSinceNow) < 60)
    #expect(try fixture.photos(backup.url) == ["a": bytes(5_000), "b": bytes(6_000)])
  }

  @Test func `what the migration changes is not in the backup`() throws {
    let backup = try #require(try fixture.backup { try $0.execute("DROP TABLE Cover; UPDATE Photo SET title = 'x'") })
    #expect(try fixture.photos(backup.url).keys.sorted() == ["a"])
  }

  @Test func `names sort by time and are never used twice`() throws {
    let first = try #require(try fixture.backup())
    let second = try #require(try fixture.backup())
    // As after the clock was set back.
    let late = "test.store.backup-2999-01-02T030405Z"
    try FileManager.default.moveItem(at: first.url, to: fixture.gallery.folder.url.appending(path: late))
    let third = try #require(try fixture.backup())
    #expect(first.url.lastPathComponent < second.url.lastPathComponent)
    #expect(third.url.lastPathComponent == "test.store.backup-2999-01-02T030406Z")
    #expect(try fixture.listed().first == third)
  }

  @Test func `backups are made in the folder that the options name`() throws {
    var configuration = fixture.configuration
    let folder = fixture.gallery.folder.url.appending(path: "some/backups")
    configuration.storeOptions.migration.backupFolder = folder
    let backup = try #require(try fixture.backup(configuration))
    #expect(backup.url.deletingLastPathComponent().path == folder.path)
    #expect(try ModelContainer.backups(of: configuration) == [backup])
    #expect(try fixture.listed() == [])
    #expect(try fixture.photos(backup.url) == ["a": bytes(5_000)])
  }

  @Test(arguments: [ModelConfiguration.MigrationOptions.Backups.none, .newest(0), .newest(-1)])
  func `no backup is made where none is wanted`(_ backups: ModelConfiguration.MigrationOptions.Backups) throws {
    var configuration = fixture.configuration
    configuration.storeOptions.migration.backups = backups
    #expect(try fixture.backup(configuration) == nil)
    #expect(try fixture.listed() == [])
  }

  @Test func `a store in memory has no backups`() throws {
    let configuration = ModelConfiguration(isStoredInMemoryOnly: true)
    let container = try ModelContainer(for: Photo.self, configurations: configuration)
    #expect(try fixture.backup(configuration) == nil)
    #expect(try ModelContainer.backups(of: configuration) == [])
    let error = #expect(throws: SwiftDataError.self) {
      try ModelContainer.restore(configuration, from: fixture.gallery.url)
    }
    #expect(error == .loadIssueModelContainer && error?.remedy?.contains("url") ?? false)
    try container.close()
  }

  @Test func `values' files are the same in the store and in the backup, and each removes its own name`() throws {
    let backup = try #require(try fixture.backup())
    let name = try #require(fixture.gallery.files().first)
    let path = backup.url.path + "-files/" + name
    #expect(try FileManager.default.attributesOfItem(atPath: path)[.referenceCount] as? Int == 2)
    let container = try fixture.gallery.open()
    try container.erase()
    try container.close()
    #expect(fixture.gallery.files().isEmpty)
    #expect(try fixture.photos(backup.url) == ["a": bytes(5_000)])
  }

  @Test(.plainFiles, .enabled(if: BackupFixture.otherDisk != nil))
  func `on another disk values' files are copied, and each disk needs room for its own`() throws {
    let folder = try #require(BackupFixture.otherDisk).appending(path: "roost-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    var configuration = fixture.configuration
    configuration.storeOptions.migration.backupFolder = folder
    let size = Int64(try Data(contentsOf: fixture.gallery.url).count)
    configuration.storeOptions.migration.freeSpace = FreeSpace { $0.path == folder.path ? size + 4_999 : 2 * size }
    let error = #expect(throws: SwiftDataError.storeFull) { try fixture.backup(configuration) }
    #expect(error?.message.contains(folder.path) ?? false)
    configuration.storeOptions.migration.freeSpace = FreeSpace { $0.path == folder.path ? size + 5_000 : 2 * size }
    let backup = try #require(try fixture.backup(configuration))
    let container = try fixture.gallery.open()
    try container.erase()
    try container.close()
    #expect(try fixture.photos(backup.url) == ["a": bytes(5_000)])
    try ModelContainer.restore(configuration, from: backup.url)
    #expect(try fixture.photos(fixture.gallery.url) == ["a": bytes(5_000)])
  }

  #if !os(Windows)
    @Test func `nobody may read the backup who may not read the store`() throws {
      try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: fixture.gallery.url.path)
      let backup = try #require(try fixture.backup())
      for (path, permissions) in [(backup.url.path, 0o600), (backup.url.path + "-files", 0o700)] {
        let attributes = try FileManager.default.attributesOfItem(atPath: path)
        #expect((attributes[.posixPermissions] as? NSNumber)?.intValue == permissions)
      }
    }
  #endif

  @Test func `what the store has lost already is not in the way`() throws {
    try fixture.save("b", bytes(6_000))
    try FileManager.default.removeItem(
      at: fixture.gallery.filesFolder.appending(path: #require(fixture.gallery.files().first)))
    let connection = try Connection(
      ConnectionOptions(location: .file(path: fixture.gallery.url.path), foreignKeys: false))
    try connection.execute("UPDATE Photo SET album = 77")
    connection.close()
    #expect(try fixture.backup() != nil)
  }

  @Test func `a damaged store is not migrated`() throws {
    for number in 0..<50 { try fixture.save("\(number)", bytes(900)) }
    var content = try Data(contentsOf: fixture.gallery.url)
    let page = content.count / 4_096 - 3
    content.replaceSubrange(page * 4_096..<(page + 1) * 4_096, with: Data(repeating: 0xFF, count: 4_096))
    try content.write(to: fixture.gallery.url)
    let error = #expect(throws: SwiftDataError.self) { try fixture.backup() }
    #expect(error == .storeDamaged && error?.message.contains("nothing was changed") ?? false)
    #expect(try fixture.listed() == [] && !fixture.entries().contains { $0.contains("partial") })
  }

  @Test func `a backup that cannot be written says where and what to do`() throws {
    var configuration = fixture.configuration
    configuration.storeOptions.migration.backupFolder = fixture.gallery.url
    let error = #expect(throws: SwiftDataError.self) { try fixture.backup(configuration) }
    #expect(error == .storeInputOutput && error?.message.contains(fixture.gallery.url.path) ?? false)
    #expect(error?.remedy?.contains("backupFolder") ?? false)
    #expect(error?.underlying != nil)
  }

  @Test func `an opening without a migration leaves as many backups as the options say`() throws {
    for _ in 1...2 { try fixture.backup() }
    for _ in 1...2 {
      var many = fixture.configuration
      many.storeOptions.migration.backups = .newest(5)
      try fixture.backup(many)
    }
    let all = try fixture.listed()
    #expect(all.count == 4)
    for (backups, left) in [
      (ModelConfiguration.MigrationOptions.Backups.none, 4), (.newest(2), 2), (.untilNextOpening, 0),
    ] {
      var configuration = fixture.configuration
      configuration.storeOptions.migration.backups = backups
      try fixture.tidy(configuration)
      #expect(try fixture.listed() == Array(all.prefix(left)))
    }
    #expect(try fixture.entries() == ["test.store", "test.store-files"])
    #expect(try fixture.photos(fixture.gallery.url) == ["a": bytes(5_000)])
  }

  @Test func `migrations that are cut off over and over leave no more than two backups`() throws {
    for _ in 1...4 { try fixture.backup() }
    #expect(try fixture.listed().count == 2)
  }

  @Test func `a store of another schema, or of a read-only configuration, keeps its backups`() throws {
    try fixture.backup()
    try fixture.tidy { $0.entities.removeLast() }
    let readOnly = ModelConfiguration(url: fixture.gallery.url, allowsSave: false)
    try fixture.tidy(readOnly)
    #expect(try fixture.listed().count == 1)
  }

  @Test func `an opening does not wait for who writes to remove a backup`() throws {
    var configuration = fixture.configuration
    configuration.storeOptions.busyTimeout = .seconds(60)
    try fixture.backup()
    let pool = try Pool(configuration.connectionOptions)
    defer { try? pool.close() }
    let definition = try pool.read { try StoreDefinition(of: $0, url: nil) }
    let logger = Logger(label: "test")
    let writer = try Connection(configuration.connectionOptions)
    try writer.execute("BEGIN IMMEDIATE")
    let elapsed = ContinuousClock().measure { MigrationBackup.tidy(pool, definition, configuration, logger) }
    #expect(elapsed < .seconds(30))
    #expect(try fixture.listed().count == 1)
    try writer.execute("COMMIT")
    writer.close()
    MigrationBackup.tidy(pool, definition, configuration, logger)
    #expect(try fixture.listed() == [])
  }

  @Test func `nothing is removed that is not the store's own backup`() throws {
    let folder = fixture.gallery.folder.url
    let other = try BackupFixture()
    try other.save()
    let foreign = "test.store.backup-2026-01-01T000000Z"
    try FileManager.default.copyItem(at: other.gallery.url, to: folder.appending(path: foreign))
    let names = [
      "test.store.backup-2026-01-02T000000Z", "test.store.backup-2026-13-02T000000Z", "test.store.backup",
      "test.store.backup-2026-01-02T000000Z.zip", "test.store.backup-2026-01-02T000000Z.old.partial",
      "test.store.backup-2026-01-02T00:00:00Z", "notes.store.backup-2026-01-02T000000Z.partial", "test.store.partial",
      "test.store.backup-2026-01-03T000000Z-files",
    ]
    for name in names { try Data("mine".utf8).write(to: folder.appending(path: name)) }
    try fixture.backup()
    let before = try fixture.entries()
    try fixture.tidy()
    #expect(try Set(before).subtracting(fixture.entries()).allSatisfy { $0.hasPrefix("test.store.backup-20") })
    #expect(try Set(names + [foreign]).isSubset(of: fixture.entries()))
  }

  @Test func `what a crash left of a backup whose files had their name is removed`() throws {
    let backup = try #require(try fixture.backup())
    try FileManager.default.moveItem(atPath: backup.url.path, toPath: backup.url.path + ".partial")
    #expect(try fixture.listed() == [])
    try fixture.tidy()
    #expect(try fixture.entries() == ["test.store", "test.store-files"])
    #expect(try fixture.photos(fixture.gallery.url) == ["a": bytes(5_000)])
  }

  @Test func `the backup of a migration that failed is discarded, unless nobody knows whether it did`() throws {
    let backup = try #require(try fixture.backup())
    backup.discard(after: DatabaseError(code: DatabaseError.ioError, message: ""), fixture.configuration)
    #expect(try fixture.listed() == [backup])
    backup.discard(after: SwiftDataError.modelValidationFailure, fixture.configuration)
    #expect(try fixture.entries() == ["test.store", "test.store-files"])
  }
}
