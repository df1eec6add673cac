internal import SQLiteLibrary

/// A prepared statement. Columns count from 0, parameters from 1, as in SQLite.
package final class Statement {
  /// The SQL it was prepared from.
  package let sql: String

  /// The C statement; `nil` once finalized, which every call to SQLite below takes as "no such statement".
  private(set) var handle: OpaquePointer?
  let state: ConnectionState
  // SAFETY: a statement has its connection's one user, and nothing that reads or writes these calls out meanwhile.
  /// Whether it is between its first step and its end.
  @exclusivity(unchecked) var isRunning = false
  @exclusivity(unchecked) var hasBindings = false
  /// The first binding that failed since the last run.
  @exclusivity(unchecked) var bindingFailure: DatabaseError?
  /// The bound values by parameter, if errors shall carry them.
  var arguments: [Int32: DatabaseValue] = [:]
  let keepsArguments: Bool

  /// Another statement of the same SQL, in the connection's cache.
  var next: Statement?
  /// When the cache handed it out last.
  @exclusivity(unchecked) var lastUse: UInt64 = 0

  init(_ handle: OpaquePointer, _ sql: String, _ state: ConnectionState) {
    self.handle = handle
    self.sql = sql
    self.state = state
    keepsArguments = state.options.reportsArguments
  }

  deinit {
    finalize()
  }

  /// How many columns its rows have; 0 if it returns none.
  package var columnCount: Int32 { sqlite3_column_count(handle) }

  /// A column's name.
  package func columnName(_ column: Int32) -> String {
    guard handle != nil, let name = sqlite3_column_name(handle, column) else { return "" }
    return String(cString: name)
  }

  /// How many parameters it has.
  package var parameterCount: Int32 { handle == nil ? 0 : sqlite3_bind_parameter_count(handle) }

  /// Whether it leaves the database as it is.
  package var isReadOnly: Bool { handle == nil || sqlite3_stmt_readonly(handle) != 0 }

  /// Frees the C statement; afterwards `step()` throws and columns read as NULL.
  func finalize() {
    guard let handle else { return }
    noteEnd()
    self.handle = nil
    sqlite3_finalize(handle)
  }

  /// Makes it as good as new, to be handed out again.
  func prepareForReuse(at time: UInt64) {
    lastUse = time
    if isRunning { reset() }
    if hasBindings { clearBindings() }
  }
}
