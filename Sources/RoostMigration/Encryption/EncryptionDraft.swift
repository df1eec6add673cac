import Foundation
import RoostCore
import RoostEngine

/// A copy of a store that is encrypted otherwise, before it takes the store's place.
struct EncryptionDraft {
  let url: URL
  private let store: URL

  init(of store: URL) {
    self.store = store
    url = URL(fileURLWithPath: store.path + ".encrypting", isDirectory: false)
  }

  /// Removes it, or what a call has left that was cut off. Only for who has the store open: no call is under way then.
  func remove() throws {
    for suffix in ["-journal", "-wal", "-shm", ""] where FileManager.default.fileExists(atPath: url.path + suffix) {
      try FileManager.default.removeItem(atPath: url.path + suffix)
    }
  }

  /// Makes an empty file that nobody may read who may not read the store.
  func create() throws {
    var attributes: [FileAttributeKey: Any] = [:]
    #if !os(Windows)
      attributes[.posixPermissions] = try FileManager.default.attributesOfItem(atPath: store.path)[.posixPermissions]
    #endif
    guard FileManager.default.createFile(atPath: url.path, contents: nil, attributes: attributes) else {
      throw CocoaError(.fileWriteUnknown, userInfo: [NSFilePathErrorKey: url.path])
    }
  }

  /// Writes the files of large values anew, under new names, and has the rows name those.
  ///
  /// No row names the new ones before the copy is in its place, nor the former ones afterwards: whichever are useless go
  /// when the store is next opened.
  func rewriteFiles(of source: Connection, _ key: DatabaseKey?) throws {
    let copy = try Connection(
      ConnectionOptions(
        location: .file(path: url.path), mode: .readWrite, synchronous: .full, makesWriteAheadLog: false,
        fileSystem: source.options.fileSystem, key: key))
    defer { copy.close() }
    // History has nothing to tell of them.
    copy.runsTriggers = false
    // Those of a store that another program encrypted are plain.
    let former = ExternalFiles(of: store, cipher: try FileCipher(source).flatMap { $0.hasKey ? $0 : nil })
    try copy.transaction(.immediate) {
      try FileCipher.makeKey(copy)
      let files = ExternalFiles(of: store, cipher: try FileCipher(copy))
      var isWritten = false
      for column in try StoreDefinition(of: copy, url: store).externalColumns {
        for name in try copy.externalNames(in: [column]) {
          // A row may have lost its file before.
          guard let bytes = try former.read(name) else { continue }
          try copy.replace(name, by: files.write(bytes), in: column)
          isWritten = true
        }
      }
      if isWritten { try files.synchronizeFolder() }
    }
    let findings = try copy.integrityCheck(isQuick: true)
    guard findings.isEmpty else {
      throw SwiftDataError(
        .storeDamaged, "The store is damaged: \(findings.prefix(3).joined(separator: "; ")).",
        remedy: "Restore an earlier backup.", url: store)
    }
  }

  /// Gives the copy the store's name.
  func publish() throws {
    try Disk.synchronize(url)
    try FileReplacement.replace(store.path, by: url.path)
    try Disk.synchronize(folder: store.deletingLastPathComponent())
  }
}
