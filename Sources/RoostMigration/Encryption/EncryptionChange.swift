import Foundation
import RoostCore
import RoostEngine

/// Puts a copy of a store that is encrypted otherwise in its place.
struct EncryptionChange {
  private let present: ModelConfiguration
  private let wanted: ModelConfiguration
  private let store: URL

  init(_ configuration: ModelConfiguration, to encryption: ModelConfiguration.Encryption?) throws {
    present = configuration
    var wanted = configuration
    wanted.encryption = encryption
    self.wanted = wanted
    store = configuration.url.resolvingSymlinksInPath()
    for configuration in [present, wanted] { try configuration.validate() }
    guard Library.encrypts else { throw SwiftDataError.encryptionIsOff(url: store) }
    guard !configuration.isStoredInMemoryOnly else {
      throw SwiftDataError.loadIssue(
        "A store in memory is not encrypted.", url: nil, remedy: "Give the configuration a url.")
    }
    guard configuration.allowsSave else { throw SwiftDataError(.readOnlyStore, url: store) }
    guard Disk.exists(store) else {
      throw SwiftDataError.loadIssue(
        "There is no such file.", url: store, remedy: "Check the path. A new store needs only its configuration.")
    }
  }

  /// The store comes last: while it is as it was, the same call can be made again.
  func run() throws {
    for backup in try ModelContainer.backups(of: present) where !isDone(backup.url) { try replace(backup.url) }
    try replace(store)
  }

  /// Whether an earlier call, which was cut off, has come so far.
  private func isDone(_ backup: URL) -> Bool {
    guard let connection = try? Connection(wanted.options(forCopy: backup)) else { return false }
    connection.close()
    return true
  }

  private func replace(_ file: URL) throws {
    do {
      let source = try open(file)
      defer { source.close() }
      try replace(file, with: source)
    } catch {
      throw failure(error, file)
    }
  }

  /// Whoever has the lock has the draft's name for itself.
  private func replace(_ file: URL, with source: Connection) throws {
    let draft = EncryptionDraft(of: file)
    do {
      try draft.remove()
      try draft.create()
      let key = try wanted.key(of: draft.url)
      try source.export(to: draft.url.path, key: key)
      try draft.rewriteFiles(of: source, key)
      try draft.publish()
    } catch {
      try? draft.remove()
      throw error
    }
  }

  /// Opens the file, alone: what others had in a log is in the file then, and they find it locked until it is closed.
  private func open(_ file: URL) throws -> Connection {
    var options = try present.options(forCopy: file)
    (options.mode, options.makesWriteAheadLog) = (.readWrite, false)
    let connection = try Connection(options)
    do {
      guard try connection.strings("SELECT name FROM sqlite_schema").contains("_roost_entity") else {
        throw SwiftDataError.loadIssue(
          "The file is no store, for it lacks the table _roost_entity.", url: file, remedy: "Check the path.")
      }
      try connection.endWriteAheadLog()
      try connection.execute("PRAGMA locking_mode=EXCLUSIVE")
      // It sees, too, that nobody has put another file in its place before the lock was free.
      try connection.transaction(.immediate) {}
      return connection
    } catch {
      connection.close()
      throw error
    }
  }

  private func failure(_ error: any Error, _ file: URL) -> any Error {
    switch error {
    case let error as SwiftDataError: return error
    case let error as DatabaseError where error.primaryCode == DatabaseError.notADatabase:
      return SwiftDataError.unreadable(file, withKey: (try? present.key) != nil, error)
    case let error as DatabaseError:
      let cause = SwiftDataError.reading(error)
      return SwiftDataError(
        cause.code, "The store's encryption could not be changed, and it is as it was. \(cause.message)",
        remedy: cause.code == .storeBusy ? "Close all containers and programs that have it open." : cause.remedy,
        underlying: error, url: file)
    default:
      let cause = (error as? ExternalFileError)?.underlying ?? error
      return SwiftDataError(
        SwiftDataError.code(ofFile: cause), "The store's encryption could not be changed, and it is as it was.",
        underlying: cause, url: file)
    }
  }
}
