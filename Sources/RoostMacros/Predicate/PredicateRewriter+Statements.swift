import SwiftSyntax

extension PredicateRewriter {
  /// The value of a closure's or branch's statements: constants, early returns, then an expression.
  func rewriteBody(_ items: [CodeBlockItemSyntax], of owner: some SyntaxProtocol) -> Operand {
    guard let first = items.first else {
      return fail("a predicate's closure and branches need an expression", at: owner)
    }
    let rest = Array(items.dropFirst())
    switch first.item {
    case .expr(let expression):
      if rest.isEmpty { return rewrite(expression) }
      return rewriteStatement(expression, then: rest, of: owner)
    case .stmt(let statement):
      if let result = statement.as(ReturnStmtSyntax.self), let expression = result.expression {
        return rewrite(expression)
      }
      if let statement = statement.as(ExpressionStmtSyntax.self) {
        return rest.isEmpty
          ? rewrite(statement.expression) : rewriteStatement(statement.expression, then: rest, of: owner)
      }
      if let statement = statement.as(GuardStmtSyntax.self) {
        return rewriteConditions(
          Array(statement.conditions), of: statement,
          then: { self.rewriteBody(rest, of: owner) },
          otherwise: { self.rewriteBody(Array(statement.body.statements), of: statement.body) })
      }
      return fail("only let, guard, if and return are supported in a predicate", at: statement)
    case .decl(let declaration):
      guard let variable = declaration.as(VariableDeclSyntax.self), rewriteConstants(variable) else {
        return fail("only constants with a value (let name = …) are supported in a predicate", at: declaration)
      }
      return rewriteBody(rest, of: owner)
    }
  }

  /// `if … { return a }` followed by more statements.
  private func rewriteStatement(
    _ expression: ExprSyntax, then rest: [CodeBlockItemSyntax], of owner: some SyntaxProtocol
  ) -> Operand {
    guard let statement = expression.as(IfExprSyntax.self), statement.elseBody == nil else {
      return fail("only let, guard, if and return may come before a predicate's last expression", at: expression)
    }
    return rewriteConditions(
      Array(statement.conditions), of: statement,
      then: { self.rewriteBody(Array(statement.body.statements), of: statement.body) },
      otherwise: { self.rewriteBody(rest, of: owner) })
  }

  /// `let a = …, b = …`: a node gets another name, a captured value stays a constant of the expansion.
  private func rewriteConstants(_ variable: VariableDeclSyntax) -> Bool {
    guard variable.bindingSpecifier.tokenKind == .keyword(.let) else { return false }
    for binding in variable.bindings {
      guard let name = binding.pattern.as(IdentifierPatternSyntax.self)?.identifier,
        let value = binding.initializer?.value
      else { return false }
      let type = binding.typeAnnotation?.type.trimmedDescription
      switch rewrite(value) {
      case .node(let node):
        scope[name.plainText] = type.map { emit("coerce", node, "to: (\($0)).self") } ?? .node(node)
      case .value(let text):
        scope[name.plainText] = nil
        line("let \(name.text)\(type.map { ": \($0)" } ?? "") = \(text)")
      case .nilLiteral:
        scope[name.plainText] = nil
        line("let \(name.text)\(type.map { ": \($0)" } ?? "") = nil")
      }
    }
    return true
  }
}
