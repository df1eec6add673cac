import Foundation
import RoostCore
import RoostEngine

/// Recognises the files of Apple's Core Data and SwiftData, which are SQLite databases with tables of their own form.
enum AppleStore {
  /// What made a file with some tables; nil when it is none of these.
  static func maker(_ connection: Connection, _ tables: [String]) throws -> String? {
    guard isMaker(of: tables) else { return nil }
    let indexes = try connection.strings(
      "SELECT name FROM sqlite_schema WHERE type = 'index' AND name GLOB 'Z_*_SwiftDataIndexOn*' LIMIT 1")
    if !indexes.isEmpty { return "SwiftData" }
    // SwiftData always keeps a history, Core Data where a program asks for it.
    return tables.contains("ATRANSACTION") ? "SwiftData, or Core Data with a history" : "Core Data"
  }

  static func isMaker(of tables: [String]) -> Bool {
    tables.contains("Z_METADATA") && tables.contains("Z_PRIMARYKEY")
  }

  static func error(_ maker: String, _ url: URL, remedy: String) -> SwiftDataError {
    .loadIssue(
      "The file was made by Apple's framework \(maker). Roost has a format of its own and left the file as it is.",
      url: url, remedy: "\(remedy) To bring the data over, have the program that made the file export them.")
  }
}

extension StoreFile {
  /// Sees that a file is not another program's before it is opened for writing: already the mode of its journal would
  /// change.
  ///
  /// - Parameters:
  ///   - url: the file. What is not there, or cannot be read, is left to the opening.
  ///   - key: what it is encrypted with; nil for a plain one.
  ///   - remedy: what to do.
  /// - Throws: `SwiftDataError.loadIssueModelContainer`.
  static func checkOwner(of url: URL, _ key: DatabaseKey?, remedy: String) throws {
    guard let header = try? FileHeader(of: url), header.mayBeDatabase(key), !header.isMarkedAsStore,
      let state = FileState(of: url)
    else { return }
    let options = ConnectionOptions(
      location: .file(path: url.path), mode: .readOnly, memoryMapSize: 0, foreignKeys: false, isImmutable: true,
      key: key)
    guard let connection = try? Connection(options) else { return }
    defer { connection.close() }
    guard let tables = try? connection.strings("SELECT name FROM sqlite_schema WHERE type = 'table'"), !tables.isEmpty
    else { return }
    // While somebody writes, a part may be in the log.
    if state.isInUse, !AppleStore.isMaker(of: tables) { return }
    try StoreSetup.checkFormat(connection, tables, url, remedy: remedy)
  }
}
