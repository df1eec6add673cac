internal import SQLiteLibrary

extension ConnectionOptions {
  /// The error for a file that could not be opened, with the reason the system gave.
  func openingFailure(_ code: Int32, _ database: OpaquePointer?) -> DatabaseError {
    let extended = database.map(sqlite3_extended_errcode) ?? code
    let text = database.map(sqlite3_errmsg) ?? sqlite3_errstr(code)
    var message = text.map { String(cString: $0) } ?? "unable to open database file"
    if case .file(let path) = location { message += ": \(path)" }
    #if !os(Windows)
      switch database.map(sqlite3_system_errno) ?? 0 {
      // SQLite reports the last of its attempts, of which the one to make the file is not the last.
      case 2 where mode == .readWriteCreate && hasDirectory: message += " (its directory takes no new file)"
      case 2 where mode == .readWriteCreate: message += " (its directory does not exist)"
      case 2: message += " (it does not exist)"
      case 13, 30: message += " (permission denied)"
      case 20: message += " (a part of its path is not a directory)"
      case 21: message += " (it is a directory)"
      default: break
      }
    #endif
    return DatabaseError(code: extended == SQLITE_OK ? code : extended, message: message)
  }

  private var hasDirectory: Bool {
    guard case .file(let path) = location, let system = sqlite3_vfs_find(nil) else { return false }
    let directory = path.lastIndex(of: "/").map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
    var isThere: Int32 = 0
    return system.pointee.xAccess(system, directory, SQLITE_ACCESS_EXISTS, &isThere) == SQLITE_OK && isThere != 0
  }

  /// The same error, saying which file it is about.
  func locating(_ error: DatabaseError) -> DatabaseError {
    guard case .file(let path) = location else { return error }
    return DatabaseError(code: error.code, message: "\(error.message): \(path)", sql: error.sql)
  }
}

extension ConnectionOptions {
  /// The same for a file that is read as it is, if no log with changes is beside it; nil if that is not to be.
  ///
  /// To read a file with a write-ahead log SQLite makes two more files beside it, which
  /// it cannot in a read-only folder.
  func immutable(after error: DatabaseError) -> ConnectionOptions? {
    guard mode == .readOnly, !isImmutable,
      [DatabaseError.cantOpen, DatabaseError.readOnly].contains(error.primaryCode),
      case .file(let path) = location, let system = sqlite3_vfs_find(nil)
    else { return nil }
    var name = [CChar](repeating: 0, count: Int(system.pointee.mxPathname) + 1)
    // Also where links lead: SQLite answers with an informational code.
    guard system.pointee.xFullPathname(system, path, Int32(name.count), &name) & 0xff == SQLITE_OK else { return nil }
    let file = String(decoding: name.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    guard FileIdentity(path: file) != nil else { return nil }
    for suffix in ["-wal", "-journal"] {
      var hasContent: Int32 = 0
      guard system.pointee.xAccess(system, file + suffix, SQLITE_ACCESS_EXISTS, &hasContent) == SQLITE_OK,
        hasContent == 0
      else { return nil }
    }
    var options = self
    options.isImmutable = true
    return options
  }
}

extension Connection {
  /// Opens a database; one that may only be read also where SQLite cannot put a log beside it.
  static func open(_ options: ConnectionOptions) throws(DatabaseError) -> Connection {
    do throws(DatabaseError) {
      return try Connection(options)
    } catch {
      guard let immutable = options.immutable(after: error), let connection = try? Connection(immutable) else {
        throw error
      }
      return connection
    }
  }

  /// Sets the connection up and reads the file's header and schema, so that a bad file is noticed now.
  func configure() throws(DatabaseError) {
    let options = state.options
    do throws(DatabaseError) {
      if options.key != nil { try checkCipher() }
      // SQLite opens a file that may not be written for reading only, and says nothing.
      if options.mode != .readOnly, try sqlite3_db_readonly(state.open(), "main") == 1 {
        throw DatabaseError(code: DatabaseError.readOnly, message: "the file may be read but not written")
      }
      try state.retryingWhileBusy { () throws(DatabaseError) in
        _ = try text("SELECT name FROM sqlite_schema LIMIT 1")
      }
      if options.usesWriteAheadLog {
        // Where there can be no log (some network disks) SQLite keeps the old journal, which is as safe.
        let mode = try state.retryingWhileBusy { () throws(DatabaseError) in try text("PRAGMA journal_mode=WAL") }
        if mode == "wal" { noteLog() }
      }
      try execute(options.pragmas)
    } catch {
      throw options.locating(error)
    }
  }

  /// Sees that the library is the one that encrypts: SQLite itself takes a key for nothing, and writes a plain file.
  private func checkCipher() throws(DatabaseError) {
    if let version = try text("PRAGMA cipher_version"), !version.isEmpty { return }
    throw DatabaseError(
      code: DatabaseError.misuse, message: "the SQLite library in this program is not SQLCipher, and cannot encrypt")
  }

  /// The first value of the first row, as text.
  private func text(_ sql: String) throws(DatabaseError) -> String? {
    let statement = try statement(sql)
    defer { statement.reset() }
    return try statement.step() ? statement.string(0) : nil
  }
}
