public import Foundation

/// Which transactions of a store's history to fetch, or to delete.
///
/// ```swift
/// var descriptor = HistoryDescriptor<DefaultHistoryTransaction>()
/// if let token { descriptor.predicate = #Predicate { $0.token > token } }
/// ```
/// Source: SwiftData's `HistoryDescriptor`.
public struct HistoryDescriptor<TransactionType> where TransactionType: HistoryTransaction {
  /// What a transaction must fulfil; nil for all.
  public var predicate: Predicate<TransactionType>?
  /// The most transactions to fetch; 0 for all.
  public var fetchLimit: UInt64 = 0
  /// The order of the transactions; empty for that in which they were committed.
  public var sortBy: [SortDescriptor<TransactionType>]

  /// Makes a descriptor of transactions in the order in which they were committed, unless another is given.
  public init(predicate: Predicate<TransactionType>? = nil, sortBy: [SortDescriptor<TransactionType>] = []) {
    self.predicate = predicate
    self.sortBy = sortBy
  }
}
