import Foundation

extension ModelConfiguration {
  /// Makes the folder of the store's file when it is one that programs expect to be there, and is not.
  ///
  /// Those are the default place's, and the folders that Foundation names for every program: a home that was just made
  /// has none of them. A folder that the program names itself is the program's to make, as with SwiftData.
  /// - Throws: `SwiftDataError.loadIssueModelContainer` when the folder cannot be made.
  package func makeFolder() throws {
    if isStoredInMemoryOnly || !allowsSave { return }
    let folder = url.deletingLastPathComponent()
    guard !FileManager.default.fileExists(atPath: folder.path), isExpected(folder) else { return }
    do {
      // Source: XDG Base Directory Specification, version 0.8: a missing folder is made for its user alone.
      try FileManager.default.createDirectory(
        at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    } catch {
      throw SwiftDataError.loadIssue(
        "The store's folder is missing and cannot be made.", url: url,
        remedy: "Set HOME or XDG_DATA_HOME to a folder that this user may write to, or give the configuration a url.",
        underlying: error)
    }
  }

  private func isExpected(_ folder: URL) -> Bool {
    let common = [FileManager.SearchPathDirectory.applicationSupportDirectory, .documentDirectory, .cachesDirectory]
    let expected =
      [Self.defaultURL(named: name, in: groupContainer).deletingLastPathComponent()]
      + common.flatMap { FileManager.default.urls(for: $0, in: .userDomainMask) }
    return expected.contains { $0.standardizedFileURL.path == folder.standardizedFileURL.path }
  }
}
