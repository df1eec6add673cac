public import RoostCore

/// A change of Roost's own.
protocol RowChange {
  var rowIdentity: RowIdentity { get }
}

/// A model that a transaction inserted.
///
/// Source: SwiftData's `DefaultHistoryInsert`.
public struct DefaultHistoryInsert<Model>: HistoryInsert, RowChange where Model: PersistentModel {
  /// The type of ``transactionIdentifier``.
  public typealias TransactionIdentifier = Int64
  /// The type of ``changeIdentifier``.
  public typealias ChangeIdentifier = Int64

  /// The change's number: larger than those of all earlier ones.
  public let changeIdentifier: ChangeIdentifier
  /// The number of its transaction.
  public let transactionIdentifier: TransactionIdentifier
  /// The model that was inserted.
  public let changedPersistentIdentifier: PersistentIdentifier
  /// The model's row, whatever its class is called later.
  public let rowIdentity: RowIdentity

  public static func == (lhs: Self, rhs: Self) -> Bool { lhs.changeIdentifier == rhs.changeIdentifier }

  public func hash(into hasher: inout Hasher) { hasher.combine(changeIdentifier) }
}

/// A model that a transaction edited.
///
/// Source: SwiftData's `DefaultHistoryUpdate`.
public struct DefaultHistoryUpdate<Model>: HistoryUpdate, RowChange where Model: PersistentModel {
  /// The type of ``transactionIdentifier``.
  public typealias TransactionIdentifier = Int64
  /// The type of ``changeIdentifier``.
  public typealias ChangeIdentifier = Int64
  /// A property.
  public typealias PropertyUpdate = PartialKeyPath<Model> & Sendable

  /// The change's number: larger than those of all earlier ones.
  public let changeIdentifier: ChangeIdentifier
  /// The number of its transaction.
  public let transactionIdentifier: TransactionIdentifier
  /// The model that was edited.
  public let changedPersistentIdentifier: PersistentIdentifier
  /// The model's row, whatever its class is called later.
  public let rowIdentity: RowIdentity
  /// The properties whose stored values are others than before.
  public let updatedAttributes: [any PartialKeyPath<Model> & Sendable]

  public static func == (lhs: Self, rhs: Self) -> Bool { lhs.changeIdentifier == rhs.changeIdentifier }

  public func hash(into hasher: inout Hasher) { hasher.combine(changeIdentifier) }
}

/// A model that a transaction deleted.
///
/// Source: SwiftData's `DefaultHistoryDelete`.
public struct DefaultHistoryDelete<Model>: HistoryDelete, RowChange where Model: PersistentModel {
  /// The type of ``transactionIdentifier``.
  public typealias TransactionIdentifier = Int64
  /// The type of ``changeIdentifier``.
  public typealias ChangeIdentifier = Int64

  /// The change's number: larger than those of all earlier ones.
  public let changeIdentifier: ChangeIdentifier
  /// The number of its transaction.
  public let transactionIdentifier: TransactionIdentifier
  /// The model that was deleted.
  public let changedPersistentIdentifier: PersistentIdentifier
  /// The model's row, whatever its class is called later.
  public let rowIdentity: RowIdentity
  /// What is kept of it.
  public let tombstone: HistoryTombstone<Model>

  public static func == (lhs: Self, rhs: Self) -> Bool { lhs.changeIdentifier == rhs.changeIdentifier }

  public func hash(into hasher: inout Hasher) { hasher.combine(changeIdentifier) }
}
