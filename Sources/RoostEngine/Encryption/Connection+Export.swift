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
    // A copy of the version numbers is no part of an export.
    let (version, application) = (try integer("PRAGMA user_version"), try integer("PRAGMA application_id"))
    try attach(path, key)
    defer { try? execute("DETACH DATABASE target") }
    // The lock is kept: nobody writes between what is read here and what the caller does next.
    try execute("PRAGMA main.locking_mode=EXCLUSIVE; BEGIN EXCLUSIVE")
    do throws(DatabaseError) {
      try statement("SELECT sqlcipher_export('target')").run()
      try execute("PRAGMA target.user_version=\(version); PRAGMA target.application_id=\(application); COMMIT")
    } catch {
      rollback()
      throw error
    }
  }

  /// The key is bound and no part of the statement, and is not told to who is told of statements.
  private func attach(_ path: String, _ key: DatabaseKey?) throws(DatabaseError) {
    let statement = try prepare("ATTACH DATABASE ? AS target KEY ?", isPersistent: false)
    defer { statement.finalize() }
    statement.bind(path, at: 1)
    // Without one the attached file would get the main file's key.
    guard let key else {
      statement.bind("", at: 2)
      return try statement.run()
    }
    let wasTraced = state.isTraced
    state.isTraced = false
    defer { state.isTraced = wasTraced }
    let specification = key.specification
    try specification.withBytes { (bytes) throws(DatabaseError) in
      statement.bind(bytes, at: 2)
      try statement.run()
    }
  }

  private func integer(_ sql: String) throws(DatabaseError) -> Int64 {
    let statement = try statement(sql)
    defer { statement.reset() }
    return try statement.step() ? statement.int64(0) : 0
  }
}
