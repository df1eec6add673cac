public import Foundation
import RoostCore

extension Foundation.Predicate {
  /// A predicate that looks into a full-text index, of properties chosen while the program runs.
  ///
  /// ```swift
  /// let found = Predicate<Note>.matching(.prefix(text), in: \.title, \.body)
  /// ```
  /// For a predicate about one model. What is wrong with the properties is thrown when the predicate is evaluated or
  /// fetched with.
  /// - Parameters:
  ///   - query: what to look for.
  ///   - properties: strings that have a full-text index together; all of the model's index when there are none.
  /// - Returns: the predicate.
  public static func matching(
    _ query: FullTextQuery, in properties: any PartialKeyPath<(repeat each Input)> & Sendable...
  ) -> Self {
    matching(query, properties: properties.map { $0 })
  }

  /// A predicate that looks for all words of a text.
  public static func matching(
    _ text: String, in properties: any PartialKeyPath<(repeat each Input)> & Sendable...
  ) -> Self {
    matching(.all(text), properties: properties.map { $0 })
  }

  private static func matching(_ query: FullTextQuery, properties: [any AnyKeyPath & Sendable]) -> Self {
    Self { (variable: repeat PredicateExpressions.Variable<each Input>) in
      var variables: [Any] = []
      for variable in repeat each variable { variables.append(variable) }
      guard variables.count == 1, let only = variables[0] as? any ModelVariable else {
        return _UnsupportedExpression("A search of the full-text index is about one model, and not \(variables.count).")
      }
      return only.match(properties, query)
    }
  }
}

private protocol ModelVariable {
  func match(
    _ properties: [any AnyKeyPath & Sendable], _ query: FullTextQuery
  ) -> any StandardPredicateExpression<Bool>
}

extension PredicateExpressions.Variable: ModelVariable where Output: PersistentModel {
  fileprivate func match(
    _ properties: [any AnyKeyPath & Sendable], _ query: FullTextQuery
  ) -> any StandardPredicateExpression<Bool> {
    _FullTextMatch(base: self, properties: properties, query: query)
  }
}
