package import RoostCore
package import RoostEngine
import RoostSQL
import Synchronization

extension Store {
  /// What a statement would do, asked of SQLite once for each SQL.
  func facts(_ text: SQLText, _ connection: Connection) throws -> StatementFacts {
    if let known = statementFacts.withLock({ $0[text.sql] }) { return known }
    let facts = try connection.inspect(text.sql)
    statementFacts.withLock { known in
      // More than a program has in its source are made by lists of different lengths.
      if known.count >= 512 { known = [:] }
      known[text.sql] = facts
    }
    return facts
  }

  /// A statement of a program's own, bound.
  func statement(_ text: SQLText, _ connection: Connection) throws -> Statement {
    let statement = try connection.statement(text.sql)
    try check(text, statement)
    statement.bind(text.arguments)
    return statement
  }

  /// Refuses parameters that the program wrote itself: they would take the values of those behind them.
  func check(_ text: SQLText, _ statement: Statement) throws {
    guard statement.parameterCount != text.arguments.count else { return }
    throw SwiftDataError(
      .invalidSQL, "The SQL has parameters that nothing is interpolated for: `\(text.sql)`",
      remedy: #"Write \(value) where the value belongs, in place of ? or a name."#)
  }

  /// Runs `body` with the database in a transaction. Returns the tables written as well.
  /// `mayDelete`: whether it may delete rows.
  func withDatabase<Result>(
    _ access: SQLDatabase.Access, by author: HistoryAuthor = HistoryAuthor(), mayDelete: Bool = true,
    _ body: (SQLDatabase) throws -> Result
  ) throws -> (result: Result, written: Set<String>) {
    try SwiftDataError.translating(SwiftDataError.runningSQL) {
      switch access {
      case .readOnly: try pool.read { (try run($0, access, by: author, body).result, []) }
      case .readWrite: try write(by: author, mayDelete: mayDelete, body)
      }
    }
  }

  private func write<Result>(
    by author: HistoryAuthor, mayDelete: Bool, _ body: (SQLDatabase) throws -> Result
  ) throws -> (result: Result, written: Set<String>) {
    try checkAllowsSave("Read only")
    // The rows that refer to a deleted one are found by an index.
    ensureIndexes()
    if mayDelete { willDelete() }
    return try writing { connection in try run(connection, .readWrite, by: author, body) }
  }

  /// Writes what no context does, and tells whoever is told of saves.
  ///
  /// They are told once the writer is free: they may write themselves, or have somebody wait for them who waits for it.
  ///
  /// - Parameter body: Returns its result, the tables that it wrote, and what history has of that.
  /// - Returns: The result and the tables.
  /// - Throws: What `body` does, or what the database reports.
  package func writing<Result>(
    _ body: (Connection) throws -> (result: Result, tables: Set<String>, recorded: Recorded)
  ) throws -> (result: Result, written: Set<String>) {
    var isUntold = false
    defer { if isUntold { observers.hasTold() } }
    let (result, tables, recorded): (Result, Set<String>, Recorded) = try pool.write { connection in
      observers.commits()
      isUntold = true
      let (result, tables, recorded) = try body(connection)
      if !tables.isEmpty { generation.add(1, ordering: .acquiringAndReleasing) }
      // What is known of statements may have been about tables, views and triggers that are others now.
      if tables.contains("sqlite_master") { statementFacts.withLock { $0 = [:] } }
      return (result, tables, recorded)
    }
    if !tables.isEmpty { announce(recorded.written, to: tables) }
    pruneHistory(after: recorded)
    return (result, tables)
  }

  private func run<Result>(
    _ connection: Connection, _ access: SQLDatabase.Access, by author: HistoryAuthor,
    _ body: (SQLDatabase) throws -> Result
  ) throws -> (result: Result, tables: Set<String>, recorded: Recorded) {
    let database = SQLDatabase(self, connection, access)
    defer { database.end() }
    // A read within a read has the same connection again, which may be in a transaction already.
    if connection.isInTransaction { return (try body(database), database.written, Recorded()) }
    let (result, recorded) = try connection.transaction(access == .readWrite ? .immediate : .deferred) {
      if access == .readOnly { return (try body(database), Recorded()) }
      try completeBackfills(connection)
      return try recording(by: author, isHeard: observers.isAnybodyListening(), connection) { try body(database) }
    }
    return (result, database.written, recorded)
  }
}

extension SwiftDataError {
  /// What SQLite's refusal of a program's own SQL means.
  static func runningSQL(_ error: DatabaseError) -> SwiftDataError {
    switch error.primaryCode {
    case DatabaseError.error, DatabaseError.range:
      SwiftDataError(
        .invalidSQL, "\(error)", remedy: "Correct the SQL; the sqlite3 shell runs it too.", underlying: error)
    case DatabaseError.misuse where error != .poolIsClosed:
      SwiftDataError(.invalidSQL, "\(error)", remedy: "Correct the call.", underlying: error)
    default: saving(error)
    }
  }
}
