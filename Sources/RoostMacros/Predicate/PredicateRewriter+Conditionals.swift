import SwiftSyntax

extension PredicateRewriter {
  func rewriteTernary(_ ternary: TernaryExprSyntax) -> Operand {
    let test = rewrite(ternary.condition)
    return conditional(test, rewrite(ternary.thenExpression), rewrite(ternary.elseExpression))
  }

  func rewriteIf(_ node: IfExprSyntax) -> Operand {
    rewriteConditions(
      Array(node.conditions), of: node,
      then: { self.rewriteBody(Array(node.body.statements), of: node.body) },
      otherwise: {
        switch node.elseBody {
        case .ifExpr(let next): self.rewriteIf(next)
        case .codeBlock(let block): self.rewriteBody(Array(block.statements), of: block)
        case nil: self.fail("'if' needs an 'else' in a predicate", at: node.ifKeyword)
        }
      })
  }

  /// `if` and `guard`. Bindings open a closure, which ends with nil when a later condition fails:
  /// `if let a = x, b { c } else { d }` is `x.flatMap { a in b ? c : nil } ?? d`.
  func rewriteConditions(
    _ conditions: [ConditionElementSyntax], of owner: some SyntaxProtocol,
    then: () -> Operand, otherwise: () -> Operand
  ) -> Operand {
    let outer = scope
    defer { scope = outer }
    let binds = conditions.contains { $0.condition.is(OptionalBindingConditionSyntax.self) }
    if !binds {
      let tests = conditions.compactMap { $0.condition.as(ExprSyntax.self) }
      guard tests.count == conditions.count, let first = tests.first else {
        return fail("only Boolean conditions and 'let' are supported in a predicate", at: owner)
      }
      let test = tests.dropFirst().reduce(rewrite(first)) { binary("and", $0, rewrite($1)) }
      return conditional(test, then(), otherwise())
    }
    let chain = rewriteChain(conditions[...], then: then)
    scope = outer
    return binary("coalesce", chain, otherwise())
  }

  private func rewriteChain(_ conditions: ArraySlice<ConditionElementSyntax>, then: () -> Operand) -> Operand {
    guard let first = conditions.first else {
      return emit("some", then().asArgument)
    }
    let rest = conditions.dropFirst()
    switch first.condition {
    case .expression(let expression):
      let test = rewrite(expression)
      return emit("when", test.asNode, rewriteChain(rest, then: then).asNode)
    case .optionalBinding(let binding):
      guard let name = binding.pattern.as(IdentifierPatternSyntax.self)?.identifier else {
        return fail("only a plain name is supported after 'let' in a predicate", at: binding.pattern)
      }
      let reference = ExprSyntax(DeclReferenceExprSyntax(baseName: name.trimmed))
      let base = rewrite(binding.initializer?.value ?? reference)
      let result = freshName()
      block(opening: "let \(result) = \(builderName).flatMap(\(base.asNode))") { value in
        scope[name.plainText] = value
        return rewriteChain(rest, then: then).asNode
      }
      return .node(result)
    default:
      return fail("only Boolean conditions and 'let' are supported in a predicate", at: first)
    }
  }

  private func conditional(_ test: Operand, _ yes: Operand, _ no: Operand) -> Operand {
    emit("conditional", test.asNode, yes.asArgument, no.asArgument)
  }
}
