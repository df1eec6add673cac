import SwiftSyntax

extension PredicateRewriter {
  /// Whether the value of an expression depends on the model: whether it mentions a name that stands for a node.
  func involvesModel(_ node: some SyntaxProtocol) -> Bool {
    involves(Syntax(node), hidden: [])
  }

  private func involves(_ node: Syntax, hidden: Set<String>) -> Bool {
    if unwrapped[node.id] != nil { return true }
    switch node.as(SyntaxEnum.self) {
    case .declReferenceExpr(let name):
      return isNode(name.plainName, hidden: hidden)
    case .memberAccessExpr(let member):
      // The member's own name is no reference to a variable.
      return member.base.map { involves(Syntax($0), hidden: hidden) } ?? false
    case .keyPathPropertyComponent:
      return false
    case .closureExpr(let closure):
      return involves(Syntax(closure.statements), hidden: hidden.union(closure.parameterNames))
    case .optionalBindingCondition(let binding) where binding.initializer == nil:
      let name = binding.pattern.as(IdentifierPatternSyntax.self)?.identifier.plainText
      return name.map { isNode($0, hidden: hidden) } ?? false
    default:
      return node.children(viewMode: .sourceAccurate).contains { involves($0, hidden: hidden) }
    }
  }

  private func isNode(_ name: String, hidden: Set<String>) -> Bool {
    !hidden.contains(name) && scope[name]?.isNode == true
  }
}

extension ClosureExprSyntax {
  /// What the closure's parameters hide: their names, or `$0` and its like when it names none.
  var parameterNames: [String] {
    switch signature?.parameterClause {
    case .simpleInput(let parameters): parameters.map(\.name.plainText)
    case .parameterClause(let clause): clause.parameters.map { ($0.secondName ?? $0.firstName).plainText }
    case nil: (0...8).map { "$\($0)" }
    }
  }

  /// `$0` and, as far as the closure mentions them, its successors.
  var shorthandNames: [String] {
    let mentioned = statements.tokens(viewMode: .sourceAccurate).compactMap { token in
      if case .dollarIdentifier(let text) = token.tokenKind { Int(text.dropFirst()) } else { nil }
    }
    return (0...min(mentioned.max() ?? 0, 8)).map { "$\($0)" }
  }
}
