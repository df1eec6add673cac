package import Foundation
import RoostEngine
import Synchronization

/// The files beside a store that hold its large values. A file is written once and never changed.
package final class ExternalFiles: Sendable {
  package let folder: URL
  private let store: URL
  /// What the files are encrypted with; nil for files that everybody can read.
  private let cipher: Mutex<FileCipher?>
  /// Whether files are on the disk before a row names them.
  let isDurable: Bool
  /// Counts the files read.
  let readCount = Atomic<Int>(0)
  private let hook = Mutex<(@Sendable (Step) throws -> Void)?>(nil)

  /// The moments of a save that a crash must not spoil.
  package enum Step: Sendable {
    /// The files are written, and the rows that name them are not committed.
    case written
    /// The rows are committed, and the files that they do not name any more are still there.
    case committed
  }

  /// `cipher`: for reading and writing; what copies files needs none.
  package init(of store: URL, isDurable: Bool = true, cipher: FileCipher? = nil) {
    self.cipher = Mutex(cipher)
    // A link to the store leads to the same files as the store itself.
    self.store = store.resolvingSymlinksInPath()
    // As SQLite names its own companions, so that a person who copies "notes.store*" copies the files, too.
    folder = self.store.deletingLastPathComponent().appendingPathComponent(
      self.store.lastPathComponent + "-files", isDirectory: true)
    self.isDurable = isDurable
  }

  package func url(of name: ExternalName) -> URL { folder.appendingPathComponent(name.text, isDirectory: false) }

  /// Has a function called between the steps of each save, for tests.
  package func onStep(_ hook: (@Sendable (Step) throws -> Void)?) { self.hook.withLock { $0 = hook } }

  func reach(_ step: Step) throws { try hook.withLock { $0 }?(step) }

  /// The names of all files; those that no store of ours wrote are nobody's business.
  package func names() throws -> Set<ExternalName> {
    guard FileManager.default.fileExists(atPath: folder.path) else { return [] }
    return Set(try FileManager.default.contentsOfDirectory(atPath: folder.path).compactMap { ExternalName($0) })
  }

  /// A file's content; nil when there is no such file.
  package func read(_ name: ExternalName) throws(ExternalFileError) -> Data? {
    do {
      // Not mapped: a file that shrinks under a map ends the program.
      let bytes = try Data(contentsOf: url(of: name))
      readCount.add(1, ordering: .relaxed)
      return try currentCipher?.open(bytes, name) ?? bytes
    } catch CocoaError.fileReadNoSuchFile, CocoaError.fileNoSuchFile {
      return nil
    } catch {
      throw ExternalFileError(url: url(of: name), underlying: error)
    }
  }

  /// Makes a new file.
  package func write(_ bytes: Data) throws(ExternalFileError) -> ExternalName {
    let name = ExternalName()
    let url = url(of: name)
    do {
      try makeFolder()
      try (currentCipher?.seal(bytes, name) ?? bytes).write(to: url, options: .withoutOverwriting)
      if let permissions { try setPermissions(permissions, of: url) }
      if isDurable { try Disk.synchronize(url) }
      return name
    } catch {
      remove(name)
      throw ExternalFileError(url: url, underlying: error)
    }
  }

  private var currentCipher: FileCipher? { cipher.withLock { $0 } }

  /// Takes the files' key from an encrypted database once more: a backup may have been put in
  /// its place that has another one.
  ///
  /// - Returns: whether it has.
  @discardableResult
  func renewCipher(_ connection: Connection) throws -> Bool {
    if connection.options.key == nil { return false }
    let stored = try FileCipher(connection)
    return cipher.withLock { cipher in
      defer { cipher = stored }
      return cipher != stored
    }
  }

  /// Removes a file. One that cannot be removed is tried again when the store is next opened.
  package func remove(_ name: ExternalName) { try? FileManager.default.removeItem(at: url(of: name)) }

  /// Has the names of new files on the disk, too.
  package func synchronizeFolder() throws(ExternalFileError) {
    guard isDurable else { return }
    do {
      try Disk.synchronize(folder: folder)
    } catch {
      throw ExternalFileError(url: folder, underlying: error)
    }
  }

  // MARK: - The system

  func makeFolder() throws {
    if Disk.exists(folder) { return }
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    // Whoever may read a file may look for it.
    if let permissions { try setPermissions(permissions | (permissions & 0o444) >> 2, of: folder) }
    if isDurable { try Disk.synchronize(folder: folder.deletingLastPathComponent()) }
  }

  /// The store's own, as SQLite gives them to its companions.
  private var permissions: Int? {
    #if os(Windows)
      return nil
    #else
      let attributes = try? FileManager.default.attributesOfItem(atPath: store.path)
      return (attributes?[.posixPermissions] as? NSNumber)?.intValue
    #endif
  }

  private func setPermissions(_ permissions: Int, of url: URL) throws {
    try FileManager.default.setAttributes([.posixPermissions: NSNumber(value: permissions)], ofItemAtPath: url.path)
  }
}
