internal import SQLiteLibrary

/// One SQLite connection.
///
/// Not `Sendable`: it is opened without a mutex and has one user at a time. A `Statement` does not keep its connection
/// open.
package final class Connection {
  let state: ConnectionState
  // SAFETY: nothing that the cache does calls out, so that nobody looks into it while it changes.
  @exclusivity(unchecked) var statements = StatementCache()
  /// The statements that each transaction for writing begins and ends with, once there was one.
  @exclusivity(unchecked) var frame: (begin: Statement, commit: Statement)?
  /// How often its thread has taken this connection from a pool again while it already had it.
  var nesting = 0
  /// Whether a transaction within another one is a part of it, instead of an error.
  package var nestsTransactions = false
  /// Called at the beginning of each transaction for writing, and when reading has failed, to see that the tables are
  /// those that statements are made for; what it throws is thrown instead.
  package var tableCheck: ((Connection) throws -> Void)?
  /// The ``seenVersion`` up to which its user knows of all commits.
  package var knownVersion: UInt32?
  /// The ``seenVersion`` after its user's last commit that left all tables as they were defined.
  var ownVersion: UInt32?
  /// Whether nobody has committed anything since the last ``noteOwnCommit()``, for a transaction for writing.
  @exclusivity(unchecked) package internal(set) var isUnchanged = false
  /// Whoever has temporary tables here, where several share the connection: their names are the same.
  package weak var guest: AnyObject?
  /// What its user keeps with it.
  package var companion: AnyObject?
  /// The pool that lent this connection out for long.
  var lender: ObjectIdentifier?

  /// Opens a database, reads its header and schema, and sets the connection up.
  package init(_ options: ConnectionOptions) throws(DatabaseError) {
    state = try ConnectionState(options)
    do {
      try configure()
    } catch {
      close()
      throw error
    }
  }

  deinit {
    close()
  }

  /// Finalizes all statements and closes; afterwards every use throws. May be called again.
  package func close() {
    statements.removeAll()
    // A statement that is kept would keep the file open.
    frame = nil
    state.close()
  }

  /// Whether `close()` was called.
  package var isClosed: Bool { state.database == nil }

  /// How the connection was opened.
  package var options: ConnectionOptions { state.options }

  /// Stops what this connection is doing, from any thread.
  package var interruptHandle: InterruptHandle { state.interruptHandle }

  /// Counts the statements that began to run.
  package var statementsRun: Int { state.statementsRun }

  /// How many rows the latest `INSERT`, `UPDATE` or `DELETE` changed, triggers and foreign keys apart.
  package var changes: Int { state.database.map { Int(sqlite3_changes64($0)) } ?? 0 }

  /// How many rows were changed since the connection was opened, by triggers and foreign keys, too.
  package var totalChanges: Int { state.database.map { Int(sqlite3_total_changes64($0)) } ?? 0 }

  /// The key of the row that was inserted last.
  package var lastInsertRowID: Int64 { state.database.map { sqlite3_last_insert_rowid($0) } ?? 0 }

  /// Gives memory back: cached pages, and statements that nobody holds.
  package func releaseMemory() {
    statements.removeIdle()
    if let database = state.database { sqlite3_db_release_memory(database) }
  }
}
