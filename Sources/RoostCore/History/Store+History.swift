import Foundation
package import RoostEngine

/// Whose a transaction of history is.
package struct HistoryAuthor: Sendable {
  package var author: String?
  /// The identifier of the context.
  package var context: String?

  package init(author: String? = nil, context: String? = nil) { (self.author, self.context) = (author, context) }
}

extension Store {
  /// Whether changes are recorded. In the midst of a migration they are not.
  package var recordsHistory: Bool {
    history.isRecorded && configuration.allowsSave
  }

  /// Runs what changes rows, within a transaction for writing, as one transaction of history.
  ///
  /// - Returns: what `body` does, and the number of the transaction; nil where nothing was changed.
  package func recording<Result>(
    by author: HistoryAuthor, _ connection: Connection, _ body: () throws -> Result
  ) throws -> (result: Result, transaction: Int64?) {
    guard recordsHistory else { return (try body(), nil) }
    let capture = try preparedCapture(connection)
    // Nobody else has written since the last save, which noted all.
    if !connection.isUnchanged { _ = try HistoryTables.endTransaction(by: HistoryAuthor(), isOwn: false, connection) }
    capture?.begin()
    do {
      let result = try body()
      let transaction = try HistoryTables.endTransaction(
        by: author, isOwn: true, changes: capture?.changes, connection)
      capture?.end(failed: false)
      return (result, transaction)
    } catch {
      capture?.end(failed: true)
      throw error
    }
  }

  /// Has what a transaction for writing changes from here on noted by what the tables and triggers are now.
  package func schemaChanged(_ connection: Connection) throws {
    guard recordsHistory else { return }
    try HistoryCapture.of(connection)?.schemaChanged(schema, excluding: history.excludedEntities, connection)
  }

  /// nil where SQLite does not tell of rows, so that it is up to the triggers.
  private func preparedCapture(_ connection: Connection) throws -> HistoryCapture? {
    let capture = try HistoryCapture.of(connection)
    try capture?.prepare(schema, excluding: history.excludedEntities, connection)
    return capture
  }

  /// Has what other programs changed noted as a transaction.
  package func noteOthersChanges() throws {
    guard recordsHistory else { return }
    let (former, latest) = try pool.read { connection in
      try connection.untraced { try HistoryTables.notedChanges(connection) }
    }
    if latest == former { return }
    try pool.write { connection in
      try connection.transaction(.immediate) {
        _ = try HistoryTables.endTransaction(by: HistoryAuthor(), isOwn: false, connection)
      }
    }
  }
}
