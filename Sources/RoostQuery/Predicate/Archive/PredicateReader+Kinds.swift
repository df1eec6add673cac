internal import Foundation

extension PredicateReader {
  typealias Make = @Sendable (PredicateReader, ArchivedNode) throws -> Node
  typealias Nodes = PredicateExpressions

  /// How to make each kind of node.
  static let kinds: [String: Make] = logic.merging(values) { $1 }.merging(operators) { $1 }
    .merging(optionals) { $1 }.merging(collections) { $1 }.merging(strings) { $1 }

  private static let logic: [String: Make] = [
    "Conjunction": { try Nodes.Conjunction(lhs: $0.bool($1, "lhs"), rhs: $0.bool($1, "rhs")) },
    "Disjunction": { try Nodes.Disjunction(lhs: $0.bool($1, "lhs"), rhs: $0.bool($1, "rhs")) },
    "Negation": { try Nodes.Negation($0.bool($1, "wrapped")) },
    "Conditional": { reader, archived in
      let yes = try reader.operand(archived, "trueBranch")
      func open<Output>(_ type: Output.Type) throws -> Node {
        try Nodes.Conditional(
          test: reader.bool(archived, "test"), trueBranch: reader.decoded(yes, as: type),
          falseBranch: reader.operand(archived, "falseBranch", as: type))
      }
      return try _openExistential(output(of: yes), do: open)
    },
    "_AllOf": { try $0.combined($1, isAll: true) },
    "_AnyOf": { try $0.combined($1, isAll: false) },
    "_PredicateEvaluate": { reader, archived in try reader.evaluated(archived.bodies?.first, archived.inputs) },
    "ExpressionEvaluate": { reader, archived in
      try reader.evaluated(archived.inputs?.first?.bodies?.first, archived.inputs.map { Array($0.dropFirst()) })
    },
    "_UnsupportedExpression": { _, _ in _UnsupportedExpression("It could not be translated before it was encoded.") },
  ]

  private func bool(_ archived: ArchivedNode, _ name: String) throws -> _AnyExpression<Bool> {
    try operand(archived, name, as: Bool.self)
  }

  /// What a captured predicate or expression comes to with its variables replaced by what it is given.
  private func evaluated(_ body: ArchivedBody?, _ inputs: [ArchivedNode]?) throws -> Node {
    guard let body, let inputs else { throw corrupt("Something is evaluated that is not there.") }
    return try self.body(body, given: inputs.map { try node($0) })
  }

  /// A list of predicates as a balanced tree, so that thousands of them need no deep recursion.
  private func combined(_ archived: ArchivedNode, isAll: Bool) throws -> Node {
    let inputs = try (archived.inputs ?? []).map { try node($0) }
    let terms = try (archived.bodies ?? []).map { try decoded(body($0, given: inputs), as: Bool.self) }
    func tree(_ terms: ArraySlice<_AnyExpression<Bool>>) -> _AnyExpression<Bool> {
      guard let first = terms.first else { return _AnyExpression(Nodes.Value(isAll)) }
      if terms.count == 1 { return first }
      let middle = terms.startIndex + terms.count / 2
      let (left, right) = (tree(terms[..<middle]), tree(terms[middle...]))
      return isAll
        ? _AnyExpression(Nodes.Conjunction(lhs: left, rhs: right))
        : _AnyExpression(Nodes.Disjunction(lhs: left, rhs: right))
    }
    return tree(terms[...])
  }
}
