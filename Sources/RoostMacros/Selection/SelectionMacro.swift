import SwiftSyntax
import SwiftSyntaxBuilder
import SwiftSyntaxMacros

/// `@Selection(of: Flight.self)`: says which columns of a query a struct's properties are.
enum SelectionMacro: ExtensionMacro {
  static func expansion(
    of node: AttributeSyntax,
    attachedTo declaration: some DeclGroupSyntax,
    providingExtensionsOf type: some TypeSyntaxProtocol,
    conformingTo protocols: [TypeSyntax],
    in context: some MacroExpansionContext
  ) -> [ExtensionDeclSyntax] {
    guard let declaration = declaration.as(StructDeclSyntax.self) else {
      context.diagnose(.selectionNeedsStruct(node, declaration))
      return []
    }
    guard let model = model(of: node) else {
      context.diagnose(.selectionNeedsModel(node))
      return []
    }
    let (properties, problems) = SelectedProperty.all(of: declaration, model: model)
    for problem in problems { context.diagnose(problem) }
    if properties.isEmpty, problems.isEmpty { context.diagnose(.selectionIsEmpty(declaration.name)) }
    if properties.isEmpty || !problems.isEmpty { return [] }
    let access =
      declaration.modifiers.has(.public) ? "public " : declaration.modifiers.has(.package) ? "package " : ""
    // One short statement a property, so that the type checker never meets one long expression.
    let columns = properties.enumerated().map { "let _\($0) = try _columns.\($1.call)" }
    let values = properties.indices.map { "_row._next(_\($0))" }
    let parameters = properties.enumerated().map { "\($0 == 0 ? "_selected" : "_") _\($0): \($1.type)" }
    let assignments = properties.enumerated().map { "self.\($1.reference) = _\($0)" }
    let text: DeclSyntax = """
      extension \(type.trimmed): Roost.ModelSelection {
        \(raw: access)typealias SelectedModel = \(raw: model)

        \(raw: access)static func _select(
          _ _columns: Roost._SelectionColumns<\(raw: model)>
        ) throws -> (inout Roost._ResultValues) throws -> Self {
          \(raw: columns.joined(separator: "\n    "))
          return { _row in try Self(_selected: \(raw: values.joined(separator: ", "))) }
        }

        private init(\(raw: parameters.joined(separator: ", "))) {
          \(raw: assignments.joined(separator: "\n    "))
        }
      }
      """
    return [text].compactMap { $0.as(ExtensionDeclSyntax.self) }
  }

  /// The type in `of: Flight.self`.
  private static func model(of node: AttributeSyntax) -> String? {
    guard let access = node.argumentList.first?.expression.as(MemberAccessExprSyntax.self),
      access.declName.baseName.tokenKind == .keyword(.self), let base = access.base
    else { return nil }
    return base.trimmedDescription
  }
}

/// `@Select`: read by `@Selection`; by itself it adds nothing and only reports a wrong place.
enum SelectMacro: PeerMacro {
  static func expansion(
    of node: AttributeSyntax,
    providingPeersOf declaration: some DeclSyntaxProtocol,
    in context: some MacroExpansionContext
  ) -> [DeclSyntax] {
    let owner = context.lexicalContext.first?.as(StructDeclSyntax.self)
    guard let variable = declaration.as(VariableDeclSyntax.self), owner?.attributes.has("Selection") ?? false else {
      context.diagnose(.notOnSelectedProperty(node))
      return []
    }
    if variable.isStatic || !variable.isStored {
      context.diagnose(.notSelected(variable.attributes.named(node.baseName).first ?? node, variable))
    }
    return []
  }
}
