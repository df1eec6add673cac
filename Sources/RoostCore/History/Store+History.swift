package import Foundation
package import RoostEngine

/// Whose a transaction of history is.
package struct HistoryAuthor: Sendable {
  package var author: String?
  /// The identifier of the context.
  package var context: UUID?

  package init(author: String? = nil, context: UUID? = nil) { (self.author, self.context) = (author, context) }
}

extension Store {
  /// Whether changes are recorded. In the midst of a migration they are not.
  package var recordsHistory: Bool {
    history.isRecorded && configuration.allowsSave
  }

  func recordsHistory(of entity: EntityInfo) -> Bool {
    recordsHistory && !history.excludedEntities.contains(entity.name)
  }

  /// Runs what changes rows, within a transaction for writing, as one transaction of history.
  ///
  /// - Returns: what `body` does, and the number of the transaction; nil where nothing was changed.
  package func recording<Result>(
    by author: HistoryAuthor, _ connection: Connection, _ body: () throws -> Result
  ) throws -> (result: Result, transaction: Int64?) {
    guard recordsHistory else { return (try body(), nil) }
    // Nobody else has written since the last save, which noted all.
    if !connection.isUnchanged { _ = try endTransaction(by: HistoryAuthor(), isOwn: false, connection) }
    let result = try body()
    return (result, try endTransaction(by: author, isOwn: true, connection))
  }

  /// Has what other programs changed noted as a transaction.
  package func noteOthersChanges() throws {
    guard recordsHistory else { return }
    let isMissing = try pool.read { connection in
      let statement = try connection.statement(
        """
        SELECT (SELECT max(id) FROM _roost_change) \
        > ifnull((SELECT last_change FROM _roost_transaction ORDER BY id DESC LIMIT 1), 0)
        """)
      defer { statement.reset() }
      return try statement.step() && statement.int64(0) != 0
    }
    guard isMissing else { return }
    try pool.write { connection in
      try connection.transaction(.immediate) {
        _ = try endTransaction(by: HistoryAuthor(), isOwn: false, connection)
      }
    }
  }

  /// Makes the changes that belong to no transaction yet one. Returns its number; nil if there are none.
  private func endTransaction(
    by author: HistoryAuthor, isOwn: Bool, _ connection: Connection
  ) throws -> Int64? {
    try connection.untraced {
      let statement = try connection.statement(
        """
        INSERT INTO _roost_transaction (time, first_change, last_change, author, context, bundle, process) \
        SELECT ?, former + 1, latest, ?, ?, ?, ? FROM (SELECT \
        ifnull((SELECT last_change FROM _roost_transaction ORDER BY id DESC LIMIT 1), 0) AS former, \
        (SELECT max(id) FROM _roost_change) AS latest) WHERE latest > former
        """)
      statement.bind(Date().timeIntervalSinceReferenceDate, at: 1)
      let program = Self.program
      let texts = [
        author.author, author.context?.uuidString, isOwn ? program.bundle : nil, isOwn ? program.process : nil,
      ]
      for (place, text) in texts.enumerated() {
        if let text { statement.bind(text, at: Int32(place + 2)) } else { statement.bindNull(at: Int32(place + 2)) }
      }
      try statement.run()
      return connection.changes == 0 ? nil : connection.lastInsertRowID
    }
  }

  /// What tells this program and its process from others.
  private static let program = (
    bundle: Bundle.main.bundleIdentifier ?? ProcessInfo.processInfo.processName,
    process: "\(ProcessInfo.processInfo.processIdentifier)"
  )
}
