import FaultyDisk
import Foundation
import Roost
import RoostCore
import RoostEngine
import RoostMigration
import Testing

/// What cuts a backup off leaves the store as it was, and nothing that looks like a backup and is none.
@Suite struct BackupCrashTests {
  private let fixture: BackupFixture

  init() throws {
    fixture = try BackupFixture()
    try fixture.save()
    try fixture.save("b", bytes(6_000))
  }

  /// Looks at the folder as the next process finds it.
  private func check(_ store: URL) throws {
    let expected = ["a": bytes(5_000), "b": bytes(6_000)]
    for backup in try ModelContainer.backups(of: ModelConfiguration(url: store)) {
      #expect(try fixture.photos(backup.url) == expected)
    }
    #expect(try fixture.photos(store) == expected)
    // The next migration clears up.
    let other = Gallery(fixture.gallery.folder, at: store)
    var next = fixture
    next.configuration = ModelConfiguration(url: other.url)
    try next.backup()
    try next.tidy()
    let entries = try FileManager.default.contentsOfDirectory(atPath: store.deletingLastPathComponent().path)
    #expect(entries.sorted() == ["test.store", "test.store-files"])
  }

  @Test func `a process that ends at any moment of a backup leaves only whole ones`() throws {
    let images = try everyMoment(of: fixture.gallery.url) { try fixture.backup($0) }
    #expect(images.count > 10)
    for image in images { try image.unpacked(check) }
  }

  @Test(arguments: [(FaultyDisk.Fault.full, true), (.broken, false), (.broken, true)])
  func `a disk that fails at any moment of a backup leaves only whole ones`(_ fault: (FaultyDisk.Fault, Bool)) throws {
    let count = try everyFault(fault.0, isLasting: fault.1, of: StoreImage(of: fixture.gallery.url)) { configuration in
      do {
        try fixture.backup(configuration)
      } catch let error as SwiftDataError {
        #expect([.storeFull, .storeInputOutput, .storeDamaged].contains(error), "\(error)")
        throw error
      }
    } check: { store, succeeded in
      let backups = try ModelContainer.backups(of: ModelConfiguration(url: store))
      #expect(backups.count == (succeeded ? 1 : 0))
      try check(store)
    }
    #expect(count > 5)
  }
}
