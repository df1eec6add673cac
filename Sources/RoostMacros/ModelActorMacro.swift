import SwiftDiagnostics
import SwiftSyntax
import SwiftSyntaxBuilder
import SwiftSyntaxMacros

/// `@ModelActor`: gives an actor a context of its own, on its own executor.
enum ModelActorMacro: MemberMacro, ExtensionMacro {
  static func expansion(
    of node: AttributeSyntax,
    providingMembersOf declaration: some DeclGroupSyntax,
    conformingTo protocols: [TypeSyntax],
    in context: some MacroExpansionContext
  ) -> [DeclSyntax] {
    guard declaration.is(ActorDeclSyntax.self) else {
      context.diagnose(.modelActorNeedsActor(node, declaration))
      return []
    }
    let access = declaration.modifiers.has(.public) ? "public " : declaration.modifiers.has(.package) ? "package " : ""
    return [
      "\(raw: access)nonisolated let modelExecutor: any Roost.ModelExecutor",
      "\(raw: access)nonisolated let modelContainer: Roost.ModelContainer",
      """
      \(raw: access)init(modelContainer: Roost.ModelContainer) {
        let modelContext = Roost.ModelContext(modelContainer)
        self.modelExecutor = Roost.DefaultSerialModelExecutor(modelContext: modelContext)
        self.modelContainer = modelContainer
      }
      """,
    ]
  }

  static func expansion(
    of node: AttributeSyntax,
    attachedTo declaration: some DeclGroupSyntax,
    providingExtensionsOf type: some TypeSyntaxProtocol,
    conformingTo protocols: [TypeSyntax],
    in context: some MacroExpansionContext
  ) -> [ExtensionDeclSyntax] {
    guard declaration.is(ActorDeclSyntax.self), !protocols.isEmpty else { return [] }
    let text: DeclSyntax = "extension \(type.trimmed): RoostCore.ModelActor {}"
    return [text].compactMap { $0.as(ExtensionDeclSyntax.self) }
  }
}
