import Foundation
import Logging
package import RoostEngine

extension Store {
  /// Deletes the transactions that are too old, or too many.
  func pruneHistory() {
    // What a program says that says nothing is no reason to delete.
    guard recordsHistory, let options = configuration.storeOptions.history else { return }
    do {
      let last = try pool.read { connection in try connection.untraced { try lastToPrune(options, connection) } }
      guard let last else { return }
      try pool.write { connection in
        try connection.transaction { try deleteTransactions(through: last, connection) }
      }
    } catch {
      // The next one to close does it.
      logger.debug("History was not pruned", metadata: ["error": "\(error)"])
    }
  }

  private func lastToPrune(
    _ options: ModelConfiguration.HistoryOptions, _ connection: Connection
  ) throws -> Int64? {
    let statement = try connection.statement(
      """
      SELECT max(id) FROM _roost_transaction \
      WHERE kind <> \(HistoryTables.TransactionKind.deleted.rawValue) AND (time < ? \
      OR id <= (SELECT id FROM _roost_transaction ORDER BY id DESC LIMIT 1 OFFSET ?))
      """)
    defer { statement.reset() }
    let age = options.maximumAge.map { Double($0.components.seconds) }
    let oldest = age.map { Date().timeIntervalSinceReferenceDate - $0 } ?? -.greatestFiniteMagnitude
    statement.bind(oldest, at: 1)
    statement.bind(options.maximumCount.map { Int64(max($0, 0)) } ?? .max, at: 2)
    guard try statement.step(), !statement.isNull(0) else { return nil }
    return statement.int64(0)
  }

  /// Deletes the transactions up to one, within a transaction.
  private func deleteTransactions(through last: Int64, _ connection: Connection) throws {
    let changes = try connection.statement(
      """
      DELETE FROM _roost_change WHERE id < (SELECT max(id) FROM _roost_change) \
      AND id <= (SELECT last_change FROM _roost_transaction WHERE id = ?)
      """)
    changes.bind(last, at: 1)
    try changes.run()
    try endDeletion("id <= ?", last, connection)
  }

  /// Deletes rows of transactions by a condition with one parameter, and notes that places up to `last` have expired.
  ///
  /// The newest transaction stays, as the newest change does, without what it says: the next ones are numbered after them.
  package func endDeletion(_ condition: String, _ last: Int64, _ connection: Connection) throws {
    let newest = "(SELECT max(id) FROM _roost_transaction)"
    for sql in [
      """
      UPDATE _roost_transaction SET kind = \(HistoryTables.TransactionKind.deleted.rawValue), author = NULL \
      WHERE \(condition) AND id = \(newest)
      """,
      "DELETE FROM _roost_transaction WHERE \(condition) AND id < \(newest)",
    ] {
      let statement = try connection.statement(sql)
      statement.bind(last, at: 1)
      try statement.run()
    }
    if try last > historyFloor(connection) { try StoreCatalog(connection).set(.historyFloor, "\(last)") }
  }

  /// The number of the last transaction that was deleted; 0 for none.
  package func historyFloor(_ connection: Connection) throws -> Int64 {
    try StoreCatalog(connection).value(.historyFloor).flatMap { Int64($0) } ?? 0
  }
}
