public import Foundation
public import RoostCore

/// One transaction of a store's history: what was changed together.
///
/// Source: SwiftData's `HistoryTransaction`.
public protocol HistoryTransaction: Hashable, Identifiable, Sendable {
  /// What a program keeps to ask for later transactions.
  associatedtype TokenType: Comparable, Hashable, Identifiable, Sendable
  /// What tells transactions apart.
  associatedtype TransactionIdentifier: Comparable, Hashable, Sendable

  /// When it was committed; for other programs' changes, when they were noticed.
  var timestamp: Date { get }
  /// What was changed, in order.
  var changes: [HistoryChange] { get }
  /// The transaction's place in history.
  var token: TokenType { get }
  /// The transaction's number.
  var transactionIdentifier: TransactionIdentifier { get }
  /// The store that was changed.
  var storeIdentifier: String { get }
  /// Who changed it: the context's ``ModelContext/author``.
  var author: String? { get }
}

/// A model that a transaction inserted.
///
/// Source: SwiftData's `HistoryInsert`.
public protocol HistoryInsert<Model>: Sendable {
  /// The model's class.
  associatedtype Model: PersistentModel
  /// What tells transactions apart.
  associatedtype TransactionIdentifier: Comparable, Hashable, Sendable
  /// What tells changes apart.
  associatedtype ChangeIdentifier: Comparable, Hashable, Sendable

  /// The change's number.
  var changeIdentifier: ChangeIdentifier { get }
  /// The number of its transaction.
  var transactionIdentifier: TransactionIdentifier { get }
  /// The model that was inserted.
  var changedPersistentIdentifier: PersistentIdentifier { get }
}

/// A model that a transaction edited.
///
/// Source: SwiftData's `HistoryUpdate`.
public protocol HistoryUpdate<Model>: Sendable {
  /// The model's class.
  associatedtype Model: PersistentModel
  /// What tells transactions apart.
  associatedtype TransactionIdentifier: Comparable, Hashable, Sendable
  /// What tells changes apart.
  associatedtype ChangeIdentifier: Comparable, Hashable, Sendable
  /// A property.
  typealias PropertyUpdate = PartialKeyPath<Model> & Sendable

  /// The change's number.
  var changeIdentifier: ChangeIdentifier { get }
  /// The number of its transaction.
  var transactionIdentifier: TransactionIdentifier { get }
  /// The model that was edited.
  var changedPersistentIdentifier: PersistentIdentifier { get }
  /// The properties whose stored values are others than before.
  var updatedAttributes: [any PartialKeyPath<Model> & Sendable] { get }
}

/// A model that a transaction deleted.
///
/// Source: SwiftData's `HistoryDelete`.
public protocol HistoryDelete<Model>: Sendable {
  /// The model's class.
  associatedtype Model: PersistentModel
  /// What tells transactions apart.
  associatedtype TransactionIdentifier: Comparable, Hashable, Sendable
  /// What tells changes apart.
  associatedtype ChangeIdentifier: Comparable, Hashable, Sendable

  /// The change's number.
  var changeIdentifier: ChangeIdentifier { get }
  /// The number of its transaction.
  var transactionIdentifier: TransactionIdentifier { get }
  /// The model that was deleted.
  var changedPersistentIdentifier: PersistentIdentifier { get }
  /// What is kept of it.
  var tombstone: HistoryTombstone<Model> { get }
}

/// What can tell a store's history.
///
/// Source: SwiftData's `HistoryProviding`.
public protocol HistoryProviding {
  /// The transactions that it tells.
  associatedtype HistoryType: HistoryTransaction
  /// The type of these.
  static var historyType: HistoryType.Type { get }
  /// The transactions that match a descriptor.
  func fetchHistory(_ descriptor: HistoryDescriptor<HistoryType>) throws -> [HistoryType]
  /// Deletes transactions that match a descriptor.
  func deleteHistory(_ descriptor: HistoryDescriptor<HistoryType>) throws
}
