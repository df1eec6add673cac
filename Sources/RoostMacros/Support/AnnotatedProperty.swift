import SwiftDiagnostics
import SwiftSyntax
import SwiftSyntaxMacros

/// What `@Attribute`, `@Relationship` and `@Transient` have in common.
enum AnnotatedProperty {
  /// The property that the attribute is on. nil, with a message, when it is on anything else.
  @discardableResult static func check(
    _ node: AttributeSyntax, on declaration: some DeclSyntaxProtocol, in context: some MacroExpansionContext
  ) -> VariableDeclSyntax? {
    // What is computed is not stored, as `@Transient` says; guides write it there, in extensions of models too.
    if node.baseName == "Transient", declaration.as(VariableDeclSyntax.self)?.isStored == false,
      context.isInsideModel || context.isInsideExtension
    {
      return nil
    }
    guard let variable = declaration.as(VariableDeclSyntax.self), context.isInsideModel else {
      context.diagnose(.notOnModelProperty(node))
      return nil
    }
    // The node as it stands in the declaration, which is what a fix-it has to change.
    let attribute = variable.attributes.named(node.baseName).first ?? node
    if variable.isStatic {
      context.diagnose(.notOnStatic(attribute, variable))
      return nil
    }
    guard variable.isStored else {
      context.diagnose(.notOnComputed(attribute, variable))
      return nil
    }
    return variable
  }
}
