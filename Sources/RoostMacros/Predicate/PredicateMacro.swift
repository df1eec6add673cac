import SwiftDiagnostics
import SwiftOperators
import SwiftSyntax
import SwiftSyntaxBuilder
import SwiftSyntaxMacros

/// `#Predicate<Model> { … }`: a Boolean closure becomes a tree of predicate nodes.
struct PredicateMacro: ExpressionMacro {
  /// The statements are laid out already, and captured code stays as it was written.
  static var formatMode: FormatMode { .disabled }

  static func expansion(
    of node: some FreestandingMacroExpansionSyntax, in context: some MacroExpansionContext
  ) throws -> ExprSyntax {
    try expandQuery(of: node, builder: "predicate")
  }
}

/// `#Expression<Model, Output> { … }`: the same for a value of any type.
struct PredicateExpressionMacro: ExpressionMacro {
  /// The statements are laid out already, and captured code stays as it was written.
  static var formatMode: FormatMode { .disabled }

  static func expansion(
    of node: some FreestandingMacroExpansionSyntax, in context: some MacroExpansionContext
  ) throws -> ExprSyntax {
    try expandQuery(of: node, builder: "expression")
  }
}

private func expandQuery(of node: some FreestandingMacroExpansionSyntax, builder: String) throws -> ExprSyntax {
  let argument = node.trailingClosure ?? node.arguments.first?.expression.as(ClosureExprSyntax.self)
  guard let closure = argument, node.additionalTrailingClosures.isEmpty else {
    throw DiagnosticsError(diagnostics: [
      PredicateDiagnostic("#\(node.macroName.text) takes one closure, written in place").at(node)
    ])
  }
  let rewriter = PredicateRewriter(avoiding: closure)
  rewriter.rewriteClosure(folded(closure), opening: "\(builderName).\(builder)")
  guard rewriter.diagnostics.isEmpty else { throw DiagnosticsError(diagnostics: rewriter.diagnostics) }
  return ExprSyntax(unparsed: rewriter.lines.joined(separator: "\n"))
}

/// Infix expressions as trees. The compiler hands them over so already, and then nothing may be copied: a copy has no
/// place in the user's file for diagnostics to point at.
private func folded(_ closure: ClosureExprSyntax) -> ClosureExprSyntax {
  final class Finder: SyntaxVisitor {
    var found = false
    override func visit(_ node: SequenceExprSyntax) -> SyntaxVisitorContinueKind {
      found = true
      return .skipChildren
    }
  }
  let finder = Finder(viewMode: .sourceAccurate)
  finder.walk(closure)
  guard finder.found else { return closure }
  let folded = OperatorTable.standardOperators.foldAll(closure) { _ in }
  return folded.as(ClosureExprSyntax.self) ?? closure
}
