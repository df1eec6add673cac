package import Foundation

/// A node with a parameter pack, or with predicates and expressions that have variables of their own.
package protocol VariadicExpression: PredicateExpression {
  /// Its operands, or what its captured predicates and expressions are given.
  var inputs: [any PredicateExpression] { get }
  /// The captured predicates and expressions.
  var bodies: [PredicateBody] { get }
}

/// A captured predicate or expression.
package struct PredicateBody {
  package let variables: [PredicateExpressions.VariableID]
  package let expression: any PredicateExpression

  init<each Input>(_ predicate: Foundation.Predicate<repeat each Input>) {
    variables = Self.keys(repeat each predicate.variable)
    expression = predicate.expression
  }

  init<each Input, Output>(_ expression: Foundation.Expression<repeat each Input, Output>) {
    variables = Self.keys(repeat each expression.variable)
    self.expression = expression.expression
  }

  private static func keys<each Input>(
    _ variable: repeat PredicateExpressions.Variable<each Input>
  ) -> [PredicateExpressions.VariableID] {
    var keys: [PredicateExpressions.VariableID] = []
    for variable in repeat each variable { keys.append(variable.key) }
    return keys
  }
}

private func list<each Input: PredicateExpression>(_ input: repeat each Input) -> [any PredicateExpression] {
  var nodes: [any PredicateExpression] = []
  for node in repeat each input { nodes.append(node) }
  return nodes
}

extension _AllOf: VariadicExpression {
  package var inputs: [any PredicateExpression] { list(repeat each variable) }
  package var bodies: [PredicateBody] { predicates.map { PredicateBody($0) } }
}

extension _AnyOf: VariadicExpression {
  package var inputs: [any PredicateExpression] { list(repeat each variable) }
  package var bodies: [PredicateBody] { predicates.map { PredicateBody($0) } }
}

extension _PredicateEvaluate: VariadicExpression {
  package var inputs: [any PredicateExpression] { list(repeat each input) }
  package var bodies: [PredicateBody] { [PredicateBody(predicate)] }
}

extension PredicateExpressions.ExpressionEvaluate: VariadicExpression {
  package var inputs: [any PredicateExpression] { [expression] + list(repeat each input) }
  package var bodies: [PredicateBody] { [] }
}

extension _ExpressionConstant: VariadicExpression {
  package var inputs: [any PredicateExpression] { [] }
  package var bodies: [PredicateBody] { [PredicateBody(expression)] }
}
