package import Foundation
package import RoostCore
package import RoostEngine
import RoostQuery

/// A store's file, opened to look at it. Nothing is changed in it, nor put beside it.
///
/// It knows no model types: all it says is what the file says.
package final class StoreFile {
  package let url: URL
  /// The schema that the file has.
  package let definition: StoreDefinition
  let connection: Connection

  private init(_ url: URL, _ connection: Connection) throws {
    self.url = url
    self.connection = connection
    try Self.checkTables(connection, url)
    definition = try StoreDefinition(of: connection, url: url)
  }

  /// Reads a store's file.
  ///
  /// - Parameters:
  ///   - url: the file.
  ///   - key: what it is encrypted with; nil for a plain one.
  ///   - body: may be called twice, when another program writes meanwhile.
  /// - Returns: what `body` returns.
  /// - Throws: `SwiftDataError` for what is no store, naming the file and what to do; what `body` throws.
  package static func read<Result>(
    _ url: URL, _ key: DatabaseKey? = .standard, _ body: (StoreFile) throws -> Result
  ) throws -> Result {
    let header = try FileHeader(of: url)
    guard header.mayBeDatabase(key) else {
      throw SwiftDataError.loadIssue(
        header.isEmpty ? "The file is empty." : "The file is no SQLite database, or an encrypted one.", url: url,
        remedy: "Name the file of a store.")
    }
    try checkOwner(of: url, key, remedy: "Name the file of a store.")
    // SQLite leaves the companions of a write-ahead log behind when it may only read, and a file that nobody has open
    // needs none.
    if header.hasLog || key != nil, let before = FileState(of: url), !before.isInUse {
      let result = Swift.Result { try read(url, key, isImmutable: true, body) }
      if FileState(of: url) == before { return try result.get() }
    }
    return try read(url, key, isImmutable: false, body)
  }

  private static func read<Result>(
    _ url: URL, _ key: DatabaseKey?, isImmutable: Bool, _ body: (StoreFile) throws -> Result
  ) throws -> Result {
    let options = ConnectionOptions(
      location: .file(path: url.path), mode: .readOnly, memoryMapSize: 0, foreignKeys: false,
      // Whoever looks at the file sees its values.
      reportsArguments: true, isImmutable: isImmutable, key: key)
    do {
      let connection = try Connection(options)
      defer { connection.close() }
      registerRoostFunctions(on: connection)
      // All is of one moment. There is nothing to commit, which fails in a damaged file.
      try connection.begin(.deferred)
      defer { connection.rollback() }
      return try body(StoreFile(url, connection))
    } catch let error as DatabaseError {
      throw SwiftDataError.looking(url, key, error)
    }
  }

  /// Sees that the tables are those of a store that this release reads.
  private static func checkTables(_ connection: Connection, _ url: URL) throws {
    let tables = try connection.strings("SELECT name FROM sqlite_schema WHERE type = 'table'")
    let remedy = "Name the file of a store."
    if tables.isEmpty {
      throw SwiftDataError.loadIssue("The file is an SQLite database without tables.", url: url, remedy: remedy)
    }
    try StoreSetup.checkFormat(connection, tables, url, remedy: remedy)
  }

  /// Sees that a file which is to be replaced, if it is there, is no database of another program.
  ///
  /// - Parameters:
  ///   - url: the file.
  ///   - key: what it is encrypted with; nil for a plain one.
  /// - Throws: `SwiftDataError.loadIssueModelContainer` for such a database; other `SwiftDataError`s
  ///   for a file that cannot be read.
  package static func checkReplacement(of url: URL, _ key: DatabaseKey?) throws {
    guard FileManager.default.fileExists(atPath: url.path), try isOthers(url, key) else { return }
    throw SwiftDataError.loadIssue(
      "The file is an SQLite database of another program, which would be lost.", url: url, remedy: "Check the path.")
  }

  /// Whether a file is a database that can be read and has tables, but none of Roost's.
  private static func isOthers(_ url: URL, _ key: DatabaseKey?) throws -> Bool {
    guard try FileHeader(of: url).mayBeDatabase(key) else { return false }
    let isIdle = FileState(of: url).map { !$0.isInUse } ?? false
    let options = ConnectionOptions(
      location: .file(path: url.path), mode: .readOnly, memoryMapSize: 0, isImmutable: isIdle, key: key)
    // What cannot be opened may be a damaged store.
    guard let connection = try? Connection(options) else { return false }
    defer { connection.close() }
    let tables = (try? connection.strings("SELECT name FROM sqlite_schema WHERE type = 'table'")) ?? []
    return StoreCatalog.isOthers(tables)
  }

  // MARK: - Rows

  /// How many rows there are of each model, those of subclasses included, and of each join table.
  package func rowCounts() throws -> [String: Int] { try definition.rowCounts(connection) }

  /// The properties whose values rows still wait for, which only a plan with those backfills can read.
  package func pendingBackfills() throws -> [String] {
    try Backfill.notes(connection).filter(\.hasRows).map(\.name)
  }

  /// How many models there are.
  package func modelCount() throws -> Int {
    let roots = Set(definition.entities.filter { $0.superentity == nil }.map(\.name))
    return try rowCounts().filter { roots.contains($0.key) }.values.reduce(0, +)
  }
}

extension SwiftDataError {
  /// A file that could not be looked at.
  fileprivate static func looking(_ url: URL, _ key: DatabaseKey?, _ error: DatabaseError) -> SwiftDataError {
    switch error.primaryCode {
    case DatabaseError.notADatabase: unreadable(url, withKey: key != nil, error)
    case DatabaseError.corrupt:
      SwiftDataError(
        .storeDamaged, "The file is damaged: \(error.message).", remedy: "Restore it from a backup.",
        underlying: error, url: url)
    case DatabaseError.busy, DatabaseError.locked:
      SwiftDataError(
        .storeBusy, "Another program holds a lock on the file.", remedy: "Try again when it is done.",
        underlying: error, url: url)
    case DatabaseError.cantOpen, DatabaseError.readOnly, DatabaseError.ioError:
      SwiftDataError(
        .storeInputOutput, "The file cannot be read: \(error.message).",
        remedy:
          "Allow this user to read it and, as a program may have it open, to write to its folder; or look at a copy.",
        underlying: error, url: url)
    default:
      SwiftDataError(
        .storeFailure, "The tables are not those that the file describes: \(error.message).",
        remedy: "Look whether another program changed them, or restore the file from a backup.",
        underlying: error, url: url)
    }
  }
}
