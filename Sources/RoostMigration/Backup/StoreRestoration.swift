import Foundation
import RoostCore
import RoostEngine

/// Puts a copy of a store in its place.
struct StoreRestoration {
  private let configuration: ModelConfiguration
  private let copy: URL
  private let store: URL

  init(_ configuration: ModelConfiguration, from copy: URL) throws {
    (self.configuration, self.copy) = (configuration, copy)
    store = configuration.url.resolvingSymlinksInPath()
    try configuration.validate()
    guard !configuration.isStoredInMemoryOnly else {
      throw SwiftDataError.loadIssue(
        "A store in memory cannot be restored.", url: nil, remedy: "Give the configuration a url.")
    }
    guard configuration.allowsSave else { throw SwiftDataError(.readOnlyStore, url: store) }
    guard copy.resolvingSymlinksInPath() != store else {
      throw SwiftDataError.loadIssue(
        "The backup is the store itself.", url: store, remedy: "Name another file.")
    }
  }

  func run() throws {
    let source = try open()
    defer { source.close() }
    do {
      let names = try source.externalNames(in: try StoreDefinition(of: source, url: copy).externalColumns)
      // Before the rows that name them, and after: an opening of the store removes files without rows.
      try bringFiles(names)
      let target = try openTarget()
      defer { target.close() }
      // A file with a log keeps the size of its pages.
      if try source.pageSize() != target.pageSize() { try target.endWriteAheadLog() }
      // A store that is new, or damaged, knows of none.
      let kept = (try? StoreCatalog(target).keptBackups()) ?? []
      try source.backup(to: target)
      try keep(kept, in: target)
      try bringFiles(names)
    } catch {
      throw failure(error)
    }
  }

  /// Notes in the restored store which backups are to stay.
  private func keep(_ backups: Set<String>, in target: Connection) throws {
    do {
      for backup in backups { try StoreCatalog(target).keep(backup) }
    } catch let error as DatabaseError {
      throw SwiftDataError(
        SwiftDataError.reading(error).code,
        "The store is restored, and does not know which backups are to stay: \(backups.sorted().joined(separator: ", ")).",
        remedy: "Copy them to another folder before the store is opened, which may remove them.", underlying: error,
        url: store)
    }
  }

  // MARK: - The copy

  /// Opens the copy and sees that it is a sound store.
  private func open() throws -> Connection {
    let options = try configuration.options(forCopy: copy)
    do {
      let connection = try Connection(options)
      let findings = try connection.integrityCheck(isQuick: true)
      guard findings.isEmpty else { throw unusable(findings.prefix(3).joined(separator: "; ")) }
      guard try connection.strings("SELECT name FROM sqlite_schema").contains("_roost_entity") else {
        throw unusable("It is no store, for it lacks the table _roost_entity.")
      }
      return connection
    } catch let error as DatabaseError where error.primaryCode == DatabaseError.notADatabase {
      let cause = SwiftDataError.unreadable(copy, withKey: try configuration.key != nil, error)
      throw cause == .loadIssueModelContainer ? unusable(error.message, error) : cause
    } catch let error as DatabaseError {
      throw unusable(error.message, error)
    }
  }

  private func unusable(_ reason: String, _ error: DatabaseError? = nil) -> SwiftDataError {
    SwiftDataError(
      error.map { SwiftDataError.reading($0).code } ?? .storeDamaged,
      "The backup \(copy.path) cannot be used. \(reason)",
      remedy: "Restore another one: ModelContainer.backups(of:) lists them. The store is as it was.",
      underlying: error, url: store)
  }

  private func bringFiles(_ names: Set<ExternalName>) throws {
    let (source, target) = (ExternalFiles(of: copy), ExternalFiles(of: store))
    let missing = names.filter { !Disk.exists(target.url(of: $0)) }
    guard missing.isEmpty || Disk.exists(source.folder) else {
      throw SwiftDataError(
        .storeInputOutput, "The backup's values have files, and their folder \(source.folder.path) is not there.",
        remedy: "Put it beside the backup. The store is as it was.", url: store)
    }
    do {
      // A row may have lost its file before the backup was made.
      try source.copy(names, to: target, isLinking: true, skipsMissing: true)
    } catch {
      throw SwiftDataError(
        SwiftDataError.code(ofFile: error.underlying), "A value's file could not be brought back from the backup.",
        remedy: "Look whether the disk works and has room, and restore again.", underlying: error.underlying,
        url: error.url)
    }
  }

  // MARK: - The store

  private func openTarget() throws -> Connection {
    var options = try configuration.connectionOptions
    options.synchronous = .full
    do {
      return try Connection(options)
    } catch {
      guard [DatabaseError.notADatabase, DatabaseError.corrupt].contains(error.primaryCode) else { throw error }
      if error.primaryCode == DatabaseError.notADatabase { try checkKey(after: error) }
      try putAside()
      return try Connection(options)
    }
  }

  /// A store that another key opens is none to put aside.
  private func checkKey(after error: DatabaseError) throws {
    let cause = SwiftDataError.unreadable(store, withKey: try configuration.key != nil, error)
    if cause == .loadIssueModelContainer { return }
    throw SwiftDataError(
      cause.code, cause.message,
      remedy: """
        Restore it with the encryption that it has. If it is damaged, or not needed, move it and what is called like it \
        to another folder first.
        """, underlying: error, url: store)
  }

  /// Renames a file that cannot be opened, with its log, which would otherwise be taken for the new file's.
  private func putAside() throws {
    let manager = FileManager.default
    let aside = store.path + ".damaged-\(UUID().uuidString)"
    try keepFiles(with: URL(fileURLWithPath: aside, isDirectory: false))
    for suffix in ["-journal", "-wal", ""] where manager.fileExists(atPath: store.path + suffix) {
      try manager.moveItem(atPath: store.path + suffix, toPath: aside + suffix)
    }
    if manager.fileExists(atPath: store.path + "-shm") { try manager.removeItem(atPath: store.path + "-shm") }
  }

  /// Gives the values' files of a store that is put aside second names beside it: the restored store, which has the
  /// folder, removes those that its rows do not name.
  private func keepFiles(with aside: URL) throws {
    let files = ExternalFiles(of: store)
    do {
      try files.copy(files.names(), to: ExternalFiles(of: aside), isLinking: true, skipsMissing: true)
    } catch let error as ExternalFileError {
      throw error.underlying
    }
  }

  private func failure(_ error: any Error) -> SwiftDataError {
    switch error {
    case let error as SwiftDataError: return error
    case let error as DatabaseError:
      let cause = SwiftDataError.reading(error)
      return SwiftDataError(
        cause.code, "The store could not be restored, and is as it was. \(cause.message)", remedy: cause.remedy,
        underlying: error, url: store)
    default:
      return SwiftDataError(
        SwiftDataError.code(ofFile: error), "The damaged store could not be put aside.", underlying: error, url: store)
    }
  }
}
