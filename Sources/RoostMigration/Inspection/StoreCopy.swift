package import Foundation
import RoostCore
package import RoostEngine

/// A copy of a store that somebody asked for, with the files of its values.
package enum StoreCopy {
  /// The name of a copy made now, beside the store.
  ///
  /// Not as migrations name their backups: a program removes those when it needs them no more.
  package static func defaultURL(for store: URL, now: Date = .now) -> URL {
    let folder = store.deletingLastPathComponent()
    var date = now
    while true {
      let name = BackupName.copy(of: store.lastPathComponent, date)
      let url = folder.appendingPathComponent(name, isDirectory: false)
      if !Disk.exists(url) { return url }
      date += 1
    }
  }

  /// Copies a store, checks the copy and gives it its name last, so that what has the name is whole.
  ///
  /// The store's file is not changed. Other programs may read it meanwhile, and write unless values have files.
  /// - Parameters:
  ///   - store: the store.
  ///   - url: the copy's file, in a folder that exists. What is there is not replaced.
  ///   - key: what the store is encrypted with, and the copy will be; nil for plain ones.
  /// - Throws: `SwiftDataError` for what is no store, when the copy is there already, or cannot be made.
  package static func make(of store: URL, at url: URL, _ key: DatabaseKey? = .standard) throws {
    if Disk.exists(url) {
      throw SwiftDataError.loadIssue("There is a file already.", url: url, remedy: "Name another one.")
    }
    var isFolder: ObjCBool = false
    let folder = url.resolvingSymlinksInPath().deletingLastPathComponent()
    guard FileManager.default.fileExists(atPath: folder.path, isDirectory: &isFolder), isFolder.boolValue else {
      throw SwiftDataError.loadIssue("There is no such folder.", url: folder, remedy: "Make it, or name another one.")
    }
    let draft = CopyDraft(url)
    do {
      let hasFiles = try StoreFile.read(store, key) { file in
        if !file.definition.externalColumns.isEmpty { return true }
        try draft.copy(file.connection, permissionsOf: store)
        return false
      }
      if hasFiles { try copyWithFiles(store, key, draft) }
      try draft.finish()
    } catch {
      draft.discard()
      throw error
    }
  }

  /// A save would remove files that the copy needs.
  private static func copyWithFiles(_ store: URL, _ key: DatabaseKey?, _ draft: CopyDraft) throws {
    do {
      let options = ConnectionOptions(
        location: .file(path: store.path), mode: .readWrite, memoryMapSize: 0, key: key)
      let (writer, reader) = (try Connection(options), try Connection(options))
      defer {
        reader.close()
        writer.close()
      }
      try writer.transaction(.immediate) {
        let definition = try StoreDefinition(of: writer, url: store)
        let names = try writer.externalNames(in: definition.externalColumns)
        do {
          try ExternalFiles(of: store).copy(names, to: draft.files)
        } catch let error as ExternalFileError {
          throw SwiftDataError(
            .storeInputOutput, "A value's file could not be copied.",
            remedy: "Restore it, or delete its row; roost verify says which.", underlying: error.underlying,
            url: error.url)
        }
        try draft.copy(reader, permissionsOf: store)
      }
    } catch let error as DatabaseError {
      let cause = SwiftDataError.reading(error)
      throw SwiftDataError(
        cause.code, "The store could not be copied. \(cause.message)", remedy: cause.remedy, underlying: error,
        url: store)
    }
  }
}

/// A copy before it is whole.
private struct CopyDraft {
  private let url: URL
  private let partial: URL
  private let hadFiles: Bool

  init(_ url: URL) {
    self.url = url
    hadFiles = Disk.exists(ExternalFiles(of: url).folder)
    partial = URL(fileURLWithPath: url.path + ".partial", isDirectory: false)
  }

  /// Where the values' files of the copy are.
  var files: ExternalFiles { ExternalFiles(of: url) }

  /// Makes an empty file that nobody may read who may not read the store, and fills it.
  func copy(_ source: Connection, permissionsOf store: URL) throws {
    var attributes: [FileAttributeKey: Any] = [:]
    #if !os(Windows)
      attributes[.posixPermissions] = try FileManager.default.attributesOfItem(
        atPath: store.resolvingSymlinksInPath().path)[.posixPermissions]
    #endif
    guard FileManager.default.createFile(atPath: partial.path, contents: nil, attributes: attributes) else {
      throw SwiftDataError(
        .storeInputOutput, "The copy could not be made.",
        remedy: "Check that this user may write to the folder and that the disk has room.", url: partial)
    }
    let options = ConnectionOptions(
      location: .file(path: partial.path), synchronous: .full, memoryMapSize: 0, makesWriteAheadLog: false,
      key: source.options.key)
    do {
      let copy = try Connection(options)
      defer { copy.close() }
      try source.backup(to: copy)
      // Where a folder may only be read, no file with a log opens.
      try copy.endWriteAheadLog()
      let findings = try copy.integrityCheck(isQuick: true)
      guard findings.isEmpty else {
        throw SwiftDataError(
          .storeDamaged, "The store is damaged: \(findings.prefix(3).joined(separator: "; ")).",
          remedy: "Restore an earlier backup, or save what can be read with the sqlite3 shell's .recover command.",
          url: store)
      }
    } catch let error as DatabaseError {
      let cause = SwiftDataError.reading(error)
      throw SwiftDataError(
        cause.code, "The copy could not be made. \(cause.message)", remedy: cause.remedy, underlying: error,
        url: partial
      )
    }
  }

  func finish() throws {
    try Disk.synchronize(partial)
    try FileManager.default.moveItem(at: partial, to: url)
    try Disk.synchronize(folder: url.resolvingSymlinksInPath().deletingLastPathComponent())
  }

  func discard() {
    for suffix in ["", "-journal", "-wal", "-shm"] {
      try? FileManager.default.removeItem(atPath: partial.path + suffix)
    }
    if !hadFiles { try? FileManager.default.removeItem(at: files.folder) }
  }
}
