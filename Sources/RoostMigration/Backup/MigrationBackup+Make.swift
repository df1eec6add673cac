import Foundation
package import RoostCore
package import RoostEngine

extension MigrationBackup {
  /// Makes and checks a backup, as the configuration says, after seeing that the migration has room as well.
  ///
  /// The files of `.externalStorage` values get second names where the disk can do that, for they are never changed.
  /// - Parameters:
  ///   - pool: the store's.
  ///   - connection: the writer, which holds the write lock and has changed nothing.
  ///   - definition: the schema that the file has.
  ///   - configuration: where the store is, and what is to be made.
  ///   - rebuilding: the bytes of the tables that the migration makes anew; nil for all.
  ///   - progress: told of each step of the copy; throwing `CancellationError` gives up.
  /// - Returns: nil when no backup is to be made, and for a store in memory.
  /// - Throws: ``SwiftDataError``, such as ``SwiftDataError/storeFull``; the store is then as it was.
  package static func make(
    of pool: Pool, holding connection: Connection, _ definition: StoreDefinition,
    _ configuration: ModelConfiguration, rebuilding: Int64? = nil,
    progress: (_ remaining: Int, _ total: Int) throws -> Void = { _, _ in }
  ) throws -> MigrationBackup? {
    guard let folder = BackupFolder(configuration) else { return nil }
    let options = configuration.storeOptions.migration
    let size = try SwiftDataError.translating { try connection.size() }
    var space = MigrationSpace(rebuilt: min(rebuilding ?? size, size))
    guard options.backups.isMade else {
      try space.check(configuration, store: folder.store, backups: folder.url)
      return nil
    }
    var place = folder.url
    do {
      try FileManager.default.createDirectory(at: folder.url, withIntermediateDirectories: true)
      try folder.removeLeftovers()
      if let identifier = try StoreCatalog(connection).value(.identifier) {
        try folder.removeAll(
          but: options.backups.keptBefore, ofStore: identifier, keeping: StoreCatalog(connection).keptBackups())
      }
      let name = try folder.nextName()
      place = folder.file(name.text)
      let files = ExternalFiles(of: folder.store)
      let externals = try connection.externalNames(in: definition.externalColumns)
      space.backup = size
      if Disk.volume(of: folder.url) != Disk.volume(of: folder.store) {
        space.backup = externals.reduce(size) { $0 + (Disk.size(of: files.url(of: $1)) ?? 0) }
      }
      try space.check(configuration, store: folder.store, backups: folder.url)
      let draft = BackupDraft(folder, name, pool.options)
      do {
        try draft.create()
        // What was lost already must not be in the way.
        try files.copy(externals, to: draft.files, isLinking: true, skipsMissing: true)
        try draft.copy(pool, progress)
        try draft.check(pool)
        try draft.publish()
      } catch {
        try? folder.removeLeftovers()
        throw error
      }
      return folder.backup(name)
    } catch let error as SwiftDataError where error == .storeFull && error.underlying == nil {
      throw error
    } catch {
      throw SwiftDataError.backupFailed(error, store: folder.store, place)
    }
  }

  /// Removes the backup of a migration that failed, for the store is as it was.
  package func discard(after error: any Error, _ configuration: ModelConfiguration) {
    let cause = (error as? SwiftDataError)?.underlying ?? error
    // After an error of the disk nobody knows whether the migration is there after a crash.
    if (cause as? DatabaseError)?.primaryCode == DatabaseError.ioError { return }
    guard let folder = BackupFolder(configuration),
      let name = BackupName(url.lastPathComponent, of: folder.store.lastPathComponent)
    else { return }
    // Otherwise the next opening does it.
    try? folder.remove(name)
  }
}

/// A backup that is being made.
private struct BackupDraft {
  let file: URL
  private let name: BackupName
  private let folder: BackupFolder
  /// How the store is opened.
  private let options: ConnectionOptions

