package import Foundation
import RoostCore

extension StoreCopy {
  /// A copy of a store in its folder, whoever made it.
  package struct Found: Equatable, Sendable {
    package let url: URL
    package let date: Date
    /// The bytes of the copy and of its values' files.
    package let size: Int64
    /// Whether a migration made it, so that the program removes it when it needs it no more.
    package let isOfMigration: Bool
  }

  /// The backups of migrations, and the copies of ``make(of:at:)`` under their default names, the newest first.
  ///
  /// - Parameters:
  ///   - store: the store, which need not be there.
  ///   - folder: where the program has its migrations' backups; nil for beside the store.
  /// - Returns: none where there is no folder.
  /// - Throws: `SwiftDataError.storeInputOutput` when a folder cannot be read.
  package static func all(of store: URL, in folder: URL? = nil) throws -> [Found] {
    var configuration = ModelConfiguration(url: store)
    configuration.storeOptions.migration.backupFolder = folder
    let backups = try ModelContainer.backups(of: configuration).map {
      Found(url: $0.url, date: $0.date, size: $0.size, isOfMigration: true)
    }
    let beside = ModelConfiguration(url: store)
    guard let own = BackupFolder(beside) else { return backups }
    do {
      return (backups + (try own.copies())).sorted { $0.date > $1.date }
    } catch {
      throw SwiftDataError(
        .storeInputOutput, "The folder cannot be read.", remedy: "Check the path, and that this user may read it.",
        underlying: error, url: own.url)
    }
  }
}

extension BackupFolder {
  fileprivate func copies() throws -> [StoreCopy.Found] {
    guard Disk.exists(url) else { return [] }
    return try FileManager.default.contentsOfDirectory(atPath: url.path).compactMap { entry in
      guard let date = BackupName.date(ofCopy: entry, of: store.lastPathComponent) else { return nil }
      let files = ExternalFiles(of: file(entry))
      let sizes = ((try? files.names()) ?? []).compactMap { Disk.size(of: files.url(of: $0)) }
      return StoreCopy.Found(
        url: file(entry), date: date, size: sizes.reduce(Disk.size(of: file(entry)) ?? 0, +), isOfMigration: false)
    }
  }
}

extension BackupName {
  private static func copyPrefix(_ store: String) -> String { store + ".copy-" }

  /// The name of a copy that somebody asked for, such as `notes.store.copy-2026-11-22T141500Z`.
  static func copy(of store: String, _ date: Date) -> String { copyPrefix(store) + date.formatted(style) }

  /// When a copy was made; nil for other files.
  static func date(ofCopy entry: String, of store: String) -> Date? {
    guard entry.hasPrefix(copyPrefix(store)),
      let date = try? style.parse(String(entry.dropFirst(copyPrefix(store).count)))
    else { return nil }
    // The folder of the values' files begins like it.
    return copy(of: store, date) == entry ? date : nil
  }
}
