extension ConnectionOptions {
  /// The name SQLite opens, so written that no character of a path or a name has a special meaning.
  func address() throws(DatabaseError) -> String {
    switch location {
    case .file(let path):
      guard !path.isEmpty else {
        throw DatabaseError(code: DatabaseError.cantOpen, message: "the database's path is empty")
      }
      guard !path.utf8.contains(0) else {
        throw DatabaseError(code: DatabaseError.cantOpen, message: "the database's path contains a NUL")
      }
      // SQLite reads "file:…" as a URI and ":memory:" as no file at all.
      return path.hasPrefix("file:") || path.hasPrefix(":") ? "./" + path : path
    case .memory(let name):
      return "file:/" + Self.percentEncoded(name) + "?vfs=memdb"
    }
  }

  private static func percentEncoded(_ name: String) -> String {
    var result = ""
    for byte in name.utf8 {
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."):
        result.unicodeScalars.append(Unicode.Scalar(byte))
      default:
        // Not URI escapes: SQLite cuts a name at "%00". An underscore starts an escape, and so is escaped itself.
        result += "_" + String(byte, radix: 16) + "_"
      }
    }
    return result
  }
}
