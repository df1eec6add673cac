import Foundation

/// The name of a backup's file, such as `notes.store.backup-2026-11-22T141500Z`. Names sort by time.
struct BackupName: Hashable, Sendable {
  let text: String
  /// In whole seconds.
  let date: Date

  static let style = Date.ISO8601FormatStyle(timeSeparator: .omitted, timeZone: .gmt)
  private static let partialSuffix = ".partial"
  private static let encryptingSuffix = ".encrypting"
  /// What is behind a name while its backup is being made, or encrypted otherwise: of the database, of SQLite's
  /// companions, of values' files.
  private static let partialEnds = [partialSuffix, encryptingSuffix].flatMap { suffix in
    ["", "-journal", "-wal", "-shm", "-files"].map { suffix + $0 }
  }

  private static func prefix(_ store: String) -> String { store + ".backup-" }

  init(of store: String, _ date: Date) {
    self.date = Date(timeIntervalSinceReferenceDate: date.timeIntervalSinceReferenceDate.rounded(.down))
    text = Self.prefix(store) + self.date.formatted(Self.style)
  }

  /// nil for anything but a name as the other initialiser makes it.
  init?(_ text: String, of store: String) {
    let prefix = Self.prefix(store)
    guard text.hasPrefix(prefix), let date = try? Self.style.parse(String(text.dropFirst(prefix.count))) else {
      return nil
    }
    self.init(of: store, date)
    if self.text != text { return nil }
  }

  /// What the file is called until the backup is whole and checked.
  var partialText: String { text + Self.partialSuffix }

  /// What a copy of the backup is called that is encrypted otherwise, until it takes the backup's place.
  var encryptingText: String { text + Self.encryptingSuffix }

  /// The backup that a file or folder is an unfinished part of.
  init?(partial entry: String, of store: String) {
    guard let end = Self.partialEnds.first(where: { entry.hasSuffix($0) }) else { return nil }
    self.init(String(entry.dropLast(end.count)), of: store)
  }
}
