import Foundation
package import RoostEngine

/// Whose a transaction of history is.
package struct HistoryAuthor: Sendable {
  package var author: String?
  /// The identifier of the context.
  package var context: String?

  package init(author: String? = nil, context: String? = nil) { (self.author, self.context) = (author, context) }
}

/// What became of a transaction's changes.
package struct Recorded {
  /// The transaction's number in history; nil where nothing was changed, or is recorded.
  package var transaction: Int64?
  /// The rows, for those who listen; nil when nobody did at its start.
  package var written: WrittenRows?

  package init() {}
}

extension Store {
  /// Whether changes are recorded. In the midst of a migration they are not.
  package var recordsHistory: Bool {
    history.isRecorded && configuration.allowsSave
  }

  /// The classes that history leaves out; nil where nothing is recorded.
  private var excluded: Set<String>? { recordsHistory ? history.excludedEntities : nil }

  /// Runs what changes rows, within a transaction for writing, as one transaction of history. Returns what `body` does, and
  /// what became of it.
  ///
  /// `isHeard`: whether anybody is to be told which rows those are.
  package func recording<Result>(
    by author: HistoryAuthor, isHeard: Bool, _ connection: Connection, _ body: () throws -> Result
  ) throws -> (result: Result, recorded: Recorded) {
    var recorded = Recorded()
    guard recordsHistory || isHeard else { return (try body(), recorded) }
    let capture = try HistoryCapture.of(connection)
    try capture?.prepare(schema, excluding: excluded, connection)
    // Nobody else has written since the last save, which noted all.
    if recordsHistory, !connection.isUnchanged {
      _ = try endTransaction(by: HistoryAuthor(), isOwn: false, nil, connection)
    }
    capture?.begin(isHeard: isHeard)
    do {
      let result = try body()
      if isHeard { recorded.written = capture?.written(schema) ?? .any }
      if recordsHistory {
        recorded.transaction = try endTransaction(by: author, isOwn: true, capture?.takeChanges(), connection)
      }
      capture?.end(failed: false)
      return (result, recorded)
    } catch {
      capture?.end(failed: true)
      throw error
    }
  }

  /// Has what a transaction for writing changes from here on noted by what the tables and triggers are now.
  package func schemaChanged(_ connection: Connection) throws {
    try (connection.companion as? HistoryCapture)?.schemaChanged(schema, excluding: excluded, connection)
  }

  /// Has what other programs changed noted as a transaction.
  package func noteOthersChanges() throws {
    guard recordsHistory else { return }
    let (former, latest) = try pool.read { connection in try connection.untraced { try notedChanges(connection) } }
    if latest == former { return }
    try pool.write { connection in
      try connection.transaction(.immediate) {
        _ = try endTransaction(by: HistoryAuthor(), isOwn: false, nil, connection)
      }
    }
  }

  /// The last change of a trigger's that belongs to a transaction, and the last there is.
  private func notedChanges(_ connection: Connection) throws -> (former: Int64, latest: Int64) {
    let statement = try connection.statement(
      """
      SELECT (SELECT last_change FROM _roost_transaction ORDER BY id DESC LIMIT 1), (SELECT max(id) FROM _roost_change)
      """)
    defer { statement.reset() }
    guard try statement.step() else { return (0, 0) }
    return (statement.int64(0), max(statement.int64(0), statement.int64(1)))
  }

  /// Makes a transaction of what was noted, and of what triggers have noted since the last one. Returns its number; nil if
  /// there is nothing.
  private func endTransaction(
    by author: HistoryAuthor, isOwn: Bool, _ changes: [UInt8]?, _ connection: Connection
  ) throws -> Int64? {
    try connection.untraced {
      let (former, latest) = try notedChanges(connection)
      if latest == former, changes == nil { return nil }
      // Not from a query of the same table, for which SQLite would make a temporary one.
      let statement = try connection.statement(
        """
        INSERT INTO _roost_transaction (time, first_change, last_change, author, context, bundle, process, changes) \
        VALUES (?, ?, ?, ?, ?, ?, ?, ?)
        """)
      statement.bind(Date().timeIntervalSinceReferenceDate, at: 1)
      statement.bind(former &+ 1, at: 2)
      statement.bind(latest, at: 3)
      let program = Self.program
      let texts = [author.author, author.context, isOwn ? program.bundle : nil, isOwn ? program.process : nil]
      for (place, text) in texts.enumerated() {
        if let text { statement.bind(text, at: Int32(place + 4)) } else { statement.bindNull(at: Int32(place + 4)) }
      }
      if let changes {
        changes.withUnsafeBytes { statement.bind($0, at: 8) }
      } else {
        statement.bindNull(at: 8)
      }
      try statement.run()
      return connection.lastInsertRowID
    }
  }

  /// What tells this program and its process from others.
  private static let program = (
    bundle: Bundle.main.bundleIdentifier ?? ProcessInfo.processInfo.processName,
    process: "\(ProcessInfo.processInfo.processIdentifier)"
  )
}
