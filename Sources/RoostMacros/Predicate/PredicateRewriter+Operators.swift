import SwiftSyntax

extension PredicateRewriter {
  func rewriteInfix(_ infix: InfixOperatorExprSyntax) -> Operand {
    guard let name = infix.operator.as(BinaryOperatorExprSyntax.self)?.operator.text else {
      return fail("assignment is not supported in a predicate", at: infix.operator)
    }
    // A long `a && b && c` leans to the left: taken apart in a loop, it needs no deep recursion.
    var operands = [infix.rightOperand]
    var left = infix.leftOperand
    while name == "&&" || name == "||", let next = left.as(InfixOperatorExprSyntax.self),
      next.operator.as(BinaryOperatorExprSyntax.self)?.operator.text == name
    {
      operands.append(next.rightOperand)
      left = next.leftOperand
    }
    if isContains(name, infix) { return rewritePatternMatch(infix) }
    var result = rewrite(left)
    var written = left.trimmedDescription
    for operand in operands.reversed() {
      written += " \(name) \(operand.trimmedDescription)"
      let right = rewrite(operand)
      result =
        result.isNode || right.isNode
        ? apply(name, result, right, at: infix.operator) : .value(written)
    }
    return result
  }

  /// One binary operator, of which at least one operand is a node.
  private func apply(_ name: String, _ left: Operand, _ right: Operand, at node: ExprSyntax) -> Operand {
    switch name {
    case "&&": return binary("and", left, right)
    case "||": return binary("or", left, right)
    case "==": return equality("equal", nil: "isNil", left, right)
    case "!=": return equality("notEqual", nil: "isNotNil", left, right)
    case "<": return binary("compare", left, right, ".lessThan")
    case "<=": return binary("compare", left, right, ".lessThanOrEqual")
    case ">": return binary("compare", left, right, ".greaterThan")
    case ">=": return binary("compare", left, right, ".greaterThanOrEqual")
    case "+": return binary("add", left, right)
    case "-": return binary("subtract", left, right)
    case "*": return binary("multiply", left, right)
    case "/": return binary("divide", left, right)
    case "%": return binary("remainder", left, right)
    case "??": return binary("coalesce", left, right)
    case "...": return binary("closedRange", left, right)
    case "..<": return binary("range", left, right)
    case "===", "!==":
      return fail("'\(name)' is not supported in a predicate; use \(name.dropLast()) instead", at: node)
    default:
      return fail("the operator '\(name)' is not supported in a predicate", at: node)
    }
  }

  func binary(_ function: String, _ left: Operand, _ right: Operand, _ more: String...) -> Operand {
    // Without a node on either side nothing would give a literal its type.
    let left = left.isNode || right.isNode ? left.asArgument : left.asNode
    return emit(function, ([left, right.asArgument] + more).joined(separator: ", "))
  }

  private func equality(_ function: String, nil test: String, _ left: Operand, _ right: Operand) -> Operand {
    switch (left, right) {
    case (.nilLiteral, _): emit(test, right.asNode)
    case (_, .nilLiteral): emit(test, left.asNode)
    default: binary(function, left, right)
    }
  }

  private func isContains(_ name: String, _ infix: InfixOperatorExprSyntax) -> Bool {
    name == "~=" && (involvesModel(infix.leftOperand) || involvesModel(infix.rightOperand))
  }

  /// `range ~= value`.
  private func rewritePatternMatch(_ infix: InfixOperatorExprSyntax) -> Operand {
    rewriteContains(infix.leftOperand, infix.rightOperand)
  }

  func rewritePrefix(_ node: PrefixOperatorExprSyntax) -> Operand {
    switch node.operator.text {
    case "!": emit("not", rewrite(node.expression).asNode)
    case "-": emit("negate", rewrite(node.expression).asNode)
    case "+": rewrite(node.expression)
    default: fail("the operator '\(node.operator.text)' is not supported in a predicate", at: node.operator)
    }
  }

  func rewriteCast(_ cast: AsExprSyntax) -> Operand {
    let function =
      switch cast.questionOrExclamationMark?.tokenKind {
      case .postfixQuestionMark: "conditionalCast"
      case .exclamationMark: "forceCast"
      default: "coerce"
      }
    return emit(function, rewrite(cast.expression).asNode, "to: (\(cast.type.trimmedDescription)).self")
  }
}
