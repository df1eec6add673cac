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

  /// Runs what changes rows, within a transaction for writing, as one transaction of history. Returns what
  /// `body` does, and what became of it.
  ///
  /// `isHeard`: whether anybody is to be told which rows those are.
  package func recording<Result>(
    by author: HistoryAuthor, isHeard: Bool, _ connection: Connection, _ body: () throws -> Result
  ) throws -> (result: Result, recorded: Recorded) {
    var recorded = Recorded()
    guard recordsHistory || isHeard else { return (try body(), recorded) }
    let capture = try HistoryCapture.of(connection)
    try capture?.prepare(schema, excluding: excluded, connection)
    // Else nobody has written since the last save, which noted all.
    if recordsHistory, !connection.isUnchanged {
      let noted = try HistoryTables.notedChanges(connection)
      try HistoryTables.endTransaction(by: HistoryAuthor(), isOwn: false, noted: noted, connection)
      capture?.keepLastNoted(noted.latest)
    }
    capture?.begin(isHeard: isHeard)
    do {
      let result = try body()
      if isHeard { recorded.written = capture?.written(schema) ?? .any }
      if recordsHistory {
        let noted = try capture?.noted ?? HistoryTables.notedChanges(connection)
        recorded.transaction = try HistoryTables.endTransaction(
          by: author, isOwn: true, changes: capture?.takeChanges(), noted: noted, connection)
        capture?.keepLastNoted(noted.latest)
      }
      capture?.end(failed: false)
      return (result, recorded)
    } catch {
      capture?.end(failed: true)
      throw error
    }
  }

  /// Runs a statement that sets some properties of a class and nothing else: only those are compared.
  package func updating<Result>(
    _ properties: PropertySet, of entity: EntityInfo, _ connection: Connection, _ body: () throws -> Result
  ) rethrows -> Result {
    guard let capture = connection.companion as? HistoryCapture else { return try body() }
    return try capture.updating(capture.columns(properties, of: entity), body)
  }

  /// Has what a transaction for writing changes from here on noted by what the tables and triggers are now.
  package func schemaChanged(_ connection: Connection) throws {
    try (connection.companion as? HistoryCapture)?.schemaChanged(schema, excluding: excluded, connection)
  }

  /// Has what other programs changed noted as a transaction.
  package func noteOthersChanges() throws {
    guard recordsHistory else { return }
    let (former, latest) = try pool.read { connection in
      try HistoryTables.notedChanges(connection)
    }
    if latest == former { return }
    try pool.write { connection in
      try connection.transaction(.immediate) {
        _ = try HistoryTables.endTransaction(by: HistoryAuthor(), isOwn: false, connection)
      }
    }
  }
}
