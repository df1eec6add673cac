internal import Foundation
import RoostCore
internal import RoostSQL

/// Turns one predicate into SQL.
///
/// SQL and memory agree: in each row the condition made here is true exactly when the predicate evaluates to true. A
/// row in which evaluation would throw or trap (nil unwrapped with `!`, an overflow, a division by zero) does not
/// match. One case has no such rule: inside a closure over a relationship, whose elements have no order in SQL, an
/// element of that kind counts as not meeting the closure's condition.
final class Translator {
  private let lookUp: (any PersistentModel.Type) -> EntityInfo?
  /// Whether the query will be shown changes of a table that are not saved.
  let isPending: (String) -> Bool
  /// The store that the query runs on: an identifier of another one is of no row here. nil when there is no store.
  let storeIdentifier: String?
  /// Whether errors may tell constants.
  let tellsValues: Bool
  private var aliasCount = 0
  var usesTables: Set<String> = []
  /// The columns that were asked for, of whatever row.
  var readColumns: Set<String> = []
  /// Whether what is made depends on other rows than the one that it is asked of.
  var readsOtherRows = false
  /// Tables that were joined, and so may lack a row.
  var joinedAliases: Set<String> = []
  /// The rows whose columns were asked for, by the alias of their table.
  var rows: [String: RowTerm] = [:]
  var variables: [PredicateExpressions.VariableID: Term] = [:]
  /// Variables that stand for Swift values, for what is evaluated here and now.
  var constants = PredicateBindings()
  /// When the evaluation would fail: conditions collected by the parts translated so far.
  private(set) var failures: [SQLExpression] = []
  private var depth = 0
  /// How deep a message is in the text of a node.
  var sourceDepth = 0
  /// How deep it goes.
  var sourceLimit = 20
  /// What it calls variables; those that are not in here `$0`.
  var names: [PredicateExpressions.VariableID: String] = [:]

  init(
    store storeIdentifier: String? = nil, tellsValues: Bool = false, isPending: @escaping (String) -> Bool,
    entity: @escaping (any PersistentModel.Type) -> EntityInfo?
  ) {
    self.storeIdentifier = storeIdentifier
    self.tellsValues = tellsValues
    self.isPending = isPending
    lookUp = entity
  }

  func newAlias() -> String {
    defer { aliasCount += 1 }
    return "t\(aliasCount)"
  }

  func entity(_ type: any PersistentModel.Type) -> EntityInfo? { lookUp(type) }

  /// Translates a node.
  func term(_ node: some PredicateExpression) throws -> Term {
    depth += 1
    defer { depth -= 1 }
    try PredicateDepth.enter(depth)
    if let node = node as? any TranslatableExpression { return try node.term(self) }
    return try constantOrUnsupported(node, "SQL has nothing like it.")
  }

  /// Translates a node that is a `Bool`.
  func condition(_ node: some PredicateExpression<Bool>) throws -> SQLExpression {
    try condition(term(node), of: node)
  }

  func condition(_ term: Term, of node: some PredicateExpression) throws -> SQLExpression {
    switch term {
    case .constant(let value as Bool): return .condition(value)
    case .value(let value):
      // `column = 1` can use an index, `column` alone cannot.
      if case .column = value.sql { return .binary(.equal, value.sql, .integer(1)) }
      return value.sql
    default: throw unsupported(node, "It is no condition.")
    }
  }

  /// The value of a node that depends on no row, or the reason why it cannot be part of a query.
  func constantOrUnsupported(_ node: some PredicateExpression, _ advice: String) throws -> Term {
    do {
      return .constant(try node.evaluate(constants))
    } catch let error as PredicateError where !failedByItself.contains(where: { $0 == error }) {
      throw unsupported(node, advice)
    } catch {
      throw unsupported(node, "Its evaluation fails: \(reason(error))")
    }
  }

  /// The errors other than that a variable is not known. That one must not be compared with itself: Foundation's `==`
  /// does not return then.
  private var failedByItself: [PredicateError] { [.forceUnwrapFailure, .forceCastFailure, .invalidInput] }

  /// Notes that the evaluation fails where the condition is true.
  func fail(when condition: SQLExpression) {
    if condition != .false { failures.append(condition) }
  }

  /// Translates what is evaluated only where the condition is true, so that it fails only there.
  func guarded<Result>(by guardCondition: SQLExpression, _ body: () throws -> Result) rethrows -> Result {
    let (result, failure) = try collectingFailures(body)
    fail(when: .conjunction([guardCondition, failure]))
    return result
  }

  /// Translates a part, and returns when its evaluation fails instead of noting it.
  func collectingFailures<Result>(_ body: () throws -> Result) rethrows -> (Result, SQLExpression) {
    let outer = failures
    failures = []
    defer { failures = outer }
    let result = try body()
    return (result, .disjunction(failures))
  }

  /// Binds a variable from here on.
  func bind<Output>(_ variable: PredicateExpressions.Variable<Output>, to term: Term) {
    variables[variable.key] = term
    if case .constant(let value) = term, let value = value as? Output {
      constants = constants.binding(variable, to: value)
    }
  }

  /// Translates a closure's body with its variable bound.
  func binding<Output, Result>(
    _ variable: PredicateExpressions.Variable<Output>, to term: Term, _ body: () throws -> Result
  ) rethrows -> Result {
    let (outer, outerConstants) = (variables[variable.key], constants)
    bind(variable, to: term)
    defer {
      variables[variable.key] = outer
      constants = outerConstants
    }
    return try body()
  }

  /// Translates the body of a predicate or an expression with its variables bound.
  func binding<each Input, Result>(
    _ variable: repeat PredicateExpressions.Variable<each Input>, to terms: [Term], _ body: () throws -> Result
  ) rethrows -> Result {
    let (outerVariables, outerConstants) = (variables, constants)
    defer { (variables, constants) = (outerVariables, outerConstants) }
    var index = 0
    for variable in repeat each variable {
      bind(variable, to: terms[index])
      index += 1
    }
    return try body()
  }
}
