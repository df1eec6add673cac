internal import SQLiteLibrary

/// Compiles the statements of an SQL text one after the other, each when the one before has run.
final class Script {
  private let sql: String
  private let bytes: ContiguousArray<CChar>
  private let state: ConnectionState
  private let flags: UInt32
  private var offset = 0

  init(_ sql: String, _ state: ConnectionState, isPersistent: Bool = false) throws(DatabaseError) {
    if let failure = state.registrationFailure {
      state.registrationFailure = nil
      throw failure
    }
    bytes = sql.utf8CString
    // SQLite would stop at a NUL and silently leave out the rest.
    guard bytes.firstIndex(of: 0) == bytes.count - 1 else {
      throw DatabaseError(code: DatabaseError.misuse, message: "the SQL contains a NUL", sql: sql)
    }
    self.sql = sql
    self.state = state
    flags = isPersistent ? UInt32(SQLITE_PREPARE_PERSISTENT) : 0
  }

  /// The next statement, for the caller to finalize; `nil` at the end.
  func next() throws(DatabaseError) -> OpaquePointer? {
    let database = try state.open(for: sql)
    var handle: OpaquePointer?
    // White space and comments compile to nothing.
    while handle == nil, offset < bytes.count - 1 {
      let code = bytes.withUnsafeBufferPointer { buffer -> Int32 in
        guard let base = buffer.baseAddress else { return SQLITE_MISUSE }
        var tail: UnsafePointer<CChar>?
        // SAFETY: `offset` is within the NUL-terminated buffer, and SQLite sets `tail` to a place within it.
        let code = sqlite3_prepare_v3(
          database, base + offset, Int32(clamping: buffer.count - offset), flags, &handle, &tail)
        if let tail { offset = tail - base }
        return code
      }
      guard code == SQLITE_OK else { throw state.error(code, sql: sql) }
    }
    return handle
  }
}
