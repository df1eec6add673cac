import Foundation
import Logging
package import RoostEngine
import Synchronization

extension Store {
  /// How many transactions there are between two looks at what may go while a store is open.
  static var pruningInterval: Int64 { 4_096 }

  /// Prunes history every so many transactions, as a server has its store open for weeks. To be called behind a write,
  /// once the writer is given back.
  package func pruneHistory(after recorded: Recorded) {
    guard let number = recorded.transaction else { return }
    let former = lastRecorded.exchange(number, ordering: .relaxed)
    // Other programs may have made those between.
    let before = former > 0 ? former : number &- 1
    if before / Self.pruningInterval < number / Self.pruningInterval { pruneHistory() }
  }

  /// Deletes the transactions that are too old, or too many.
  func pruneHistory() {
    guard recordsHistory else { return }
    do {
      let last = try pool.read { connection in try connection.untraced { try lastToPrune(connection) } }
      guard let last else { return }
      try pool.write { connection in
        try connection.transaction { try deleteTransactions(through: last, connection) }
      }
    } catch {
      // The next look does it.
      logger.debug("History was not pruned", metadata: ["error": "\(error)"])
    }
  }

  /// The number of the last transaction that may go; nil if none may.
  ///
  /// They go in the order in which they were committed, so that no clock that was put back makes a gap.
  private func lastToPrune(_ connection: Connection) throws -> Int64? {
    var last: Int64?
    if let maximum = history.maximumCount {
      let statement = try connection.statement(
        "SELECT id FROM _roost_transaction WHERE \(Self.isThere) ORDER BY id DESC LIMIT 1 OFFSET ?")
      defer { statement.reset() }
      statement.bind(Int64(max(maximum, 0)), at: 1)
      if try statement.step() { last = statement.int64(0) }
    }
    if let age = history.maximumAge { last = try self.last(olderThan: age, after: last, connection) }
    guard let wanted = last, let read = try lastReadByAll(connection), read < wanted else { return last }
    let lapsed = try history.maximumUnreadAge.flatMap { try self.last(olderThan: $0, after: read, connection) } ?? read
    let allowed = min(wanted, lapsed)
    return try allowed > historyFloor(connection) ? allowed : nil
  }

  private static let isThere = "kind <> \(HistoryTables.TransactionKind.deleted.rawValue)"

  /// The last of the transactions after a number that are all too old; that number where none is.
  private func last(olderThan age: Duration, after number: Int64?, _ connection: Connection) throws -> Int64? {
    let oldest = Date().timeIntervalSinceReferenceDate - Double(age.components.seconds)
    let statement = try connection.statement(
      "SELECT id, time FROM _roost_transaction WHERE \(Self.isThere) AND id > ? ORDER BY id")
    defer { statement.reset() }
    statement.bind(number ?? 0, at: 1)
    var last = number
    while try statement.step(), statement.double(1) < oldest { last = statement.int64(0) }
    return last
  }

  /// The last transaction that all consumers have read; nil if there are none. One whose place has expired waits for
  /// nothing.
  private func lastReadByAll(_ connection: Connection) throws -> Int64? {
    let (catalog, floor) = (StoreCatalog(connection), try historyFloor(connection))
    return try catalog.names(after: StoreCatalog.Key.historyConsumer)
      .compactMap { try historyPlace(ofConsumer: $0, connection) }.filter { $0 >= floor }.min()
  }

  /// The last transaction that a consumer has read; nil for one that the file does not know.
  package func historyPlace(ofConsumer name: String, _ connection: Connection) throws -> Int64? {
    try StoreCatalog(connection).value(.consumer(name)).flatMap { Int64($0) }
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
    try endDeletion("id <= ?", .integer(last), through: last, connection)
  }

  /// Deletes rows of transactions by a condition with one parameter, and notes that places up to `last` have expired.
  ///
  /// The newest transaction stays, as the newest change does, without what it says: the
  /// next ones are numbered after them.
  package func endDeletion(
    _ condition: String, _ argument: DatabaseValue, through last: Int64, _ connection: Connection
  ) throws {
    let newest = "(SELECT max(id) FROM _roost_transaction)"
    for sql in [
      """
      UPDATE _roost_transaction SET kind = \(HistoryTables.TransactionKind.deleted.rawValue), author = NULL \
      WHERE \(condition) AND id = \(newest)
      """,
      "DELETE FROM _roost_transaction WHERE \(condition) AND id < \(newest)",
    ] {
      let statement = try connection.statement(sql)
      statement.bind(argument, at: 1)
      try statement.run()
    }
    if try last > historyFloor(connection) { try StoreCatalog(connection).set(.historyFloor, "\(last)") }
  }

  /// The number of the last transaction that was deleted; 0 for none.
  package func historyFloor(_ connection: Connection) throws -> Int64 {
    try StoreCatalog(connection).value(.historyFloor).flatMap { Int64($0) } ?? 0
  }
}
