internal import Foundation
internal import Logging
public import RoostCore

// What predicates are written with: `#Predicate` turns the calls into a search of the index.

extension String {
  /// Whether the string has all words of a text; in a predicate, found by the property's full-text index.
  ///
  /// ```swift
  /// let found = #Predicate<Note> { $0.body.matches(text) && !$0.isArchived }
  /// ```
  /// Whatever a user types is text, no syntax. The property needs `@Attribute(.fullText)` or `#FullText`; without it
  /// the fetch throws ``SwiftDataError/unsupportedPredicate``. A string by itself is looked into as
  /// ``FullTextTokenizer/unicode61`` does.
  /// - Parameter text: the words.
  /// - Returns: whether all are there; false for a text without words.
  public func matches(_ text: String) -> Bool { matches(.all(text)) }

  /// Whether the string is what a query looks for; in a predicate, found by the property's full-text index.
  ///
  /// ```swift
  /// #Predicate<Note> { $0.body.matches(.prefix(text)) }
  /// ```
  /// - Parameter query: what to look for.
  /// - Returns: whether it is there.
  public func matches(_ query: FullTextQuery) -> Bool {
    logged { try FullTextJudge.matches([self], query, .unicode61) }
  }
}

extension String? {
  /// Whether the string has all words of a text, as for a `String`; nil has none.
  public func matches(_ text: String) -> Bool { matches(.all(text)) }

  /// Whether the string is what a query looks for, as for a `String`; nil has no words.
  public func matches(_ query: FullTextQuery) -> Bool { self?.matches(query) ?? false }
}

extension PersistentModel {
  /// Whether the properties of the model's full-text index have all words of a text, no matter which has which.
  ///
  /// ```swift
  /// let found = #Predicate<Note> { $0.matches(text) }
  /// ```
  /// The model needs `#FullText`, or one property with `@Attribute(.fullText)`; without it, or with several indexes,
  /// the fetch throws ``SwiftDataError/unsupportedPredicate``.
  /// - Parameter text: the words.
  /// - Returns: whether all are there; false for a text without words.
  public func matches(_ text: String) -> Bool { matches(.all(text)) }

  /// Whether the properties of the model's full-text index have what a query looks for.
  ///
  /// - Parameter query: what to look for.
  /// - Returns: whether it is there.
  public func matches(_ query: FullTextQuery) -> Bool {
    logged { try Predicate<Self>.matching(query).evaluate(self) }
  }
}

/// A failure is in the log: outside of predicates nothing can be thrown.
private func logged(_ body: () throws -> Bool) -> Bool {
  do {
    return try body()
  } catch {
    Store.logger.error("Full-text search failed", metadata: ["error": "\(error)"])
    return false
  }
}
