import CBenchmarkSQLite
import Foundation

/// A bare SQLite connection: what a program without any library has. Closes when it goes.
final class Database {
  let handle: OpaquePointer

  /// `tuned` as Roost opens its own connections; otherwise as SQLite does when asked for nothing.
  ///
  /// `key`: of an encrypted file, as SQL, where the library is SQLCipher.
  init(_ file: URL, tuned: Bool, key: String? = nil) throws {
    var handle: OpaquePointer?
    let locking = tuned ? SQLITE_OPEN_NOMUTEX : 0
    let code = sqlite3_open_v2(file.path, &handle, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | locking, nil)
    guard code == SQLITE_OK, let handle else { throw BenchmarkError("Cannot open \(file.path): code \(code)") }
    self.handle = handle
    // For those that share a file with others.
    sqlite3_busy_timeout(handle, 5_000)
    if let key { try execute("PRAGMA key = \"\(key)\"") }
    if tuned {
      try execute("PRAGMA journal_mode = WAL")
      try execute("PRAGMA synchronous = NORMAL")
      // The pages of an encrypted file are read to be decrypted, and kept.
      try execute(key == nil ? "PRAGMA mmap_size = \(256 << 20)" : "PRAGMA cache_size = -65536")
      try execute("PRAGMA temp_store = MEMORY")
    }
  }

  deinit {
    sqlite3_close(handle)
  }

  func execute(_ sql: String) throws {
    try check(sqlite3_exec(handle, sql, nil, nil, nil))
  }

  /// A prepared statement, which the caller finalizes.
  func prepare(_ sql: String) throws -> OpaquePointer {
    var statement: OpaquePointer?
    try check(sqlite3_prepare_v3(handle, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &statement, nil))
    guard let statement else { throw BenchmarkError("No statement: \(sql)") }
    return statement
  }

  func check(_ code: Int32, expecting expected: Int32 = SQLITE_OK) throws {
    guard code == expected else { throw BenchmarkError("SQLite: \(String(cString: sqlite3_errmsg(handle)))") }
  }
}
