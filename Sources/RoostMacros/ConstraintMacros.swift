import SwiftDiagnostics
import SwiftSyntax
import SwiftSyntaxMacros

/// `#Unique`: read by `@Model`; by itself it adds nothing and only reports misuse.
enum UniqueMacro: DeclarationMacro {
  static func expansion(
    of node: some FreestandingMacroExpansionSyntax, in context: some MacroExpansionContext
  ) -> [DeclSyntax] {
    ConstraintRules.check(node, kinds: [], in: context)
    return []
  }
}

/// `#Index`: read by `@Model`; by itself it adds nothing and only reports misuse.
enum IndexMacro: DeclarationMacro {
  static func expansion(
    of node: some FreestandingMacroExpansionSyntax, in context: some MacroExpansionContext
  ) -> [DeclSyntax] {
    ConstraintRules.check(node, kinds: ["binary", "rtree"], in: context)
    return []
  }
}

private enum ConstraintRules {
  /// - Parameter kinds: the cases that an array may be wrapped in.
  static func check(
    _ node: some FreestandingMacroExpansionSyntax, kinds: Set<String>, in context: some MacroExpansionContext
  ) {
    let macro = node.macroName.text
    guard context.isInsideModel, let model = context.enclosingTypeName else {
      context.diagnose(.notInModel(node))
      return
    }
    if let type = node.genericArgumentClause?.arguments.first?.argument.as(TypeSyntax.self),
      let name = type.lastComponent, name != context.enclosingClass?.name.unescaped, name != "Self"
    {
      context.diagnose(.otherModel(type, macro: macro, model: model))
    }
    if node.arguments.isEmpty { context.diagnose(.noKeyPaths(node)) }
    for argument in node.arguments { check(argument.expression, macro: macro, kinds: kinds, in: context) }
  }

  private static func check(
    _ expression: ExprSyntax, macro: String, kinds: Set<String>, in context: some MacroExpansionContext
  ) {
    guard let array = array(in: expression, kinds: kinds) else {
      context.diagnose(.notPropertyList(expression, macro: macro))
      return
    }
    if array.elements.isEmpty { context.diagnose(.emptyKeyPaths(array, macro: macro)) }
    for element in array.elements where !element.expression.is(KeyPathExprSyntax.self) {
      context.diagnose(.notKeyPath(element.expression, macro: macro))
    }
  }

  /// The array, bare or as in `.rtree([…])`.
  private static func array(in expression: ExprSyntax, kinds: Set<String>) -> ArrayExprSyntax? {
    if let call = expression.as(FunctionCallExprSyntax.self),
      let member = call.calledExpression.as(MemberAccessExprSyntax.self),
      kinds.contains(member.declName.baseName.text), call.arguments.count == 1
    {
      return call.arguments.first?.expression.as(ArrayExprSyntax.self)
    }
    return expression.as(ArrayExprSyntax.self)
  }
}
