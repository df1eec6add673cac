import Foundation
import Logging
import RoostCore
import RoostEngine

/// A copy of a store that is encrypted otherwise, before it takes the store's place.
final class EncryptionDraft {
  let url: URL
  private let store: URL
  /// The files of values that were written for it.
  private var written: Set<ExternalName> = []
  /// Those that no row of it names, which the store has.
  private var former: Set<ExternalName> = []
  /// The store's.
  private var folder: Disk.OpenFolder?

  init(of store: URL) {
    self.store = store
    url = URL(fileURLWithPath: store.path + ".encrypting", isDirectory: false)
  }

  /// Removes it, or what a call has left that was cut off. Only for who has the store open: no call is under way then.
  func remove() throws { try Disk.removeDatabase(url) }

  /// Removes it, and the files that were written for it, unless it has the store's name.
  func discard() {
    guard Disk.exists(url) else { return }
    let files = ExternalFiles(of: store)
    for name in written { files.remove(name) }
    try? remove()
  }

  /// Makes an empty file that nobody may read who may not read the store.
  func create() throws { try Disk.makeFile(url, permissionsOf: store) }

  /// Writes the files of large values anew, under new names, and has the rows name those.
  ///
  /// No row names the new ones before the copy is in its place, nor the former ones afterwards.
  func rewriteFiles(of source: Connection, _ key: DatabaseKey?) throws {
    let copy = try Connection(
      ConnectionOptions(
        location: .file(path: url.path), mode: .readWrite, synchronous: .full, makesWriteAheadLog: false,
        fileSystem: source.options.fileSystem, key: key))
    defer { copy.close() }
    // History has nothing to tell of them.
    copy.runsTriggers = false
    // Those of a store that another program encrypted are plain.
    let old = ExternalFiles(of: store, cipher: try FileCipher(source).flatMap { $0.hasKey ? $0 : nil })
    let present = try old.names()
    try copy.transaction(.immediate) {
      try FileCipher.makeKey(copy)
      let files = ExternalFiles(of: store, cipher: try FileCipher(copy))
      let columns = try StoreDefinition(of: copy, url: store).externalColumns
      for column in columns {
        for name in try copy.externalNames(in: [column]) {
          // A row may have lost its file before.
          guard let bytes = try old.read(name) else { continue }
          let new = try files.write(bytes)
          written.insert(new)
          try copy.replace(name, by: new, in: column)
        }
      }
      former = try present.subtracting(copy.externalNames(in: columns))
      if !written.isEmpty { try files.synchronizeFolder() }
    }
    let findings = try copy.integrityCheck(isQuick: true)
    guard findings.isEmpty else {
      throw SwiftDataError(
        .storeDamaged, "The store is damaged: \(findings.prefix(3).joined(separator: "; ")).",
        remedy: "Restore an earlier backup.", url: store)
    }
  }

  /// Does what may fail before the copy takes the store's place: afterwards nobody may be told that all is as it was.
  func finish() throws {
    try Disk.synchronize(url)
    folder = try Disk.OpenFolder(store.deletingLastPathComponent())
  }

  /// Gives the copy the store's name. When it throws, the store is as it was.
  func publish() throws {
    try FileReplacement.replace(store.path, by: url.path)
    do {
      try folder?.synchronize()
      removeFormerFiles()
    } catch {
      // A power cut may still bring the former store back, which needs its files.
      Store.logger.error(
        "The store's encryption is changed, and the disk does not say that it will stay so: look whether it works",
        metadata: ["file": "\(store.path)", "error": "\(error)"])
    }
  }

  /// In a backup's folder nobody else would look for them, and they may be plain.
  private func removeFormerFiles() {
    let files = ExternalFiles(of: store)
    for name in former {
      files.remove(name)
      if Disk.exists(files.url(of: name)) {
        Store.logger.error("A value's former file cannot be removed", metadata: ["file": "\(files.url(of: name).path)"])
      }
    }
  }
}
