package import Foundation
import RoostEngine

extension Store {
  /// Copies the store as it is now to another place, with the files that its rows name.
  ///
  /// Nobody can save meanwhile: a save would remove files that the copy needs.
  package func backup(to url: URL) throws {
    // A link stays one: what it leads to is replaced.
    let place = url.resolvingSymlinksInPath()
    try SwiftDataError.translating {
      if configuration.isStoredInMemoryOnly, let encryption = configuration.encryption {
        return try exportCopy(to: place, encryption)
      }
      guard let copy = try openCopy(at: place) else { return try makeCopy(at: place) }
      defer { copy.close() }
      try pool.write { connection in
        try connection.transaction(.immediate) {
          try copyFiles(to: place, connection)
          try pool.backup(to: copy)
        }
      }
      // Others may have a store there open, and it works as well with its log.
      try? copy.endWriteAheadLog()
    }
  }

  /// Opens the copy that is there; nil where there is none, and for one that is encrypted otherwise.
  private func openCopy(at place: URL) throws -> Connection? {
    guard Disk.exists(place), let copy = try openDatabase(at: place) else { return nil }
    let tables = (try? copy.strings("SELECT name FROM sqlite_schema WHERE type = 'table'")) ?? []
    if !StoreCatalog.isOthers(tables) { return copy }
    copy.close()
    throw SwiftDataError.loadIssue(
      "The file is an SQLite database of another program, which would be lost.", url: place,
      remedy: "Choose another place for the copy.")
  }

  private func openDatabase(at place: URL) throws -> Connection? {
    do {
      return try Connection(
        ConnectionOptions(
          location: .file(path: place.path), mode: .readWrite, makesWriteAheadLog: false, key: pool.options.key))
    } catch let error where error.primaryCode == DatabaseError.notADatabase {
      // What is no store is not replaced by one.
      if SwiftDataError.unreadable(place, withKey: pool.options.key != nil, error) == .loadIssueModelContainer {
        throw error
      }
      return nil
    }
  }

  /// Makes a new copy with the store's key.
  private func makeCopy(at place: URL) throws {
    try pool.write { connection in
      try connection.transaction(.immediate) {
        var named: Set<ExternalName> = []
        try replaceCopy(at: place) { draft in
          named = try copyFiles(to: place, connection)
          try fill(draft)
        }
        removeFiles(at: place, but: named)
      }
    }
  }

  /// Makes a copy of a store in memory, which has no key, with the one that its configuration names.
  private func exportCopy(to place: URL, _ encryption: ModelConfiguration.Encryption) throws {
    // Throws where there is something else than a store.
    try openCopy(at: place)?.close()
    try pool.write { connection in
      try replaceCopy(at: place) { draft in
        let key = try encryption.key(of: draft)
        try connection.export(to: draft.path, key: key)
        let copy = try Connection(
          ConnectionOptions(
            location: .file(path: draft.path), mode: .readWrite, synchronous: .full, makesWriteAheadLog: false, key: key
          ))
        defer { copy.close() }
        try FileCipher.makeKey(copy)
      }
    }
  }

  /// Has `fill` write a copy, which gets its name when it is whole.
  private func replaceCopy(at place: URL, by fill: (URL) throws -> Void) throws {
    let draft = URL(fileURLWithPath: place.path + ".partial", isDirectory: false)
    do {
      try onDisk(place) {
        try Disk.removeDatabase(draft)
        try Disk.makeFile(draft, permissionsOf: configuration.isStoredInMemoryOnly ? nil : configuration.url)
      }
      try fill(draft)
      try onDisk(place) {
        try Disk.synchronize(draft)
        // The log of what was there would be taken for the copy's.
        try Disk.removeCompanions(of: place)
      }
      try FileReplacement.replace(place.path, by: draft.path)
      try onDisk(place) { try Disk.synchronize(folder: place.deletingLastPathComponent()) }
    } catch {
      try? Disk.removeDatabase(draft)
      throw error
    }
  }

  private func fill(_ draft: URL) throws {
    let copy = try Connection(
      ConnectionOptions(
        location: .file(path: draft.path), mode: .readWrite, synchronous: .full, makesWriteAheadLog: false,
        key: pool.options.key))
    defer { copy.close() }
    try pool.backup(to: copy)
    try copy.endWriteAheadLog()
  }

  /// Those of the copy that was there, which may be plain.
  private func removeFiles(at place: URL, but named: Set<ExternalName>) {
    let copies = ExternalFiles(of: place)
    for name in ((try? copies.names()) ?? []).subtracting(named) { copies.remove(name) }
  }

  /// The files come first: a crash may leave some that no row names, but no row without its file.
  @discardableResult
  private func copyFiles(to place: URL, _ connection: Connection) throws -> Set<ExternalName> {
    guard let files else { return [] }
    let names = try referenced(connection)
    do {
      try files.copy(names, to: ExternalFiles(of: place))
    } catch {
      throw SwiftDataError(
        .storeInputOutput, "A value's file could not be copied.", remedy: "Restore it, or delete its row.",
        underlying: error.underlying, url: error.url)
    }
    return names
  }

  private func onDisk(_ place: URL, _ body: () throws -> Void) throws {
    do {
      try body()
    } catch {
      throw SwiftDataError(
        SwiftDataError.code(ofFile: error), "The copy could not be made.",
        remedy: "Check that this user may write to the folder and that the disk has room.", underlying: error,
        url: place)
    }
  }
}
