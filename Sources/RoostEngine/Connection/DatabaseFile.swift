internal import SQLiteLibrary

/// The file of a database, as bytes.
package enum DatabaseFile {
  /// What a file begins with, read by SQLite.
  ///
  /// With a descriptor of its own a program would give up, as it closes that, all locks that it has on the file: those
  /// of its open connections too, which do not know, so that another program could take their log away.
  ///
  /// Source: [How To Corrupt An SQLite Database File, 2.2](https://www.sqlite.org/howtocorrupt.html).
  /// - Parameters:
  ///   - path: where the file is.
  ///   - count: how many bytes.
  /// - Returns: as many, or all of a file that has fewer.
  /// - Throws: `DatabaseError` for a file that is not there, or cannot be read.
  package static func firstBytes(of path: String, _ count: Int) throws(DatabaseError) -> [UInt8] {
    Library.configure()
    let options = ConnectionOptions(location: .file(path: path), mode: .readOnly)
    var opened: OpaquePointer?
    let code = sqlite3_open_v2(try options.address(), &opened, SQLITE_OPEN_READONLY | SQLITE_OPEN_NOMUTEX, nil)
    defer { sqlite3_close(opened) }
    guard code == SQLITE_OK else { throw options.openingFailure(code, opened) }
    var file: UnsafeMutablePointer<sqlite3_file>?
    guard sqlite3_file_control(opened, "main", SQLITE_FCNTL_FILE_POINTER, &file) == SQLITE_OK, let file,
      let methods = file.pointee.pMethods
    else { throw options.openingFailure(SQLITE_CANTOPEN, nil) }
    var size: sqlite3_int64 = 0
    var result = methods.pointee.xFileSize(file, &size)
    var bytes = [UInt8](repeating: 0, count: max(0, min(count, Int(clamping: size))))
    if result == SQLITE_OK, !bytes.isEmpty {
      // SAFETY: SQLite writes as many bytes as there is room for; the file is open until the connection is closed.
      result = bytes.withUnsafeMutableBytes { methods.pointee.xRead(file, $0.baseAddress, Int32($0.count), 0) }
    }
    guard result == SQLITE_OK else { throw options.openingFailure(result, nil) }
    return bytes
  }
}
