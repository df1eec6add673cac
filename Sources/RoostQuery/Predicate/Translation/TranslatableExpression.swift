internal import Foundation

/// A node of a predicate that becomes SQL.
///
/// A node conforms whatever its operands are: whether they can be translated, too, is found out when they are asked.
protocol TranslatableExpression: PredicateExpression {
  /// What the node is in SQL. Throws when SQL could not say the same as Swift.
  func term(_ translator: Translator) throws -> Term
  /// The node as it was written, about, for messages.
  func source(_ translator: Translator) -> String
}
