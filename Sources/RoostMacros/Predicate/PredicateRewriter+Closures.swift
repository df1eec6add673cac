import SwiftSyntax

extension PredicateRewriter {
  /// Adds `opening { _1 in …; return _n }` for a closure of the user's. `wrap` turns the body's value into what is
  /// returned.
  func rewriteClosure(
    _ closure: ClosureExprSyntax, opening: String, wrap: (Operand) -> String = { $0.asNode }
  ) {
    let names = closure.signature?.parameterClause == nil ? closure.shorthandNames : closure.parameterNames
    block(opening: opening, parameters: names.count) { parameters in
      let outer = scope
      defer { scope = outer }
      declareCaptures(of: closure)
      for name in closure.parameterNames { scope[name] = nil }
      for (name, parameter) in zip(names, parameters) where name != "_" { scope[name] = parameter }
      return wrap(rewriteBody(Array(closure.statements), of: closure))
    }
  }

  /// Values that a capture list names, as in `{ [id = note.persistentModelID] in … }`. What it repeats is in scope.
  private func declareCaptures(of closure: ClosureExprSyntax) {
    for capture in closure.signature?.capture?.items ?? [] {
      guard let value = capture.initializer?.value else { continue }
      line("let \(capture.name.text) = \(value.trimmedDescription)")
      scope[capture.name.text] = nil
    }
  }

  /// A statement that makes a node from another and a closure over its elements: `contains(where:)` and its like.
  func emit(
    _ function: String, _ base: Operand, closure: ExprSyntax, wrap: (Operand) -> String = { $0.asNode }
  ) -> Operand {
    let name = freshName()
    let opening = "let \(name) = \(builderName).\(function)(\(base.asNode))"
    if let closure = closure.as(ClosureExprSyntax.self) {
      rewriteClosure(closure, opening: opening, wrap: wrap)
    } else if let path = closure.as(KeyPathExprSyntax.self) {
      block(opening: opening) { parameter in wrap(rewritePath(path, of: parameter)) }
    } else {
      return fail("'\(function)' needs a closure written in place in a predicate", at: closure)
    }
    return .node(name)
  }

  /// A key path literal used as a function.
  private func rewritePath(_ path: KeyPathExprSyntax, of root: Operand) -> Operand {
    var result = root
    for component in path.components {
      guard case .property(let property) = component.component else {
        return fail("only plain properties are supported in this key path; write a closure instead", at: component)
      }
      result = emit("keyPath", result.asNode, "\\.\(property.declName.trimmedDescription)")
    }
    return result
  }
}
