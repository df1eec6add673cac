import Foundation
import RoostCore
import RoostEngine

/// The folder that a store's backups are in.
struct BackupFolder {
  let url: URL
  /// The store's file, which a link may lead to.
  let store: URL
  private let configuration: ModelConfiguration

  /// nil for a store in memory, which has none.
  init?(_ configuration: ModelConfiguration) {
    if configuration.isStoredInMemoryOnly { return nil }
    store = configuration.url.resolvingSymlinksInPath()
    url = configuration.storeOptions.migration.backupFolder ?? store.deletingLastPathComponent()
    self.configuration = configuration
  }

  private var storeName: String { store.lastPathComponent }

  func file(_ name: String) -> URL { url.appendingPathComponent(name, isDirectory: false) }

  private func entries() throws -> [String] {
    guard Disk.exists(url) else { return [] }
    return try FileManager.default.contentsOfDirectory(atPath: url.path)
  }

  /// The whole backups, the newest first.
  func names() throws -> [BackupName] {
    try entries().compactMap { BackupName($0, of: storeName) }.sorted { $0.date > $1.date }
  }

  /// A name that is later than all others, even if the clock was set back.
  func nextName(now: Date = .now) throws -> BackupName {
    guard let newest = try names().first else { return BackupName(of: storeName, now) }
    return BackupName(of: storeName, max(now, newest.date + 1))
  }

  /// Removes what a crash left of backups that were being made, encrypted otherwise, or removed.
  ///
  /// - Precondition: The write lock is held, so that nobody is at it.
  func removeLeftovers() throws {
    let entries = try entries()
    for entry in entries {
      guard let name = BackupName(partial: entry, of: storeName) else { continue }
      // What is beside a backup is named before it, and removed after it.
      if entry == name.partialText, !entries.contains(name.text) { try removeCompanions(of: name) }
      // One that has another key by now stays as it is until the change of the encryption is made again.
      if entry == name.encryptingText { try? configuration.sweepFiles(ofCopy: file(name.text)) }
      try FileManager.default.removeItem(at: file(entry))
    }
  }

  var hasLeftovers: Bool {
    get throws { try entries().contains { BackupName(partial: $0, of: storeName) != nil } }
  }

  /// Removes a backup so that what is left of it after a crash is not taken for one.
  func remove(_ name: BackupName) throws {
    let partial = file(name.partialText)
    try FileManager.default.moveItem(at: file(name.text), to: partial)
    try removeCompanions(of: name)
    try FileManager.default.removeItem(at: partial)
  }

  /// Removes the files of values, and those that SQLite made when somebody opened the backup.
  private func removeCompanions(of name: BackupName) throws {
    let companions =
      ["-journal", "-wal", "-shm"].map { file(name.text + $0) } + [ExternalFiles(of: file(name.text)).folder]
    for companion in companions where Disk.exists(companion) { try FileManager.default.removeItem(at: companion) }
  }

  /// Removes all backups of a store but the newest ones, and those that are to be kept.
  func removeAll(but count: Int, ofStore identifier: String, keeping kept: Set<String>) throws {
    let names = try names().filter { !kept.contains($0.text) }
    if names.count <= count { return }
    // Another store of that file name may have its backups here, too.
    for name in names.filter({ self.identifier(of: $0) == identifier }).dropFirst(count) { try remove(name) }
  }

  /// nil for what cannot be read, which stays.
  private func identifier(of name: BackupName) -> String? {
    guard let options = try? configuration.options(forCopy: file(name.text)), let connection = try? Connection(options)
    else { return nil }
    defer { connection.close() }
    return try? StoreCatalog(connection).value(.identifier)
  }

  /// A backup's facts.
  func backup(_ name: BackupName) -> MigrationBackup {
    let files = ExternalFiles(of: file(name.text))
    let sizes = ((try? files.names()) ?? []).compactMap { Disk.size(of: files.url(of: $0)) }
    return MigrationBackup(
      url: file(name.text), date: name.date,
      size: sizes.reduce(Disk.size(of: file(name.text)) ?? 0, +))
  }
}
