import Foundation
import Logging
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

  /// All copies are made before the first takes its file's place. An error changes nothing then: whoever drops the new
  /// key loses no backup. The store comes last: while it is as it was, the same call can be made again.
  func run() throws {
    // Nobody else opens the store until all is done, nor makes or removes a backup of it.
    var replacements = [try replacement(of: store)]
    defer { for replacement in replacements { replacement.source.close() } }
    do {
      for backup in try ModelContainer.backups(of: present) {
        if let replacement = try replacement(ofBackup: backup.url) { replacements.append(replacement) }
      }
      for replacement in replacements.reversed() { try publish(replacement) }
    } catch {
      for replacement in replacements { replacement.draft.discard() }
      throw error
    }
  }

  /// A file that nobody else has open, and the whole copy that is to take its place.
  private struct Replacement {
    let file: URL
    let source: Connection
    let draft: EncryptionDraft
  }

  /// nil for a backup that has the wanted encryption, or cannot be read.
  private func replacement(ofBackup file: URL) throws -> Replacement? {
    if isDone(file) {
      // An earlier call may have been cut off before it removed the files of the former backup.
      sweepFiles(of: file)
      return nil
    }
    do {
      return try replacement(of: file)
    } catch let error as SwiftDataError where Self.unusable.contains(error) {
      // It would keep the store as it is for ever.
      Store.logger.error(
        "A backup cannot be read, and keeps the encryption that it has",
        metadata: ["file": "\(file.path)", "error": "\(error)"])
      return nil
    }
  }

  /// What another call does not mend.
  private static let unusable: [SwiftDataError] = [
    .wrongStoreKey, .storeEncrypted, .storeNotEncrypted, .storeDamaged, .loadIssueModelContainer,
  ]

  /// Whether an earlier call, which was cut off, has come so far.
  private func isDone(_ backup: URL) -> Bool {
    guard let connection = try? Connection(wanted.options(forCopy: backup)) else { return false }
    connection.close()
    return true
  }

  private func sweepFiles(of backup: URL) {
    do {
      try wanted.sweepFiles(ofCopy: backup)
    } catch {
      Store.logger.error(
        "A backup's former files cannot be looked for", metadata: ["file": "\(backup.path)", "error": "\(error)"])
    }
  }

  private func replacement(of file: URL) throws -> Replacement {
    do {
      let source = try open(file)
      // Whoever has the lock has the draft's name for itself.
      let draft = EncryptionDraft(of: file)
      do {
        try draft.remove()
        try draft.create()
        let key = try wanted.key(of: draft.url)
        try source.export(to: draft.url.path, key: key)
        try draft.rewriteFiles(of: source, key)
        try draft.finish()
        return Replacement(file: file, source: source, draft: draft)
      } catch {
        draft.discard()
        source.close()
        throw error
      }
    } catch {
      throw failure(error, file)
    }
  }

  private func publish(_ replacement: Replacement) throws {
    do {
      try replacement.draft.publish()
    } catch {
      throw failure(error, replacement.file)
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
