import SwiftDiagnostics
import SwiftSyntax
import SwiftSyntaxMacros

/// `@Attribute`: read by `@Model`; by itself it adds nothing and only reports misuse.
enum AttributeMacro: PeerMacro {
  static func expansion(
    of node: AttributeSyntax,
    providingPeersOf declaration: some DeclSyntaxProtocol,
    in context: some MacroExpansionContext
  ) -> [DeclSyntax] {
    guard let variable = AnnotatedProperty.check(node, on: declaration, in: context) else { return [] }
    guard let type = variable.bindings.first?.typeAnnotation?.type, type.looksLikeCollection else { return [] }
    let attribute = variable.attributes.named("Attribute").first ?? node
    let unique = attribute.argumentList.first {
      $0.label == nil && $0.expression.as(MemberAccessExprSyntax.self)?.declName.baseName.text == "unique"
    }
    if let unique { context.diagnose(.uniqueCollection(unique, type: type)) }
    return []
  }
}
