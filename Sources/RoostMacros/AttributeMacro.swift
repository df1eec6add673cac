import SwiftSyntax
import SwiftSyntaxMacros

/// `@Attribute`: read by `@Model`; by itself it adds nothing and only reports a wrong place.
enum AttributeMacro: PeerMacro {
  static func expansion(
    of node: AttributeSyntax,
    providingPeersOf declaration: some DeclSyntaxProtocol,
    in context: some MacroExpansionContext
  ) -> [DeclSyntax] {
    AnnotatedProperty.check(node, on: declaration, in: context)
    return []
  }
}
