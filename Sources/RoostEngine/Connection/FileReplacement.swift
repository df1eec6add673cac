internal import SQLiteLibrary

/// Puts a file in another's place.
package enum FileReplacement {
  /// Gives a file the name of another one, which is gone: whoever looks finds the one or the other.
  ///
  /// - Throws: `DatabaseError.ioError`; both are then as they were.
  package static func replace(_ path: String, by other: String) throws(DatabaseError) {
    guard roost_replace_file(other, path) == 0 else {
      throw DatabaseError(code: DatabaseError.ioError, message: "\(other) could not be renamed to \(path)")
    }
  }
}
