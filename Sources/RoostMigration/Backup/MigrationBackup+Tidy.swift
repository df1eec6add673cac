package import Logging
package import RoostCore
package import RoostEngine

extension MigrationBackup {
  /// Removes the backups that are not needed any more, after an opening that found the program's own schema.
  ///
  /// What cannot be removed is logged, and tried again by the next opening; so is what somebody writes in the way of.
  /// - Parameters:
  ///   - pool: the store's.
  ///   - definition: the schema that the program has, and the file must still have.
  ///   - configuration: where the store is, and what is to be kept.
  ///   - logger: where failures go.
  package static func tidy(
    _ pool: Pool, _ definition: StoreDefinition, _ configuration: ModelConfiguration, _ logger: Logger
  ) {
    guard configuration.allowsSave, let folder = BackupFolder(configuration) else { return }
    let kept = configuration.storeOptions.migration.backups.keptAfterOpening
    do {
      guard try folder.names().count > kept || folder.hasLeftovers else { return }
      let lasting = try pool.read { try StoreCatalog($0).keptBackups() }
      guard try folder.names().count(where: { !lasting.contains($0.text) }) > kept || folder.hasLeftovers else {
        return
      }
      // No opening waits for others' writes for the sake of an old backup.
      var options = try configuration.connectionOptions
      (options.mode, options.busyTimeout) = (.readWrite, .zero)
      let connection = try Connection(options)
      defer { connection.close() }
      // Whoever has the write lock knows that nobody is migrating, and whose schema the file has.
      try connection.transaction(.immediate) {
        let stored = try StoreDefinition(of: connection, url: configuration.url)
        guard definition.differences(from: stored).isEmpty,
          let identifier = try StoreCatalog(connection).value(.identifier)
        else {
          return
        }
        try folder.removeLeftovers()
        try folder.removeAll(but: kept, ofStore: identifier, keeping: StoreCatalog(connection).keptBackups())
      }
    } catch let error as DatabaseError where error.primaryCode == DatabaseError.busy {
      logger.debug("Old backups stay, for the store is being written", metadata: ["error": "\(error)"])
    } catch {
      logger.warning("Removing old backups failed", metadata: ["error": "\(error)"])
    }
  }
}
