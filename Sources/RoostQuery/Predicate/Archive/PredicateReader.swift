internal import Foundation

/// Makes the nodes of a predicate from what was decoded.
final class PredicateReader {
  typealias Node = any StandardPredicateExpression

  let configuration: PredicateCodableConfiguration
  /// What each variable stands for. That of a captured predicate stands for what this was given.
  private var variables: [Int: Node] = [:]
  /// What closures result in, by their variables: nested ones would be read again and again otherwise.
  private var resultTypes: [Int: Any.Type] = [:]
  private var depth = 0

  init(_ configuration: PredicateCodableConfiguration) { self.configuration = configuration }

  /// A body with its variables bound.
  func body(_ body: ArchivedBody, given inputs: [Node]) throws -> Node {
    guard body.variables.count == inputs.count else { throw corrupt("It has a wrong number of variables.") }
    let outer = variables
    defer { variables = outer }
    for (variable, input) in zip(body.variables, inputs) { variables[variable] = input }
    return try node(body.expression)
  }

  /// Makes a node with a closure. The node has a variable of its own, and its builder must not throw.
  func closure<Input, Output>(
    _ archived: ArchivedNode, as type: Output.Type,
    _ make: ((PredicateExpressions.Variable<Input>) -> _AnyExpression<Output>) -> Node
  ) throws -> Node {
    let (number, body) = try closure(archived)
    let outer = variables
    defer { variables = outer }
    var failure: (any Error)?
    let result = make { variable in
      variables[number] = variable
      do { return try decoded(node(body), as: type) } catch { failure = error }
      // Never evaluated: the error is thrown below.
      return _AnyExpression(PredicateExpressions.ForcedUnwrap(PredicateExpressions.NilLiteral<Output>()))
    }
    if let failure { throw failure }
    return result
  }

  /// What a closure results in: known once it was read with any variable.
  func resultType<Input>(_ archived: ArchivedNode, _ input: Input.Type) throws -> Any.Type {
    let (number, body) = try closure(archived)
    if let known = resultTypes[number] { return known }
    let outer = variables
    defer { variables = outer }
    variables[number] = PredicateExpressions.Variable<Input>()
    let type = Self.output(of: try node(body))
    resultTypes[number] = type
    return type
  }

  private func closure(_ archived: ArchivedNode) throws -> (number: Int, body: ArchivedNode) {
    guard let number = archived.parts?["variable"]?.variable,
      let body = archived.parts?["test"] ?? archived.parts?["filter"] ?? archived.parts?["transform"]
    else { throw corrupt("A closure is missing.") }
    return (number, body)
  }

  func node(_ archived: ArchivedNode) throws -> Node {
    depth += 1
    defer { depth -= 1 }
    do { try PredicateDepth.enter(depth) } catch { throw corrupt("It nests too deep.") }
    if let number = archived.variable {
      guard let variable = variables[number] else { throw corrupt("A variable has no meaning.") }
      return variable
    }
    guard let make = Self.kinds[archived.kind] else { throw corrupt("There is no node `\(archived.kind)`.") }
    return try make(self, archived)
  }

  /// An operand.
  func operand(_ archived: ArchivedNode, _ name: String) throws -> Node {
    guard let part = archived.parts?[name] else { throw corrupt("`\(archived.kind)` lacks `\(name)`.") }
    return try node(part)
  }

  /// An operand of a type that another operand asks for.
  func operand<Output>(_ archived: ArchivedNode, _ name: String, as type: Output.Type) throws -> _AnyExpression<Output>
  {
    try decoded(operand(archived, name), as: type)
  }

  func decoded<Output>(_ node: Node, as type: Output.Type) throws -> _AnyExpression<Output> {
    if let node = node as? any StandardPredicateExpression<Output> { return _AnyExpression(node) }
    throw corrupt("There is a `\(Self.output(of: node))` instead of a `\(type)`.")
  }

  static func output(of node: Node) -> Any.Type {
    func open<Value: StandardPredicateExpression>(_ node: Value) -> Any.Type { Value.Output.self }
    return open(node)
  }

  func type(_ archived: ArchivedNode) throws -> Any.Type {
    guard let type = archived.type?.type(named: configuration.type) else {
      throw corrupt("The type `\(archived.type?.name ?? "")` is not allowed.")
    }
    return type
  }

  /// The type as one that a node asks for.
  func requirement<Requirement>(
    _ requirement: Requirement.Type, _ type: Any.Type, _ archived: ArchivedNode
  ) throws -> Requirement {
    if let type = type as? Requirement { return type }
    throw corrupt("`\(archived.kind)` is not for `\(type)`.")
  }

  func corrupt(_ message: String) -> DecodingError {
    DecodingError.dataCorrupted(.init(codingPath: [], debugDescription: "This is no predicate. \(message)"))
  }
}