  init(_ folder: BackupFolder, _ name: BackupName, _ options: ConnectionOptions) {
    file = folder.file(name.partialText)
    (self.folder, self.name, self.options) = (folder, name, options)
  }

  var files: ExternalFiles { ExternalFiles(of: file) }

  /// Makes an empty file that nobody may read who may not read the store.
  func create() throws { try Disk.makeFile(file, permissionsOf: folder.store) }

  func copy(_ pool: Pool, _ progress: (_ remaining: Int, _ total: Int) throws -> Void) throws {
    let copy = try Connection(
      ConnectionOptions(
        location: .file(path: file.path), synchronous: .full, makesWriteAheadLog: false,
        fileSystem: options.fileSystem, key: options.key))
    defer { copy.close() }
    try pool.backup(to: copy, progress: progress)
    // Where a folder may only be read, no file with a log opens.
    try copy.endWriteAheadLog()
  }

  /// Reads the copy as whoever needs it will.
  func check(_ pool: Pool) throws {
    let copy = try Connection(
      ConnectionOptions(
        // A disk that cannot be read is an error to throw, and not a signal, as it would be under a map.
        location: .file(path: file.path), mode: .readOnly, memoryMapSize: 0, fileSystem: options.fileSystem,
        key: options.key))
    defer { copy.close() }
    let findings = try copy.integrityCheck(isQuick: true)
    let broken = try copy.brokenReferences()
    if findings.isEmpty, broken == 0 { return }
    // Is it the copy, or what was copied?
    let source = try pool.checkout()
    defer { pool.checkin(source) }
    try pool.use(source) {
      let damage = try source.integrityCheck(isQuick: true)
      if !damage.isEmpty { throw SwiftDataError.damagedSource(damage) }
      // Other programs may have left such references, and a copy has them, too.
      if try !findings.isEmpty || broken != source.brokenReferences() {
        throw SwiftDataError(.storeInputOutput, "The copy differs from the store: \(findings.prefix(3)).")
      }
    }
  }

  /// Gives the backup its name, the file's last.
  func publish() throws {
    try Disk.synchronize(file)
    if Disk.exists(files.folder) {
      try FileManager.default.moveItem(at: files.folder, to: ExternalFiles(of: folder.file(name.text)).folder)
    }
    try FileManager.default.moveItem(at: file, to: folder.file(name.text))
    try Disk.synchronize(folder: folder.url)
  }
}

extension SwiftDataError {
  fileprivate static func damagedSource(_ findings: [String]) -> SwiftDataError {
    SwiftDataError(
      .storeDamaged, "The store is damaged: \(findings.prefix(3).joined(separator: "; ")).",
      remedy: "Restore an earlier backup, or save what can be read with the sqlite3 shell's .recover command.")
  }

  /// A backup that could not be made, of a store that was therefore not migrated.
  fileprivate static func backupFailed(_ error: any Error, store: URL, _ place: URL) -> SwiftDataError {
    let cause =
      switch error {
      case let error as SwiftDataError: error
      case let error as DatabaseError: reading(error)
      case let error as ExternalFileError:
        SwiftDataError(code(ofFile: error.underlying), "\(error.underlying)", underlying: error.underlying)
      case is CancellationError: SwiftDataError(.storeWaitCancelled, underlying: error)
      default: SwiftDataError(code(ofFile: error), "\(error)", underlying: error)
      }
    let remedies: [Code: String] = [
      .storeFull: "Make room there, or set storeOptions.migration.backupFolder to a folder on another disk.",
      .storeInputOutput:
        "Check that this user may write there, or set storeOptions.migration.backupFolder to another folder.",
    ]
    return SwiftDataError(
      cause.code,
      """
      The store must be migrated, and the backup before that could not be made at \(place.path), so that nothing was \
      changed. \(cause.message)
      """, remedy: remedies[cause.code] ?? cause.remedy, underlying: cause.underlying, url: store)
  }
}
