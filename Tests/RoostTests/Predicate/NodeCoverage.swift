import Foundation
import Roost
import RoostQuery

/// How often each node, and each type of a property, occurs in random predicates.
struct NodeCoverage {
  private var nodes: [String: Int] = [:]
  private var types: [String: Int] = [:]

  /// Every node of `PredicateExpressions`, and what the macro makes besides.
  private static let expected = [
    "Arithmetic", "ClosedRange", "CollectionContainsCollection", "CollectionIndexSubscript",
    "CollectionRangeSubscript", "Comparison", "Conditional", "ConditionalCast", "Conjunction",
    "DictionaryKeyDefaultValueSubscript", "DictionaryKeySubscript", "Disjunction", "Equal", "ExpressionEvaluate",
    "Filter", "FloatDivision", "ForceCast", "ForcedUnwrap", "IntDivision", "IntRemainder", "KeyPath", "Negation",
    "NilCoalesce", "NilLiteral", "NotEqual", "OptionalFlatMap", "Range", "RangeExpressionContains",
    "SequenceAllSatisfy", "SequenceContains", "SequenceContainsWhere", "SequenceMaximum", "SequenceMinimum",
    "SequenceStartsWith", "StringContainsRegex", "TypeCheck", "UnaryMinus", "Value", "Variable", "_AllOf", "_AnyOf",
    "_CaseInsensitiveCompare", "_ExpressionConstant", "_HasPrefix", "_HasSuffix", "_LocalizedCompare",
    "_LocalizedStandardContains", "_ModelConstant", "_OptionalCoalesce", "_OptionalPromotion", "_PredicateEvaluate",
    "_RegexConstant", "_StringConcatenation",
  ]

  var missing: [String] {
    let asked = askedTypes.map { "\($0)" }
    return Self.expected.filter { nodes[$0] == nil } + Set(asked).filter { types[$0] == nil }
  }

  var summary: String {
    func list(_ counts: [String: Int]) -> String {
      counts.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }.joined(separator: ", ")
    }
    return "nodes: \(list(nodes))\nproperties: \(list(types))"
  }

  mutating func count(_ predicate: Predicate<Subject>) { count(predicate.expression) }

  private mutating func count(_ part: Any) {
    if part is any PredicateExpression {
      nodes[String("\(type(of: part))".prefix { $0 != "<" }), default: 0] += 1
    }
    if let keyPath = part as? AnyKeyPath {
      let name = "\(type(of: keyPath).valueType)"
      let isOptional = name.hasPrefix("Optional<")
      types[isOptional ? String(name.dropFirst("Optional<".count).dropLast()) : name, default: 0] += 1
      return
    }
    if let node = part as? any VariadicExpression {
      for input in node.inputs { count(input) }
      for body in node.bodies { count(body.expression) }
      return
    }
    guard part is any PredicateExpression else { return }
    for child in Mirror(reflecting: part).children { count(child.value) }
  }
}
