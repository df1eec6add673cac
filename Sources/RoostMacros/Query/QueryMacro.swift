import SwiftSyntax
import SwiftSyntaxMacros

/// `@Query`: keeps the `Query` that a view's property shows the results of beside it.
///
/// The type is written as the attribute is, module and all: it is the same name's.
enum QueryMacro: AccessorMacro, PeerMacro {
  static var formatMode: FormatMode { .disabled }

  static func expansion(
    of node: AttributeSyntax,
    providingAccessorsOf declaration: some DeclSyntaxProtocol,
    in context: some MacroExpansionContext
  ) -> [AccessorDeclSyntax] {
    // The peer's expansion reports what is wrong.
    guard case .success(let property) = QueriedProperty.read(node, on: declaration) else { return [] }
    return [AccessorDeclSyntax(unparsed: "get { \(property.storage).wrappedValue }")]
  }

  static func expansion(
    of node: AttributeSyntax,
    providingPeersOf declaration: some DeclSyntaxProtocol,
    in context: some MacroExpansionContext
  ) -> [DeclSyntax] {
    switch QueriedProperty.read(node, on: declaration) {
    case .success(let property):
      // The initialiser decides about the element: an array's models, or those of sections. That others can read it is
      // for the view's memberwise initialiser, which would be private too.
      return [
        DeclSyntax(
          unparsed:
            "private(set) var \(property.storage): \(node.attributeName.trimmedDescription)<_, \(property.type)>"
            + " = .init(\(node.argumentText))")
      ]
    case .failure(let problem):
      context.diagnose(problem.diagnostic)
      return []
    }
  }
}
