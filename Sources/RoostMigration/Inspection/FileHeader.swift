package import Foundation
import RoostCore
import RoostEngine

/// What the first bytes of a file say.
///
/// Source: [SQLite, the database header](https://www.sqlite.org/fileformat2.html#the_database_header).
package struct FileHeader {
  package let isEmpty: Bool
  /// Whether it is an SQLite database.
  package let isDatabase: Bool
  /// Whether the database has a write-ahead log.
  let hasLog: Bool
  /// Whether it says that it is a store. Stores of former releases do not, and encrypted ones cannot.
  package let isMarkedAsStore: Bool

  /// Whether a connection with a key, or none, may find a database in the file.
  ///
  /// All of an encrypted one is encrypted, and nobody can tell it from anything else.
  func mayBeDatabase(_ key: DatabaseKey?) -> Bool { key == nil ? isDatabase : !isEmpty }

  /// - Throws: `SwiftDataError` for a file that is not there, or cannot be read.
  package init(of url: URL) throws {
    var isFolder: ObjCBool = false
    guard FileManager.default.fileExists(atPath: url.path, isDirectory: &isFolder) else {
      throw SwiftDataError.loadIssue("There is no such file.", url: url, remedy: "Check the path.")
    }
    if isFolder.boolValue {
      throw SwiftDataError.loadIssue("It is a folder.", url: url, remedy: "Name a file in it.")
    }
    let bytes: [UInt8]
    do {
      bytes = try DatabaseFile.firstBytes(of: url.path, 100)
    } catch {
      throw SwiftDataError(
        .storeInputOutput, "The file cannot be read.", remedy: "Allow this user to read it.", underlying: error,
        url: url)
    }
    isEmpty = bytes.isEmpty
    isDatabase = bytes.starts(with: "SQLite format 3\0".utf8)
    hasLog = isDatabase && bytes.count > 19 && bytes[19] == 2
    isMarkedAsStore =
      isDatabase && bytes.count > 71 && bytes[68...71].reduce(0) { $0 << 8 | UInt32($1) } == StoreCatalog.applicationID
  }
}

/// What tells that a file was written to.
struct FileState: Equatable {
  private let size: Int64
  private let modified: Date
  /// Whether a program has it open, or was cut off.
  let isInUse: Bool

  /// nil when there is no such file.
  init?(of url: URL) {
    let file = url.resolvingSymlinksInPath()
    guard let attributes = try? FileManager.default.attributesOfItem(atPath: file.path),
      let size = (attributes[.size] as? NSNumber)?.int64Value, let modified = attributes[.modificationDate] as? Date
    else { return nil }
    (self.size, self.modified) = (size, modified)
    isInUse = ["-wal", "-journal"].contains { FileManager.default.fileExists(atPath: file.path + $0) }
  }
}
