import SwiftDiagnostics
import SwiftSyntax
import SwiftSyntaxMacros

/// `@Relationship`: read by `@Model`; by itself it adds nothing and only reports misuse.
enum RelationshipMacro: PeerMacro {
  static func expansion(
    of node: AttributeSyntax,
    providingPeersOf declaration: some DeclSyntaxProtocol,
    in context: some MacroExpansionContext
  ) -> [DeclSyntax] {
    guard let variable = AnnotatedProperty.check(node, on: declaration, in: context),
      let type = variable.bindings.first?.typeAnnotation?.type, let scalar = type.elementOrSelf.scalarName
    else { return [] }
    let attribute = variable.attributes.named("Relationship").first ?? node
    context.diagnose(.relationshipToScalar(attribute, type: scalar, variable))
    return []
  }
}
