import SwiftSyntax
import SwiftSyntaxMacros

extension MacroExpansionContext {
  /// The class that the macro is written in. nil when it is written elsewhere.
  var enclosingClass: ClassDeclSyntax? { lexicalContext.first?.as(ClassDeclSyntax.self) }

  var enclosingTypeName: String? { enclosingClass?.name.trimmed.text }

  /// Whether the macro is written directly inside a `@Model` class.
  var isInsideModel: Bool { enclosingClass?.attributes.has("Model") ?? false }
}
