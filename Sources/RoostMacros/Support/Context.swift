import SwiftIfConfig
import SwiftSyntax
import SwiftSyntaxMacros

extension MacroExpansionContext {
  /// The class that the macro is written in. nil when it is written elsewhere.
  var enclosingClass: ClassDeclSyntax? { lexicalContext.first?.as(ClassDeclSyntax.self) }

  var enclosingTypeName: String? { enclosingClass?.name.trimmed.text }

  /// Whether the compiler puts accessors on a `let`: in the Swift 6 language mode that is an error.
  ///
  /// A compiler that does not tell its mode says itself what it thinks of the accessors.
  var allowsConstants: Bool { buildConfiguration.map { $0.languageVersion < VersionTuple(6) } ?? true }

  /// Whether the macro is written directly inside a `@Model` class.
  var isInsideModel: Bool { enclosingClass?.attributes.has("Model") ?? false }

  /// Whether the macro is written directly inside an extension, be it of a model or not: a macro cannot tell.
  var isInsideExtension: Bool { lexicalContext.first?.is(ExtensionDeclSyntax.self) ?? false }
}
