import SwiftDiagnostics
import SwiftSyntax
import SwiftSyntaxMacros

/// What can be wrong with `#Unique`, `#Index` and `#FullText`.
enum ConstraintRules {
  static func isConstraint(_ macro: MacroExpansionDeclSyntax) -> Bool {
    ["Unique", "Index", "FullText"].contains(macro.macroName.text)
  }

  static func check(_ node: some FreestandingMacroExpansionSyntax, in context: some MacroExpansionContext) {
    guard context.isInsideModel, let model = context.enclosingClass?.name.trimmed else {
      context.diagnose(.notInModel(node))
      return
    }
    if let type = node.genericArgumentClause?.arguments.first?.argument.as(TypeSyntax.self),
      let name = type.lastComponent, name != model.unescaped, name != "Self"
    {
      context.diagnose(.otherModel(type, macro: node.macroName.text, model: model.text))
    }
    for problem in argumentProblems(of: node) { context.diagnose(problem) }
  }

  /// What is wrong with the lists of key paths. A constraint with such a problem is left out of the schema.
  static func argumentProblems(of node: some FreestandingMacroExpansionSyntax) -> [Diagnostic] {
    let macro = node.macroName.text
    let lists = node.arguments.filter { !["onConflict", "tokenizer"].contains($0.label?.text) }
    if lists.isEmpty { return [.noKeyPaths(node)] }
    return lists.flatMap { argument -> [Diagnostic] in
      guard let array = keyPaths(in: argument.expression, macro: macro) else {
        return [.notPropertyList(argument.expression, macro: macro)]
      }
      if array.elements.isEmpty { return [.emptyKeyPaths(array, macro: macro)] }
      return array.elements.compactMap { element in
        element.expression.is(KeyPathExprSyntax.self) ? nil : .notKeyPath(element.expression, macro: macro)
      }
    }
  }

  /// The array: bare, or for an index as in `.rtree([…])`.
  private static func keyPaths(in expression: ExprSyntax, macro: String) -> ArrayExprSyntax? {
    guard let call = expression.as(FunctionCallExprSyntax.self) else { return expression.as(ArrayExprSyntax.self) }
    guard macro == "Index", call.arguments.count == 1,
      let kind = call.calledExpression.as(MemberAccessExprSyntax.self)?.declName.baseName.text,
      ["binary", "rtree"].contains(kind)
    else { return nil }
    return call.arguments.first?.expression.as(ArrayExprSyntax.self)
  }
}
