public import RoostCore
import RoostEngine

/// Somebody who reads all of a store's history, and for whom what is unread is kept.
///
/// ```swift
/// let sync = try context.historyConsumer("sync")
/// for transaction in try sync.unreadTransactions(limit: 100) {
///   try send(transaction)
///   try sync.advance(past: transaction)
/// }
/// ```
/// The file has its place, so that it goes on where it was after the next launch. What is behind that is kept until
/// ``ModelConfiguration/HistoryOptions/maximumUnreadAge``, a year unless set. Advance once a transaction is dealt with:
/// what was read before a crash, and not advanced past, is read once more.
public struct HistoryConsumer: Sendable {
  /// What the file knows it by. Two with the same name have one place.
  public let name: String
  private let store: Store

  fileprivate init(_ name: String, _ store: Store) { (self.name, self.store) = (name, store) }

  /// Its place: the token of the last transaction that it has advanced past.
  ///
  /// - Throws: ``SwiftDataError/invalidTransactionFetchRequest`` where the file does not know it any
  ///   more; or what the database reports.
  public var token: DefaultHistoryToken {
    get throws {
      try store.reading { connection, _ in
        DefaultHistoryToken(store: store.identifier, transaction: try store.knownPlace(of: name, connection))
      }
    }
  }

  /// The transactions behind its place, in the order in which they were committed; the first ones up to `limit`.
  ///
  /// - Throws: ``SwiftDataError/historyTokenExpired`` where some of them are gone: deleted by
  ///   ``ModelContext/deleteHistory(_:)``, unread for too long, or never recorded. Call ``advanceToEnd()``, and then
  ///   read all models anew. Otherwise as ``token``.
  public func unreadTransactions(limit: Int? = nil) throws -> [DefaultHistoryTransaction] {
    try store.reading { connection, reader in
      let place = DefaultHistoryToken(
        store: store.identifier, transaction: try store.knownPlace(of: name, connection))
      var found: [DefaultHistoryTransaction] = []
      let number = try store.checkedNumber(of: place, connection)
      try store.transactions(after: number, limit: limit, connection) { row, packed in
        found.append(reader.transaction(row, changes: try reader.changes(of: row, packed: packed())))
      }
      return found
    }
  }

  /// Moves its place behind a transaction, and never back.
  ///
  /// - Throws: ``SwiftDataError/invalidTransactionFetchRequest`` for one of another store, or where the file does not
  ///   know the consumer any more; ``SwiftDataError/readOnlyStore``; or what the database reports of writing.
  public func advance(past transaction: DefaultHistoryTransaction) throws { try advance(to: transaction.token) }

  /// Moves its place to a token, and never back.
  ///
  /// - Throws: as ``advance(past:)``.
  public func advance(to token: DefaultHistoryToken) throws {
    try store.writingHistory { connection in
      let place = try store.knownPlace(of: name, connection)
      let number = try store.number(of: token, connection)
      if number > place { try StoreCatalog(connection).set(.consumer(name), "\(number)") }
    }
  }

  /// Moves its place to the end of history: what was unread is skipped.
  ///
  /// - Throws: as ``advance(past:)``.
  public func advanceToEnd() throws {
    try store.writingHistory { connection in
      _ = try store.knownPlace(of: name, connection)
      try StoreCatalog(connection).set(.consumer(name), "\(try HistoryTables.lastNumber(connection) ?? 0)")
    }
  }

  /// Has the file forget it: history is not kept for it any longer.
  ///
  /// - Throws: ``SwiftDataError/readOnlyStore``, or what the database reports of writing.
  public func unregister() throws {
    try store.writingHistory { connection in try StoreCatalog(connection).remove(.consumer(name)) }
  }
}

extension ModelContext {
  /// Somebody for whom history is kept until it was read, by a name of the program's own.
  ///
  /// One that the file does not know yet begins at the end of history: read all models
  /// afterwards, and nothing is missed.
  /// - Throws: ``SwiftDataError/invalidTransactionFetchRequest`` where no history is recorded; for a new one
  ///   ``SwiftDataError/readOnlyStore``; or what the database reports.
  public func historyConsumer(_ name: String) throws -> HistoryConsumer {
    let isKnown = try store.reading { connection, _ in try store.historyPlace(ofConsumer: name, connection) != nil }
    if !isKnown {
      try store.writingHistory { connection in
        if try store.historyPlace(ofConsumer: name, connection) != nil { return }
        try StoreCatalog(connection).set(.consumer(name), "\(try HistoryTables.lastNumber(connection) ?? 0)")
      }
    }
    return HistoryConsumer(name, store)
  }

  /// The names of the consumers that the file keeps history for.
  ///
  /// - Throws: as ``historyConsumer(_:)``.
  public var historyConsumerNames: [String] {
    get throws {
      try store.reading { connection, _ in try StoreCatalog(connection).names(after: StoreCatalog.Key.historyConsumer) }
    }
  }
}

extension Store {
  fileprivate func knownPlace(of consumer: String, _ connection: Connection) throws -> Int64 {
    if let place = try historyPlace(ofConsumer: consumer, connection) { return place }
    throw SwiftDataError(
      .invalidTransactionFetchRequest, "The store knows no consumer of its history by the name \"\(consumer)\".",
      remedy: "Register it: context.historyConsumer(\"\(consumer)\"), and read all models anew.")
  }
}
