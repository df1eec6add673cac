public import Foundation
import RoostCore

/// A captured regular expression.
///
/// It is kept as its pattern, which says everything but the code that some have: such a one throws when it is asked.
@_documentation(visibility: private)
public struct _RegexConstant: StandardPredicateExpression {
  public typealias Output = PredicateExpressions.PredicateRegex
  public let regex: PredicateExpressions.PredicateRegex?

  public init(_ component: some RegexComponent) { regex = PredicateExpressions.PredicateRegex(component) }

  public func evaluate(_ bindings: PredicateBindings) throws -> PredicateExpressions.PredicateRegex {
    if let regex { return regex }
    throw SwiftDataError.unsupportedPredicate(
      "A regular expression with a transformation or a parser in it cannot be part of a predicate.",
      remedy: "Write it as a pattern: /[0-9]+/.")
  }
}

extension _RegexConstant: Equatable {
  public static func == (lhs: _RegexConstant, rhs: _RegexConstant) -> Bool {
    lhs.regex?.stringRepresentation == rhs.regex?.stringRepresentation
  }
}

extension _PredicateBuilder {
  // No other component: strings and characters are some, too, where RegexBuilder is imported.
  public static func contains<L: Node, Match>(_ base: L, value: Regex<Match>)
    -> PredicateExpressions.StringContainsRegex<L, _RegexConstant>
  where L.Output: BidirectionalCollection, L.Output.SubSequence == Swift.Substring {
    .init(subject: base, regex: .init(value))
  }
}
