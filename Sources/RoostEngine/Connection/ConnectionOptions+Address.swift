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
      if isImmutable { return Self.uri(of: path, "immutable=1") }
      // SQLite reads "file:…" as a URI and ":memory:" as no file at all.
      return path.hasPrefix("file:") || path.hasPrefix(":") ? "./" + path : path
    case .memory(let name):
      return "file:/" + Self.percentEncoded(name) + "?vfs=memdb"
    }
  }

  /// A file as a URI, with a parameter.
  ///
  /// Source: [SQLite, URI filenames](https://www.sqlite.org/uri.html).
  static func uri(of path: String, _ parameter: String) -> String {
    #if os(Windows)
      let path = path.replacing("\\", with: "/")
      let isAbsolute = path.hasPrefix("/") || path.dropFirst().first == ":"
      let prefix = path.hasPrefix("/") ? "file://" : "file:///"
    #else
      let isAbsolute = path.hasPrefix("/")
      let prefix = "file://"
    #endif
    let encoded = path.utf8.map { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
        UInt8(ascii: "/"):
        String(UnicodeScalar(byte))
      default: "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16)
      }
    }
    return (isAbsolute ? prefix : "file:./") + encoded.joined() + "?" + parameter
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
