import Foundation
import RoostCore
import RoostEngine

/// How deep the parts of a predicate may be inside each other.
///
/// Whatever is done with a predicate goes down into its parts, and each level takes a piece of the thread's stack. A
/// program that nests without an end would crash, at the latest when the predicate is freed; this way it gets an error.
enum PredicateDepth {
  static let limit = 250
  /// What must be left of the stack. Eight levels of any nodes take less.
  private static let reserve = 128 * 1024

  static var error: SwiftDataError { .unsupportedPredicate(message, remedy: remedy) }

  private static let message =
    "The predicate's parts are too deep inside each other: more than \(limit) levels, or more than the thread's stack has "
    + "room for."
  private static let remedy =
    "Combine many predicates with Predicate(all:) or Predicate(any:), which take lists, or with && and ||, whose chains "
    + "count as one level. What is captured in a predicate that is captured in another counts as often."

  /// Throws when a level is too deep.
  static func enter(_ level: Int) throws {
    guard level <= limit, level % 8 != 0 || StackSpace.hasRoom(for: reserve) else { throw error }
  }

  /// Whether there is room for a level of something else that goes down into a predicate, with several for each node.
  static func hasRoom(at level: Int) -> Bool {
    level <= 5 * limit && (level < 64 || StackSpace.hasRoom(for: reserve))
  }

  /// How deep a node is; one more than the limit for all that are deeper.
  static func depth(of node: any PredicateExpression, from level: Int = 1) -> Int {
    if level > limit { return level }
    if let node = node as? any DeepExpression { return min(level - 1 + node.depth, limit + 1) }
    if let node = node as? any AnyExpression { return depth(of: node.wrapped, from: level) }
    return Mirror(reflecting: node).children.reduce(level) { deepest, child in
      (child.value as? any PredicateExpression).map { max(deepest, depth(of: $0, from: level + 1)) } ?? deepest
    }
  }

  static func greatest<each Input>(_ predicates: [Predicate<repeat each Input>]) -> Int {
    var greatest = 0
    for predicate in predicates { greatest = max(greatest, predicate.depth) }
    return greatest
  }

  /// The predicates, with the terms of each that is a list itself in its place, and the depth of a list of them.
  ///
  /// So conditions that are added one by one stay flat. `list`: a predicate's terms and
  /// depth; nil if it is no such list.
  static func flattened<each Input>(
    _ predicates: some Sequence<Predicate<repeat each Input>>,
    list: (Predicate<repeat each Input>) -> (terms: [Predicate<repeat each Input>], depth: Int)?
  ) -> (terms: [Predicate<repeat each Input>], depth: Int) {
    var terms: [Predicate<repeat each Input>] = []
    var depth = 1
    for predicate in predicates {
      let inner = list(predicate)
      terms += inner?.terms ?? [predicate]
      depth = max(depth, inner?.depth ?? 1 + predicate.depth)
    }
    return (terms, depth)
  }

  /// The predicates, or in their place one that is an error where these are too deep; and the depth.
  static func bounded<each Input>(
    _ predicates: [Predicate<repeat each Input>], depth: Int
  ) -> (predicates: [Predicate<repeat each Input>], depth: Int) {
    if depth <= limit { return (predicates, depth) }
    let error = Predicate<repeat each Input>({ (variable: repeat PredicateExpressions.Variable<each Input>) in
      _UnsupportedExpression(message)
    })
    return ([error], 2)
  }

  /// Throws when a node is too deep, or was.
  static func check(_ node: any PredicateExpression, level: Int = 1) throws {
    try enter(level)
    if let node = node as? _UnsupportedExpression, node.message == message { throw error }
    if let node = node as? any AnyExpression { return try check(node.wrapped, level: level) }
    if let node = node as? any VariadicExpression {
      for part in node.inputs + node.bodies.map(\.expression) { try check(part, level: level + 1) }
      return
    }
    for child in Mirror(reflecting: node).children {
      if let part = child.value as? any PredicateExpression { try check(part, level: level + 1) }
    }
  }

  /// The depth of what is evaluated, among the bindings.
  private static let variable = PredicateExpressions.Variable<Int>()

  /// The bindings for evaluating a captured predicate, one level below.
  ///
  /// - Throws: `SwiftDataError.unsupportedPredicate` when that is too deep.
  static func deeper(_ bindings: PredicateBindings) throws -> PredicateBindings {
    let level = (bindings[variable] ?? 0) + 1
    try enter(level)
    return bindings.binding(variable, to: level)
  }
}

/// A node with captured predicates, which knows how deep it is: counting anew whenever a loop adds one would take long.
protocol DeepExpression: PredicateExpression {
  var depth: Int { get }
}

extension _AllOf: DeepExpression {}
extension _AnyOf: DeepExpression {}
extension _PredicateEvaluate: DeepExpression {}

extension Predicate {
  /// How deep its parts are.
  var depth: Int { PredicateDepth.depth(of: expression) }

  /// As `evaluate(_:)`, inside another predicate.
  func evaluate(_ bindings: PredicateBindings, _ values: repeat each Input) throws -> Bool {
    var inner = try PredicateDepth.deeper(bindings)
    for (variable, value) in repeat (each variable, each values) { inner = inner.binding(variable, to: value) }
    return try expression.evaluate(inner)
  }
}
