import Foundation
import Logging
import Roost
import RoostCore
import RoostEngine
import RoostMigration
import RoostQuery

/// A gallery that is about to be migrated.
struct BackupFixture {
  let gallery: Gallery
  var configuration: ModelConfiguration

  init() throws {
    gallery = try Gallery()
    configuration = ModelConfiguration(url: gallery.url)
    configuration.storeOptions.busyTimeout = .milliseconds(50)
  }

  /// Saves a photo and closes the store.
  func save(_ title: String = "a", _ image: Data? = bytes(5_000)) throws {
    let container = try gallery.open()
    try ModelContext(container).savePhoto(title, image)
    try container.close()
  }

  /// Makes a backup as a migration does, on a configuration's connections.
  @discardableResult
  func backup(
    _ configuration: ModelConfiguration? = nil, rebuilding: Int64? = nil, after: (Connection) throws -> Void = { _ in }
  ) throws -> MigrationBackup? {
    let configuration = configuration ?? self.configuration
    let pool = try Pool(configuration.connectionOptions)
    defer { try? pool.close() }
    return try pool.write { connection in
      try connection.transaction(.immediate) {
        let definition = try StoreDefinition(of: connection, url: configuration.url)
        let backup = try MigrationBackup.make(
          of: pool, holding: connection, definition, configuration, rebuilding: rebuilding)
        try after(connection)
        return backup
      }
    }
  }

  /// Tidies up as an opening without a migration does.
  func tidy(_ configuration: ModelConfiguration? = nil, _ change: (inout StoreDefinition) -> Void = { _ in }) throws {
    let configuration = configuration ?? self.configuration
    let pool = try Pool(configuration.connectionOptions)
    defer { try? pool.close() }
    var definition = try pool.read { try StoreDefinition(of: $0, url: nil) }
    change(&definition)
    MigrationBackup.tidy(pool, definition, configuration, Logger(label: "test"))
  }

  /// What is in a store, with what it says when it is opened.
  func photos(_ store: URL, allowsSave: Bool = true) throws -> [String: Data?] {
    let container = try Gallery(gallery.folder, at: store).open(allowsSave: allowsSave)
    defer { try? container.close() }
    let photos = try ModelContext(container).fetch(FetchDescriptor<Photo>())
    return Dictionary(uniqueKeysWithValues: photos.map { ($0.title, $0.image) })
  }

  /// A folder on another disk than the store's, where the system has one.
  static let otherDisk: URL? = {
    let memory = URL(filePath: "/dev/shm", directoryHint: .isDirectory)
    let volumes = [memory, FileManager.default.temporaryDirectory].map {
      (try? FileManager.default.attributesOfItem(atPath: $0.path))?[.systemNumber] as? NSNumber
    }
    return volumes[0] == nil || volumes[0] == volumes[1] ? nil : memory
  }()

  func entries() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: gallery.folder.url.path).sorted()
  }

  func listed() throws -> [MigrationBackup] { try ModelContainer.backups(of: configuration) }
}
