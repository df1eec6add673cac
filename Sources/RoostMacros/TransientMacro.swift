import SwiftDiagnostics
import SwiftSyntax
import SwiftSyntaxMacros

/// `@Transient`: keeps a property out of the schema; by itself it adds nothing and only reports misuse.
enum TransientMacro: PeerMacro {
  static func expansion(
    of node: AttributeSyntax,
    providingPeersOf declaration: some DeclSyntaxProtocol,
    in context: some MacroExpansionContext
  ) -> [DeclSyntax] {
    guard let variable = AnnotatedProperty.check(node, on: declaration, in: context) else { return [] }
    for name in ["Attribute", "Relationship"] {
      guard let other = variable.attributes.named(name).first else { continue }
      let own = variable.attributes.named("Transient").first ?? node
      context.diagnose(.conflictingAttributes(other, with: own, variable))
    }
    // A wrapper brings its own initial value.
    guard !variable.modifiers.has(.lazy), variable.attributes.all.count == 1 else { return [] }
    for binding in variable.bindings where binding.initializer == nil {
      guard let name = binding.pattern.as(IdentifierPatternSyntax.self)?.identifier else { continue }
      // A `let` gets no nil by itself.
      if binding.typeAnnotation?.type.isOptional ?? false, !variable.isConstant { continue }
      context.diagnose(.transientNeedsDefault(name, variable))
    }
    return []
  }
}
