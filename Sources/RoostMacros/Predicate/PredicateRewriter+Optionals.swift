import SwiftSyntax

extension PredicateRewriter {
  /// `a?.b.c` is `a.flatMap { $0.b.c }`: everything after the mark belongs to the closure. nil when the expression
  /// has no mark that is still open.
  func rewriteOptionalChain(_ expression: ExprSyntax) -> Operand? {
    guard let mark = firstMark(in: expression) else { return nil }
    let base = rewrite(mark.expression)
    let result = freshName()
    block(opening: "let \(result) = \(builderName).flatMap(\(base.asNode))") { value in
      unwrapped[mark.id] = value
      return "\(builderName).optional(\(rewrite(expression).asNode))"
    }
    return .node(result)
  }

  /// The innermost mark: the first that is evaluated.
  private func firstMark(in expression: ExprSyntax) -> OptionalChainingExprSyntax? {
    var current: ExprSyntax? = expression
    var found: OptionalChainingExprSyntax?
    while let node = current, unwrapped[node.id] == nil {
      switch node.as(ExprSyntaxEnum.self) {
      case .optionalChainingExpr(let mark):
        found = mark
        current = mark.expression
      case .memberAccessExpr(let member): current = member.base
      case .functionCallExpr(let call): current = call.calledExpression
      case .subscriptCallExpr(let call): current = call.calledExpression
      case .forceUnwrapExpr(let unwrap): current = unwrap.expression
      default: current = nil
      }
    }
    return found
  }
}
