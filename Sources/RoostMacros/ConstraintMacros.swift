import SwiftSyntax
import SwiftSyntaxMacros

/// `#Unique`: read by `@Model`; by itself it adds nothing and only reports misuse.
enum UniqueMacro: DeclarationMacro {
  static func expansion(
    of node: some FreestandingMacroExpansionSyntax, in context: some MacroExpansionContext
  ) -> [DeclSyntax] {
    ConstraintRules.check(node, in: context)
    return []
  }
}

/// `#FullText`: read by `@Model`; by itself it adds nothing and only reports misuse.
enum FullTextMacro: DeclarationMacro {
  static func expansion(
    of node: some FreestandingMacroExpansionSyntax, in context: some MacroExpansionContext
  ) -> [DeclSyntax] {
    ConstraintRules.check(node, in: context)
    return []
  }
}

/// `#Index`: read by `@Model`; by itself it adds nothing and only reports misuse.
enum IndexMacro: DeclarationMacro {
  static func expansion(
    of node: some FreestandingMacroExpansionSyntax, in context: some MacroExpansionContext
  ) -> [DeclSyntax] {
    ConstraintRules.check(node, in: context)
    return []
  }
}
