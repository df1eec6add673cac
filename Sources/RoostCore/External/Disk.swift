package import Foundation

/// What the system does to files as such.
package enum Disk {
  /// Has a file's content on the disk.
  package static func synchronize(_ file: URL) throws { try synchronize(FileHandle(forUpdating: file)) }

  /// Has the names in a folder on the disk.
  package static func synchronize(folder: URL) throws {
    // Windows has no such thing.
    #if !os(Windows)
      try synchronize(FileHandle(forReadingFrom: folder))
    #endif
  }

  /// A folder that is open, so that of what is done in it next nothing but the disk itself can fail.
  package struct OpenFolder {
    #if !os(Windows)
      private let handle: FileHandle
    #endif

    package init(_ folder: URL) throws {
      #if !os(Windows)
        handle = try FileHandle(forReadingFrom: folder)
      #endif
    }

    /// Has the names in it on the disk.
    package func synchronize() throws {
      #if !os(Windows)
        try handle.synchronize()
      #endif
    }
  }

  private static func synchronize(_ handle: FileHandle) throws {
    defer { try? handle.close() }
    try handle.synchronize()
  }

  /// Makes an empty file that nobody may read who may not read another one.
  package static func makeFile(_ file: URL, permissionsOf other: URL?) throws {
    var attributes: [FileAttributeKey: Any] = [:]
    #if !os(Windows)
      if let other {
        let path = other.resolvingSymlinksInPath().path
        let permissions = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? NSNumber
        // Its owner is about to write to it.
        attributes[.posixPermissions] = permissions.map { NSNumber(value: $0.intValue | 0o200) }
      }
    #endif
    guard FileManager.default.createFile(atPath: file.path, contents: nil, attributes: attributes) else {
      throw CocoaError(.fileWriteUnknown, userInfo: [NSFilePathErrorKey: file.path])
    }
  }

  /// Removes a database that nobody has open, with what SQLite has put beside it.
  package static func removeDatabase(_ file: URL) throws {
    try removeCompanions(of: file)
    if exists(file) { try FileManager.default.removeItem(at: file) }
  }

  /// Removes what SQLite has put beside a database.
  package static func removeCompanions(of file: URL) throws {
    for suffix in ["-journal", "-wal", "-shm"] where FileManager.default.fileExists(atPath: file.path + suffix) {
      try FileManager.default.removeItem(atPath: file.path + suffix)
    }
  }

  package static func exists(_ url: URL) -> Bool { FileManager.default.fileExists(atPath: url.path) }

  /// A file's bytes; nil when there is no such file.
  package static func size(of file: URL) -> Int64? {
    let attributes = try? FileManager.default.attributesOfItem(atPath: file.path)
    return (attributes?[.size] as? NSNumber)?.int64Value
  }

  /// A number that only files on one disk share; nil when the system does not tell.
  package static func volume(of url: URL) -> Int? {
    let attributes = try? FileManager.default.attributesOfItem(atPath: url.path)
    return (attributes?[.systemNumber] as? NSNumber)?.intValue
  }

  /// How many bytes this user may still write to the disk that a folder is on; nil when the system does not tell.
  static func freeBytes(at folder: URL) -> Int64? {
    let attributes = try? FileManager.default.attributesOfFileSystem(forPath: folder.path)
    return (attributes?[.systemFreeSize] as? NSNumber)?.int64Value
  }
}
