import SwiftDiagnostics
import SwiftSyntax
import SwiftSyntaxBuilder
import SwiftSyntaxMacros

/// `@Model`: makes a class's stored properties persist.
///
/// All of a class's problems are reported by the member role, which runs exactly once.
enum ModelMacro: MemberMacro, MemberAttributeMacro, ExtensionMacro {
  /// The text is laid out as it should be; a formatter would also lay out the defaults that the user wrote.
  static var formatMode: FormatMode { .disabled }

  static func expansion(
    of node: AttributeSyntax,
    providingMembersOf declaration: some DeclGroupSyntax,
    conformingTo protocols: [TypeSyntax],
    in context: some MacroExpansionContext
  ) -> [DeclSyntax] {
    guard let declaration = declaration.as(ClassDeclSyntax.self) else {
      context.diagnose(.modelNeedsClass(node, declaration))
      return []
    }
    let model = ModelClass(declaration, allowsConstants: context.allowsConstants)
    for problem in model.problems { context.diagnose(problem) }
    let arguments = node.arguments?.as(LabeledExprListSyntax.self)
    let originalName = arguments?.first { $0.label?.text == "originalName" }?.expression.trimmedDescription
    return ModelMembers(
      model: model, isSubclass: isSubclass(model, missing: protocols), originalName: originalName
    ).declarations
  }

  static func expansion(
    of node: AttributeSyntax,
    attachedTo declaration: some DeclGroupSyntax,
    providingAttributesFor member: some DeclSyntaxProtocol,
    in context: some MacroExpansionContext
  ) -> [AttributeSyntax] {
    if let initializer = member.as(InitializerDeclSyntax.self) { return attributes(of: initializer) }
    guard let declaration = declaration.as(ClassDeclSyntax.self),
      let variable = member.as(VariableDeclSyntax.self), let name = StoredProperty(variable)?.name
    else { return [] }
    let outline = ModelOutline.of(declaration, allowsConstants: context.allowsConstants)
    // The member arrives cut out of its class, so that its place is found by its name.
    guard let index = outline.names.firstIndex(of: name),
      PropertyRules.judge(variable, allowsConstants: context.allowsConstants).property != nil
    else { return [] }
    let inherited = outline.hasSuperclass ? ", inherited: true" : ""
    return [AttributeSyntax(unparsed: "RoostDeclarations._PersistedProperty(\(index)\(inherited))")]
  }

  /// Keeps the optimiser from seeing what a designated initialiser does with the model.
  ///
  /// A relationship that it sets makes the other model hold this one, by the address of what the accessor is given,
  /// which the optimiser does not follow: it would put a model that its maker does not keep on the stack.
  private static func attributes(of initializer: InitializerDeclSyntax) -> [AttributeSyntax] {
    let isConvenience = initializer.modifiers.contains { $0.name.tokenKind == .keyword(.convenience) }
    return isConvenience || initializer.attributes.has("inline") ? [] : ["@inline(never)"]
  }

  static func expansion(
    of node: AttributeSyntax,
    attachedTo declaration: some DeclGroupSyntax,
    providingExtensionsOf type: some TypeSyntaxProtocol,
    conformingTo protocols: [TypeSyntax],
    in context: some MacroExpansionContext
  ) -> [ExtensionDeclSyntax] {
    guard declaration.is(ClassDeclSyntax.self) else { return [] }
    var texts: [DeclSyntax] = []
    // Observable must be named too: a conformance that the macro may add is not implied by another. Without
    // `nonisolated` it would belong to the main actor in modules whose code does so by default.
    let missing = Set(protocols.compactMap(\.lastComponent))
    let names = [("Roost", "PersistentModel"), ("Observation", "Observable")].filter { missing.contains($0.1) }
    if !names.isEmpty {
      let list = names.map { "nonisolated \($0).\($1)" }.joined(separator: ", ")
      texts.append("extension \(type.trimmed): \(raw: list) {}")
    }
    if missing.contains("Sendable") {
      texts.append(
        """
        @available(*, unavailable, message: "\(raw: DiagnosticText.modelsAreNotSendable)")
        extension \(type.trimmed): @unchecked Sendable {}
        """)
    }
    return texts.compactMap { $0.as(ExtensionDeclSyntax.self) }
  }

  /// A superclass that is a model brings the conformance along.
  private static func isSubclass(_ model: ModelClass, missing protocols: [TypeSyntax]) -> Bool {
    guard model.possibleSuperclass != nil, !model.declaresConformance else { return false }
    return !protocols.contains { $0.lastComponent == "PersistentModel" }
  }
}
