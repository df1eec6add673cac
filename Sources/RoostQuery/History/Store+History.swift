import Foundation
package import RoostCore
package import RoostEngine

extension Store {
  /// The transactions that match a descriptor.
  func history(_ descriptor: HistoryDescriptor<DefaultHistoryTransaction>) throws -> [DefaultHistoryTransaction] {
    try reading { try history(descriptor, $0, $1, withChanges: true) }
  }

  /// Gives `body` the history as it is now, with what other programs have changed.
  func reading<Result>(_ body: (Connection, HistoryReader) throws -> Result) throws -> Result {
    try noteOthersChanges()
    return try SwiftDataError.translating {
      try pool.read { connection in
        func read() throws -> Result { try body(connection, HistoryReader(self, connection)) }
        // A read within a read has the same connection again, which may be in a transaction already.
        return try connection.isInTransaction ? read() : connection.transaction(.deferred, read)
      }
    }
  }

  /// Gives `body` the transactions from a number on, in order, and what copies the changes
  /// that the program noted itself.
  package func transactions(
    after number: Int64, limit: Int? = nil, _ connection: Connection,
    _ body: (_ row: HistoryRow, _ packed: () -> [UInt8]) throws -> Void
  ) throws {
    let statement = try connection.statement("\(Self.transactions) AND id > ? ORDER BY id LIMIT ?")
    defer { statement.reset() }
    statement.bind(number, at: 1)
    statement.bind(limit.map { max($0, 0) } ?? -1, at: 2)
    while try statement.step() { try body(HistoryRow(statement)) { Self.packed(statement) } }
  }

  private static let transactions = """
    SELECT id, time, first_change, last_change, author, context, bundle, process, changes, migration FROM _roost_transaction \
    WHERE kind <> \(HistoryTables.TransactionKind.deleted.rawValue)
    """

  private static func packed(_ statement: Statement) -> [UInt8] {
    statement.isNull(8) ? [] : statement.withBlob(8) { Array($0) }
  }

  /// Deletes the transactions that match a descriptor.
  func deleteHistory(_ descriptor: HistoryDescriptor<DefaultHistoryTransaction>) throws {
    try writingHistory { connection in
      let reader = try HistoryReader(self, connection)
      let numbers = try history(descriptor, connection, reader, withChanges: false).map(\.transactionIdentifier)
      try deleteTransactions(numbers, connection)
    }
  }

  /// Runs what writes to history itself, in a transaction for writing, with what other programs have changed.
  func writingHistory(_ body: (Connection) throws -> Void) throws {
    try checkAllowsSave()
    try noteOthersChanges()
    try SwiftDataError.translating(SwiftDataError.saving) {
      try pool.write { connection in try connection.transaction(.immediate) { try body(connection) } }
    }
  }

  private func history(
    _ descriptor: HistoryDescriptor<DefaultHistoryTransaction>, _ connection: Connection, _ reader: HistoryReader,
    withChanges: Bool
  ) throws -> [DefaultHistoryTransaction] {
    let question = HistoryQuestion(descriptor)
    let first = try checkedStart(question, connection)
    let order = HistoryOrder(descriptor.sortBy)
    let limit = descriptor.fetchLimit == 0 ? Int.max : Int(clamping: descriptor.fetchLimit)
    var found: [DefaultHistoryTransaction] = []
    let statement = try connection.statement(
      "\(Self.transactions) AND id >= ? AND time >= ? ORDER BY id\(order.isDescending ? " DESC" : "")")
    defer { statement.reset() }
    statement.bind(first, at: 1)
    statement.bind(question.time, at: 2)
    while found.count < limit || !order.isThatOfNumbers, try statement.step() {
      let row = HistoryRow(statement)
      func changes() throws -> [HistoryChange] {
        try reader.changes(of: row, packed: Self.packed(statement))
      }
      let seen = reader.transaction(row, changes: question.looksAtChanges ? try changes() : [])
      if let predicate = descriptor.predicate, try !predicate.evaluate(seen) { continue }
      found.append(withChanges && !question.looksAtChanges ? reader.transaction(row, changes: try changes()) : seen)
    }
    if !order.isThatOfNumbers { found = Array(found.sorted(using: descriptor.sortBy).prefix(limit)) }
    return found
  }

  /// The number of the first transaction that may match.
  private func checkedStart(_ question: HistoryQuestion, _ connection: Connection) throws -> Int64 {
    try question.after.reduce(question.number) { try max($0, checkedNumber(of: $1, connection)) }
  }

  /// The number of the transaction that a token is of, if nothing behind it was deleted.
  func checkedNumber(of token: DefaultHistoryToken, _ connection: Connection) throws -> Int64 {
    let (number, floor) = (try number(of: token, connection), try historyFloor(connection))
    if number < floor {
      throw SwiftDataError(
        .historyTokenExpired, "Transactions up to number \(floor) were deleted, and the token is of number \(number).",
        remedy: "Fetch everything anew, and keep the token of the last transaction there is.")
    }
    return number
  }

  /// The number of the transaction that a token is of, whether it is still there or not.
  func number(of token: DefaultHistoryToken, _ connection: Connection) throws -> Int64 {
    guard let number = token.tokenValue?[identifier] else {
      throw SwiftDataError(
        .invalidTransactionFetchRequest, "The token is of another store.",
        remedy: "Keep a token for each store, or fetch everything anew.")
    }
    let latest = try HistoryTables.lastNumber(connection) ?? 0
    if number > latest {
      throw SwiftDataError(
        .invalidTransactionFetchRequest,
        "The token is of transaction \(number), and the store's last is \(latest): an older copy of its file was restored.",
        remedy: "Fetch everything anew, and keep the token of the last transaction there is.")
    }
    return number
  }

  // MARK: - Deleting

  private func deleteTransactions(_ numbers: [Int64], _ connection: Connection) throws {
    guard let last = numbers.max() else { return }
    let list = numbers.jsonArray
    let changes = try connection.statement(
      """
      DELETE FROM _roost_change WHERE id < (SELECT max(id) FROM _roost_change) AND id IN (SELECT noted.id \
      FROM json_each(?) AS listed CROSS JOIN _roost_transaction AS deleted ON deleted.id = listed.value \
      CROSS JOIN _roost_change AS noted ON noted.id BETWEEN deleted.first_change AND deleted.last_change)
      """)
    changes.bind(list, at: 1)
    try changes.run()
    try endDeletion("id IN (SELECT value FROM json_each(?))", .text(list), through: last, connection)
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
package struct HistoryRow {
  package let number: Int64
  /// Seconds since 2001.
  package let time: Double
  /// The changes that triggers have noted.
  let noted: ClosedRange<Int64>?
  let author, context, bundle, process: String?
  package let migration: HistoryMigration?

  init(_ statement: Statement) {
    func text(_ column: Int32) -> String? { statement.isNull(column) ? nil : statement.string(column) }
    number = statement.int64(0)
    time = statement.double(1)
    let (first, last) = (statement.int64(2), statement.int64(3))
    noted = first <= last ? first...last : nil
    (author, context, bundle, process) = (text(4), text(5), text(6), text(7))
    migration = text(9).map { HistoryMigration(text: $0) }
  }
}
