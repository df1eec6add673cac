import Foundation

extension ModelConfiguration {
  /// The longest file name that Linux, macOS and Windows file systems take, in bytes.
  private static var longestFileName: Int { 255 }
  /// The longest that SQLite puts behind the store's name for the files beside it.
  private static var longestSuffix: Int { "-journal".utf8.count }

  /// Checks that a file can have the configuration's name.
  ///
  /// - Throws: ``SwiftDataError/configurationFileNameContainsInvalidCharacters`` or
  ///   ``SwiftDataError/configurationFileNameTooLong``; ``SwiftDataError/loadIssueModelContainer`` when the URL
  ///   stands for no file.
  public func validate() throws {
    try Self.validate(name: name)
    try validateEncryption()
    if let database = cloudKitContainerIdentifier, companion == nil {
      throw SwiftDataError.loadIssue(
        "The configuration wants the database \"\(database)\" of a server, and no server is configured.", url: url,
        remedy: "Set its `sync` to .server(…), with RoostSync; or leave out cloudKitDatabase, or pass .none.")
    }
    guard !isStoredInMemoryOnly else { return }
    guard url.isFileURL else {
      throw SwiftDataError.loadIssue(
        "The configuration's URL stands for no file.", url: url, remedy: "Make it with URL(filePath:).")
    }
    let file = url.lastPathComponent
    guard !file.isEmpty, file != "/", file != ".", file != "..", !url.hasDirectoryPath else {
      throw SwiftDataError.loadIssue(
        "The configuration's URL stands for a folder.", url: url, remedy: "Add a file name, as in \"notes.store\".")
    }
    if file.utf8.count + Self.longestSuffix > Self.longestFileName {
      throw SwiftDataError(
        .configurationFileNameTooLong,
        "The file name \"\(file)\" has \(file.utf8.count) bytes; the files beside it leave room for"
          + " \(Self.longestFileName - Self.longestSuffix).")
    }
  }

  private static func validate(name: String) throws {
    let problem: String? =
      if name.isEmpty {
        "A configuration's name is empty."
      } else if name == "." || name == ".." {
        "The name \"\(name)\" stands for a folder."
      } else if let bad = name.unicodeScalars.first(where: isInvalid) {
        "The name \"\(name)\" has the character \(bad.debugDescription), which not every file system allows."
      } else {
        nil
      }
    if let problem { throw SwiftDataError(.configurationFileNameContainsInvalidCharacters, problem) }
  }

  /// The same characters on every platform, so that a name that works on one works on all.
  private static func isInvalid(_ scalar: Unicode.Scalar) -> Bool {
    scalar.value < 0x20 || scalar.value == 0x7F || "/\\:*?\"<>|".unicodeScalars.contains(scalar)
  }
}
