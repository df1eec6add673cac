import Foundation

extension ModelConfiguration {
  /// Makes the folder of the store's file where it is missing, as Core Data does: a home that was just made has none of
  /// the folders that Foundation names for every program.
  /// - Throws: `SwiftDataError.loadIssueModelContainer` when the folder cannot be made.
  package func makeFolder() throws {
    if isStoredInMemoryOnly || !allowsSave { return }
    let folder = url.deletingLastPathComponent()
    if FileManager.default.fileExists(atPath: folder.path) { return }
    do {
      // Source: XDG Base Directory Specification, version 0.8: a missing folder is made for its user alone.
      try FileManager.default.createDirectory(
        at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    } catch {
      throw SwiftDataError.loadIssue(
        "The store's folder is missing and cannot be made.", url: url,
        remedy: "Give the configuration a url in a folder that this user may write to; for the default one set HOME or"
          + " XDG_DATA_HOME.",
        underlying: error)
    }
  }
}
