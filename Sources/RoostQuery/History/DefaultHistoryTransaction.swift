public import Foundation
public import RoostCore

/// One transaction of a store's history.
///
/// Source: SwiftData's `DefaultHistoryTransaction`.
public struct DefaultHistoryTransaction: HistoryTransaction {
  /// The type of ``transactionIdentifier``.
  public typealias TransactionIdentifier = Int64
  /// The type of ``token``.
  public typealias TokenType = DefaultHistoryToken
  /// The type of ``id``.
  public typealias ID = Int64

  /// The transaction's number.
  public var id: Int64 { transactionIdentifier }
  /// When it was committed; for other programs' changes, when they were noticed.
  public let timestamp: Date
  /// What was changed, in order. Changes of models that the schema does not have any more are left out.
  public let changes: [HistoryChange]
  /// The transaction's place in history.
  public let token: TokenType
  /// The transaction's number: larger than those of all earlier ones.
  public let transactionIdentifier: TransactionIdentifier
  /// The store that was changed.
  public let storeIdentifier: String
  /// The program that changed it; empty for another program than one of Roost's.
  public let bundleIdentifier: String
  /// Its process; empty for another program than one of Roost's.
  public let processIdentifier: String
  /// Who changed it: the context's ``ModelContext/author``; nil for none, and for other programs.
  public let author: String?
  /// The ``EditingState/id`` of the context; nil for other programs.
  public let contextIdentifier: UUID?
  /// What a migration changed the tables from and to; nil for all else. It has no ``changes``, whatever it did to rows.
  public let migration: HistoryMigration?

  public static func == (lhs: Self, rhs: Self) -> Bool { lhs.token == rhs.token }

  public func hash(into hasher: inout Hasher) { hasher.combine(token) }
}
