import Foundation
import Roost
import RoostCore
import Testing

/// A migration that has too little room does not begin.
@Suite struct MigrationSpaceTests {
  private let fixture: BackupFixture
  /// The bytes of the database.
  private let size: Int64

  init() throws {
    fixture = try BackupFixture()
    try fixture.save()
    size = Int64(try Data(contentsOf: fixture.gallery.url).count)
  }

  private func configuration(free: Int64?) -> ModelConfiguration {
    var configuration = fixture.configuration
    configuration.storeOptions.migration.freeSpace = FreeSpace { _ in free }
    return configuration
  }

  @Test func `a backup and a migration need three times the store`() throws {
    let error = #expect(throws: SwiftDataError.self) { try fixture.backup(configuration(free: 3 * size - 1)) }
    #expect(error == .storeFull && error?.url == fixture.gallery.url)
    let message = try #require(error?.message)
    #expect(message.contains(" MB at \(fixture.gallery.folder.url.path), where "), "\(message)")
    #expect(error?.remedy?.contains("backupFolder") ?? false)
    #expect(try fixture.entries() == ["test.store", "test.store-files"])
    #expect(try fixture.backup(configuration(free: 3 * size)) != nil)
  }

  @Test func `a migration without a backup needs twice the store`() throws {
    var configuration = configuration(free: 2 * size - 1)
    configuration.storeOptions.migration.backups = .none
    let error = #expect(throws: SwiftDataError.storeFull) { try fixture.backup(configuration) }
    #expect(error?.remedy?.contains("backupFolder") == false)
    configuration.storeOptions.migration.freeSpace = FreeSpace { _ in size }
    _ = try fixture.backup(configuration, rebuilding: size / 2)
    #expect(throws: SwiftDataError.storeFull) { try fixture.backup(configuration, rebuilding: size) }
  }

  @Test func `a migration that makes no table anew needs room for the backup alone`() throws {
    #expect(throws: SwiftDataError.storeFull) { try fixture.backup(configuration(free: size - 1), rebuilding: 0) }
    #expect(try fixture.backup(configuration(free: size), rebuilding: 0) != nil)
  }

  @Test func `where the system does not tell, there is room`() throws {
    #expect(try fixture.backup(configuration(free: nil)) != nil)
  }

  @Test func `the system tells of a real disk`() throws {
    #expect(try fixture.backup() != nil)
  }
}
