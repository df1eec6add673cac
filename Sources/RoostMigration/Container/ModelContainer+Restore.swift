public import Foundation
public import RoostCore

extension ModelContainer {
  /// The backups that migrations of a configuration's store have left, the newest first.
  ///
  /// ```swift
  /// for backup in try ModelContainer.backups(of: configuration) {
  ///   print(backup.date, backup.size, backup.url.path)
  /// }
  /// ```
  /// - Parameter configuration: what the container is made with; its `storeOptions.migration` says where backups are.
  /// - Returns: none for a store in memory, and where there is no folder.
  /// - Throws: ``SwiftDataError/storeInputOutput`` when the folder cannot be read.
  public static func backups(of configuration: ModelConfiguration) throws -> [MigrationBackup] {
    guard let folder = BackupFolder(configuration) else { return [] }
    do {
      return try folder.names().map(folder.backup)
    } catch {
      throw SwiftDataError(
        .storeInputOutput, "The folder of the backups cannot be read.", underlying: error, url: folder.url)
    }
  }

  /// Puts a backup in the place of a configuration's store, with the files of its values.
  ///
  /// Close the containers of the store first. Other programs that have it open see the restored rows with their next
  /// query, all at once. A copy that ``backup(to:)`` made can be restored as well. The backup stays; a store that is
  /// too damaged to be opened is kept beside the new one with its values' files, under a name with `.damaged-`. One
  /// that only has another key is not replaced.
  /// ```swift
  /// let backups = try ModelContainer.backups(of: configuration)
  /// if let backup = backups.first { try ModelContainer.restore(configuration, from: backup.url) }
  /// ```
  /// - Parameters:
  ///   - configuration: whose store is replaced, or made anew.
  ///   - backup: the copy's file. It is checked before anything is written.
  /// - Throws: ``SwiftDataError``, such as ``SwiftDataError/storeDamaged`` for a backup that is not sound,
  ///   ``SwiftDataError/wrongStoreKey``, ``SwiftDataError/storeEncrypted`` or ``SwiftDataError/storeNotEncrypted`` for
  ///   a backup or a store that is encrypted otherwise, or ``SwiftDataError/storeBusy`` when somebody else writes for
  ///   too long. The store is then as it was.
  /// - Source: [SQLite's online backup](https://www.sqlite.org/backup.html).
  public static func restore(_ configuration: ModelConfiguration, from backup: URL) throws {
    let restoration = try StoreRestoration(configuration, from: backup)
    try StoreFile.checkReplacement(of: configuration.url, configuration.key)
    try restoration.run()
  }
}
