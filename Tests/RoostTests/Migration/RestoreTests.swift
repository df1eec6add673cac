import EncryptionSupport
import Foundation
import Roost
import RoostCore
import RoostEngine
import RoostMigration
import Testing

/// A backup in the place of a store.
@Suite struct RestoreTests {
  private let fixture: BackupFixture
  private let backup: MigrationBackup

  init() throws {
    fixture = try BackupFixture()
    try fixture.save()
    backup = try #require(try fixture.backup())
    try fixture.save("b", bytes(6_000))
  }

  private var store: URL { fixture.gallery.url }

  private func restore(_ copy: URL? = nil) throws {
    try ModelContainer.restore(fixture.configuration, from: copy ?? backup.url)
  }

  @Test func `a store is as it was, with its files`() throws {
    let container = try fixture.gallery.open()
    try container.erase()
    try container.close()
    try restore()
    #expect(try fixture.photos(store) == ["a": bytes(5_000)])
    #expect(try fixture.gallery.files() == fixture.gallery.named())
    // As often as one likes, and any copy.
    let copy = fixture.gallery.folder.url.appending(path: "copy.store")
    let again = try fixture.gallery.open()
    try ModelContext(again).savePhoto("c", bytes(7_000))
    try again.backup(to: copy)
    try again.close()
    try restore()
    #expect(try fixture.photos(store) == ["a": bytes(5_000)])
    try restore(copy)
    #expect(try fixture.photos(store) == ["a": bytes(5_000), "c": bytes(7_000)])
    #expect(try fixture.listed() == [backup])
  }

  @Test func `a store that is gone is made anew`() throws {
    try FileManager.default.removeItem(at: store)
    try FileManager.default.removeItem(at: fixture.gallery.filesFolder)
    try restore()
    #expect(try fixture.photos(store) == ["a": bytes(5_000)])
  }

  @Test func `others who have the store open see all of it at once`() throws {
    let other = try Connection(ConnectionOptions(location: .file(path: store.path)))
    defer { other.close() }
    try other.begin(.deferred)
    func titles() throws -> [String] {
      let statement = try other.statement("SELECT title FROM Photo ORDER BY title")
      defer { statement.reset() }
      var titles: [String] = []
      while try statement.step() { titles.append(statement.string(0)) }
      return titles
    }
    #expect(try titles() == ["a", "b"])
    try restore()
    #expect(try titles() == ["a", "b"])
    try other.commit()
    #expect(try titles() == ["a"])
  }

  @Test func `a store that somebody writes to is busy, and stays as it was`() throws {
    let other = try Connection(ConnectionOptions(location: .file(path: store.path)))
    try other.begin()
    #expect(throws: SwiftDataError.storeBusy) { try restore() }
    other.close()
    #expect(try fixture.photos(store) == ["a": bytes(5_000), "b": bytes(6_000)])
  }

  @Test func `a store too damaged to be opened is put aside`() throws {
    try Data(repeating: 0xFF, count: 9_000).write(to: store)
    try Data(repeating: 1, count: 5_000).write(to: URL(filePath: store.path + "-wal"))
    try restore()
    #expect(try fixture.photos(store) == ["a": bytes(5_000)])
    let aside = try fixture.entries().filter { $0.contains(".damaged-") }
    let folder = fixture.gallery.folder.url
    let kept = try aside.filter { !$0.hasSuffix("-files") }.map { try Data(contentsOf: folder.appending(path: $0)) }
    #expect(kept.contains(Data(repeating: 0xFF, count: 9_000)))
  }

  @Test func `a store that is put aside keeps its values' files, also when the restored one is opened`() throws {
    try Data(repeating: 0xFF, count: 9_000).write(to: store)
    try restore()
    // The opening removes what the restored rows do not name.
    #expect(try fixture.photos(store) == ["a": bytes(5_000)])
    let folder = fixture.gallery.folder.url
    let aside = try #require(try fixture.entries().first { $0.contains(".damaged-") && $0.hasSuffix("-files") })
    let files = try FileManager.default.contentsOfDirectory(atPath: folder.appending(path: aside).path)
    #expect(files.count == 2)
  }

  @Test(.plainFiles) func `a store with pages of another size is restored as well`() throws {
    let connection = try Connection(ConnectionOptions(location: .file(path: store.path)))
    try connection.execute("PRAGMA journal_mode=DELETE; PRAGMA page_size=8192; VACUUM; PRAGMA journal_mode=WAL")
    connection.close()
    try restore()
    #expect(try fixture.photos(store) == ["a": bytes(5_000)])
  }

  @Test func `what is no sound store is refused`() throws {
    let folder = fixture.gallery.folder.url
    let (missing, text, empty, cut) = (
      folder.appending(path: "missing"), folder.appending(path: "text"), folder.appending(path: "empty"),
      folder.appending(path: "cut")
    )
    try Data("This is no database, however long one looks at it. ".utf8).write(to: text)
    try Data().write(to: empty)
    try Data(contentsOf: backup.url).dropLast(8_192).write(to: cut)
    for (copy, kind) in [
      (missing, SwiftDataError.storeInputOutput), (text, .storeDamaged), (empty, .storeDamaged), (cut, .storeDamaged),
      (store, .loadIssueModelContainer),
    ] {
      let error = #expect(throws: SwiftDataError.self) { try restore(copy) }
      #expect(error == kind && error?.url == store, "\(copy): \(String(describing: error))")
    }
    #expect(try fixture.photos(store) == ["a": bytes(5_000), "b": bytes(6_000)])
  }

  @Test func `a backup without its folder of files is refused, unless the store has them all`() throws {
    try FileManager.default.removeItem(atPath: backup.url.path + "-files")
    try restore()
    #expect(try fixture.photos(store) == ["a": bytes(5_000)])
    let container = try fixture.gallery.open()
    try container.erase()
    try container.close()
    let error = #expect(throws: SwiftDataError.storeInputOutput) { try restore() }
    #expect(error?.message.contains("\(backup.url.lastPathComponent)-files") ?? false)
    #expect(try fixture.photos(store) == [:])
  }

  @Test func `another program's database is not replaced`() throws {
    for suffix in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: store.path + suffix) }
    let other = try Connection(ConnectionOptions(location: .file(path: store.path)))
    try other.execute("CREATE TABLE theirs (a); INSERT INTO theirs VALUES (7)")
    other.close()
    let error = #expect(throws: SwiftDataError.loadIssueModelContainer) { try restore() }
    #expect(error?.url == store)
    #expect(try Migrated.strings(store, "SELECT a FROM theirs") == ["7"])
  }

  @Test func `a read-only configuration restores nothing`() throws {
    let readOnly = ModelConfiguration(url: store, allowsSave: false)
    #expect(throws: SwiftDataError.readOnlyStore) { try ModelContainer.restore(readOnly, from: backup.url) }
  }

  @Test func `a process that ends at any moment leaves the store as it was, or the backup`() throws {
    let images = try everyMoment(of: store) { try ModelContainer.restore($0, from: backup.url) }
    var isRestored = false
    for image in images {
      let photos = try image.unpacked { try fixture.photos($0) }
      if photos == ["a": bytes(5_000)] { isRestored = true }
      #expect(isRestored ? photos == ["a": bytes(5_000)] : photos == ["a": bytes(5_000), "b": bytes(6_000)])
    }
    #expect(isRestored)
  }
}
