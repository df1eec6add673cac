public import RoostCore

extension ModelContext {
  /// The transactions of the store's history that match a descriptor.
  ///
  /// History is recorded where ``ModelConfiguration/StoreOptions/history`` says so.
  /// ```swift
  /// var descriptor = HistoryDescriptor<DefaultHistoryTransaction>()
  /// descriptor.predicate = #Predicate { $0.token > token && $0.author == "widget" }
  /// for transaction in try context.fetchHistory(descriptor) { print(transaction.changes.count) }
  /// ```
  /// A transaction is a save, an update of many rows, or SQL of this program's or of another that uses Roost. What
  /// other programs changed between two of these is one transaction, without an author.
  /// - Returns: the transactions in the order in which they were committed, unless the descriptor says another.
  /// - Throws: ``SwiftDataError/historyTokenExpired`` when transactions behind a token in the predicate were deleted;
  ///   ``SwiftDataError/invalidTransactionFetchRequest`` where nothing is recorded, for a token of another store, or
  ///   transactions of another type than ``DefaultHistoryTransaction``; or what the database reports. Source:
  ///   SwiftData's `fetchHistory(_:)`.
  public func fetchHistory<T>(_ descriptor: HistoryDescriptor<T>) throws -> [T] where T: HistoryTransaction {
    try store.history(known(descriptor)) as? [T] ?? []
  }

  /// Deletes the transactions that match a descriptor.
  ///
  /// A token of an earlier transaction than the last one deleted has expired then.
  /// - Throws: as ``fetchHistory(_:)``, or what the database reports of writing. Source:
  ///   SwiftData's `deleteHistory(_:)`.
  public func deleteHistory<T>(_ descriptor: HistoryDescriptor<T>) throws where T: HistoryTransaction {
    try store.deleteHistory(known(descriptor))
  }

  private func known<T>(_ descriptor: HistoryDescriptor<T>) throws -> HistoryDescriptor<DefaultHistoryTransaction> {
    if let known = descriptor as? HistoryDescriptor<DefaultHistoryTransaction> { return known }
    throw SwiftDataError(
      .invalidTransactionFetchRequest, "The store has no transactions of the type \(T.self).",
      remedy: "Fetch DefaultHistoryTransaction.")
  }
}
