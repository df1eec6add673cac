internal import SQLiteLibrary

extension Connection {
  /// Copies the database as it is now into a file that is encrypted with another key, or plain.
  ///
  /// SQLite's backup copies pages only where both files are encrypted. This copies rows, triggers apart.
  /// - Parameters:
  ///   - path: the file, which is empty or not there.
  ///   - key: what it gets encrypted with; nil for a plain file.
  /// - Throws: `DatabaseError`; without SQLCipher for every call.
  /// - Source: [SQLCipher, sqlcipher_export](https://www.zetetic.net/sqlcipher/sqlcipher-api/#sqlcipher_export).
  package func export(to path: String, key: DatabaseKey?) throws(DatabaseError) {
    // The function leaves these numbers out.
    let (version, application) = (try integer("PRAGMA user_version"), try integer("PRAGMA application_id"))
    let attach = try prepare("ATTACH DATABASE ? AS target KEY ''", isPersistent: false)
    attach.bind(address(ofFile: path), at: 1)
    defer { attach.finalize() }
    try attach.run()
    defer { try? execute("DETACH DATABASE target") }
    if let key { try state.give(key, to: "target") }
    try execute("BEGIN EXCLUSIVE")
    do throws(DatabaseError) {
      try statement("SELECT sqlcipher_export('target')").run()
      try execute("PRAGMA target.user_version=\(version); PRAGMA target.application_id=\(application); COMMIT")
    } catch {
      rollback()
      throw error
    }
  }

  /// What a statement calls a file: a database in memory would make another one in memory of its path.
  private func address(ofFile path: String) -> String {
    guard !state.options.isFile, let system = sqlite3_vfs_find(nil), let name = system.pointee.zName else {
      return path
    }
    return ConnectionOptions.uri(of: path, "vfs=\(String(cString: name))")
  }

  private func integer(_ sql: String) throws(DatabaseError) -> Int64 {
    let statement = try statement(sql)
    defer { statement.reset() }
    return try statement.step() ? statement.int64(0) : 0
  }
}
