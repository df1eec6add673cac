internal import SQLiteLibrary

extension Library {
  /// Whether the engine was built upon SQLCipher.
  package static var encrypts: Bool {
    #if Encryption
      true
    #else
      false
    #endif
  }
}

extension ConnectionOptions {
  /// Sees that there is encryption where there is a key, before a file is made.
  func checkKey() throws(DatabaseError) {
    if key == nil || Library.encrypts { return }
    throw DatabaseError(code: DatabaseError.misuse, message: "this build of Roost has no encryption")
  }
}

extension ConnectionState {
  /// Gives a new connection the options' key. Whether it is the file's shows when a page is read.
  func unlock() throws(DatabaseError) {
    guard let key = options.key else { return }
    // SQLCipher would write to the program's error stream what is thrown anyway.
    sqlite3_exec(try open(), "PRAGMA cipher_log_level=NONE", nil, nil, nil)
    try give(key, to: "main")
  }

  /// Gives a database that nothing was read of the key of its file.
  ///
  /// Not by SQL: a trace would have the statement, and SQLite copies of the key that nobody overwrites.
  func give(_ key: DatabaseKey, to name: String) throws(DatabaseError) {
    #if Encryption
      let database = try open()
      let code = key.specification.withBytes { sqlite3_key_v2(database, name, $0.baseAddress, Int32($0.count)) }
      guard code == SQLITE_OK else { throw error(code) }
    #endif
  }

  /// What SQLite says of a page that SQLCipher could not decrypt, and of all that is read after it.
  func isUnreadablePage(_ code: Int32, _ message: String) -> Bool {
    options.key != nil && code == SQLITE_ERROR && message == sqlite3_errstr(SQLITE_ERROR).map { String(cString: $0) }
  }
}
