/// A place in history.
///
/// Source: SwiftData's `HistoryToken`.
public protocol HistoryToken: Comparable, Decodable, Encodable, Hashable, Identifiable, Sendable {
  /// What the place is kept as.
  associatedtype TokenType: Decodable, Encodable, Hashable, Sendable
  /// The place; nil for none.
  var tokenValue: TokenType? { get }
}

/// A place in the history of a store, to be kept and compared.
///
/// ```swift
/// let data = try JSONEncoder().encode(transactions.last?.token)
/// ```
/// It has a number for each store, and is of use for these stores alone. Source: SwiftData's `DefaultHistoryToken`.
public struct DefaultHistoryToken: HistoryToken, Codable {
  /// The numbers of transactions, by the identifiers of their stores.
  public typealias TokenType = [String: Int64]

  /// The place; nil for none.
  public let tokenValue: TokenType?

  package init(store: String, transaction: Int64) { tokenValue = [store: transaction] }

  /// The same for equal tokens.
  public var id: Int { hashValue }

  /// The store that the token is of; empty for none, the first by name of several.
  public var storeIdentifier: String { tokenValue?.keys.min() ?? "" }

  /// Whether one place is before another: in some store that both are of, and in no such store behind.
  public static func < (lhs: Self, rhs: Self) -> Bool {
    let pairs = (lhs.tokenValue ?? [:]).compactMap { store, number in rhs.tokenValue?[store].map { (number, $0) } }
    return pairs.contains { $0.0 < $0.1 } && pairs.allSatisfy { $0.0 <= $0.1 }
  }
}
