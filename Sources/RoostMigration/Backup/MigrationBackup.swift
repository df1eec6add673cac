public import Foundation

/// A copy of a store, as it was before a migration.
///
/// ```swift
/// if let newest = try ModelContainer.backups(of: configuration).first {
///   try ModelContainer.restore(configuration, from: newest.url)
/// }
/// ```
public struct MigrationBackup: Hashable, Sendable, Identifiable {
  /// The copy's file, which is a store of its own. Its values' files are in the folder `<name>-files` beside it.
  public let url: URL
  /// When the copy was made, to the second.
  public let date: Date
  /// The bytes of the copy and of its values' files.
  public let size: Int64

  /// Two backups are the same when they are the same file.
  public var id: URL { url }
}
