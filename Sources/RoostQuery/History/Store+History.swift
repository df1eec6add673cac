import Foundation
import RoostCore
import RoostEngine

extension Store {
  /// The transactions that match a descriptor.
  func history(_ descriptor: HistoryDescriptor<DefaultHistoryTransaction>) throws -> [DefaultHistoryTransaction] {
    try noteOthersChanges()
    return try SwiftDataError.translating {
      try pool.read { connection in
        // A read within a read has the same connection again, which may be in a transaction already.
        if connection.isInTransaction { return try history(descriptor, connection, withChanges: true) }
        return try connection.transaction(.deferred) { try history(descriptor, connection, withChanges: true) }
      }
    }
  }

  /// Deletes the transactions that match a descriptor.
  func deleteHistory(_ descriptor: HistoryDescriptor<DefaultHistoryTransaction>) throws {
    guard configuration.allowsSave else {
      throw SwiftDataError(
        .readOnlyStore, "The store was opened with allowsSave: false.",
        remedy: "Open the container with a configuration that allows saving.")
    }
    try noteOthersChanges()
    try SwiftDataError.translating(SwiftDataError.saving) {
      try pool.write { connection in
        try connection.transaction(.immediate) {
          let numbers = try history(descriptor, connection, withChanges: false).map(\.transactionIdentifier)
          for number in numbers { try deleteTransaction(number, connection) }
        }
      }
    }
  }

  private func history(
    _ descriptor: HistoryDescriptor<DefaultHistoryTransaction>, _ connection: Connection, withChanges: Bool
  ) throws -> [DefaultHistoryTransaction] {
    guard try HistoryTables.exist(in: connection) else {
      throw SwiftDataError(
        .invalidTransactionFetchRequest, "The store records no history.",
        remedy: "Set storeOptions.history = .on in its configuration.")
    }
    let question = HistoryQuestion(descriptor.predicate)
    let first = try checkedStart(question, connection)
    let order = HistoryOrder(descriptor.sortBy)
    let reader = try HistoryReader(self, connection)
    let limit = descriptor.fetchLimit == 0 ? Int.max : Int(clamping: descriptor.fetchLimit)
    var found: [DefaultHistoryTransaction] = []
    let statement = try connection.statement(
      """
      SELECT id, time, first_change, last_change, author, context, bundle, process FROM _roost_transaction \
      WHERE id >= ? AND kind <> \(HistoryTables.TransactionKind.deleted.rawValue) ORDER BY id\(order.isDescending ? " DESC" : "")
      """)
    defer { statement.reset() }
    statement.bind(first, at: 1)
    while found.count < limit || !order.isThatOfNumbers, try statement.step() {
      let row = HistoryRow(statement)
      let transaction = try reader.transaction(row, withChanges: question.looksAtChanges)
      if let predicate = descriptor.predicate, try !predicate.evaluate(transaction) { continue }
      found.append(
        withChanges && !question.looksAtChanges ? try reader.transaction(row, withChanges: true) : transaction)
    }
    if !order.isThatOfNumbers { found = Array(found.sorted(using: descriptor.sortBy).prefix(limit)) }
    return found
  }

  /// The number of the first transaction that may match.
  private func checkedStart(_ question: HistoryQuestion, _ connection: Connection) throws -> Int64 {
    let floor = try historyFloor(connection)
    var start: Int64 = 0
    for token in question.after {
      guard let number = token.tokenValue?[identifier] else {
        throw SwiftDataError(
          .invalidTransactionFetchRequest, "The token is of another store.",
          remedy: "Keep a token for each store, or fetch everything anew.")
      }
      if number < floor {
        throw SwiftDataError(
          .historyTokenExpired, "Transactions up to number \(floor) were deleted, and the token is of number \(number)."
        )
      }
      start = max(start, number)
    }
    return start
  }

  // MARK: - Deleting

  private func deleteTransaction(_ number: Int64, _ connection: Connection) throws {
    let changes = try connection.statement(
      """
      DELETE FROM _roost_change WHERE id < (SELECT max(id) FROM _roost_change) AND id BETWEEN \
      (SELECT first_change FROM _roost_transaction WHERE id = ?1) \
      AND (SELECT last_change FROM _roost_transaction WHERE id = ?1)
      """)
    changes.bind(number, at: 1)
    try changes.run()
    try endDeletion("id = ?", number, connection)
  }
}

/// The order of a history.
private struct HistoryOrder {
  let isDescending: Bool
  /// Whether rows come in it, so that a limit needs no more rows.
  let isThatOfNumbers: Bool

  init(_ sortBy: [SortDescriptor<DefaultHistoryTransaction>]) {
    let numbers: [AnyKeyPath] = [
      \DefaultHistoryTransaction.transactionIdentifier, \DefaultHistoryTransaction.id, \DefaultHistoryTransaction.token,
    ]
    isThatOfNumbers = sortBy.first.map { first in numbers.contains { $0 == first.keyPath } } ?? true
    isDescending = isThatOfNumbers && sortBy.first?.order == .reverse
  }
}

/// A row of the transactions.
struct HistoryRow {
  let number: Int64
  let time: Double
  let changes: ClosedRange<Int64>?
  let author, context, bundle, process: String?

  init(_ statement: Statement) {
    func text(_ column: Int32) -> String? { statement.isNull(column) ? nil : statement.string(column) }
    number = statement.int64(0)
    time = statement.double(1)
    let (first, last) = (statement.int64(2), statement.int64(3))
    changes = first <= last ? first...last : nil
    (author, context, bundle, process) = (text(4), text(5), text(6), text(7))
  }
}
