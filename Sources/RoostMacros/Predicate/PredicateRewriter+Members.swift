import SwiftSyntax

extension PredicateRewriter {
  func rewriteMember(_ member: MemberAccessExprSyntax) -> Operand {
    guard let base = member.base else { return .value(member.trimmedDescription) }
    let name = member.declName
    if case .integerLiteral = name.baseName.tokenKind {
      return fail("an element of a tuple is not supported in a predicate", at: member)
    }
    guard name.argumentNames == nil else {
      return fail("a method that is not called is not supported in a predicate", at: member)
    }
    let root = rewrite(base)
    if name.baseName.tokenKind == .keyword(.self) { return root }
    if isModel(root), Self.notStored.contains(name.baseName.text) {
      return fail(
        "'\(name.baseName.text)' is not stored, and a query knows only what is; filter the fetched models", at: name)
    }
    return emit("keyPath", root.asNode, "\\.\(name.trimmedDescription)")
  }

  /// What each model has beside its properties. A program's own `isDeleted` and `hasChanges` may be stored.
  private static let notStored: Set = ["modelContext", "schemaMetadata", "persistentBackingData"]

  func rewriteSubscript(_ call: SubscriptCallExprSyntax) -> Operand {
    let arguments = Array(call.arguments)
    guard call.trailingClosure == nil, let index = arguments.first, index.label == nil else {
      return fail("this subscript is not supported in a predicate; write the property instead", at: call)
    }
    if arguments.count == 1 {
      return binary("element", rewrite(call.calledExpression), rewrite(index.expression))
    }
    guard arguments.count == 2, arguments[1].label?.text == "default", !involvesModel(arguments[1].expression) else {
      return fail("this subscript is not supported in a predicate", at: call)
    }
    return binary(
      "element", rewrite(call.calledExpression), rewrite(index.expression),
      "default: \(arguments[1].expression.trimmedDescription)")
  }
}
